export interface Shelf {
  lookup(key: string): string;
}

export class Store implements Shelf {
  private items = new Map<string, string>();

  lookup(key: string): string {
    return this.items.get(key) ?? '';
  }

  Html(key: string): string {
    return `<b>${this.lookup(key)}</b>`;
  }
}
