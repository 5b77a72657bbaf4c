import { join } from "path";

export const limit = 10;

/** Whole. */
export function before(a) {
  return join(a, limit);
}

class Router {
  route(path) {
    const full = before(path);
    return this.handle(full, {
      retry: (
