// Runs a Ruby program in Ruby's own WebAssembly build, where no Ruby is installed.
//
//     node ruby.mjs PROGRAM.rb FOLDER [NAME=VALUE...] > OUT
//
// FOLDER is seen as `/w`, the temporary folder as `/tmp`. The packages `@ruby/wasm-wasi` and
// `@ruby/3.4-wasm-wasi` are looked for from the current folder.

import { createRequire } from "node:module";
import { WASI } from "node:wasi";
import fs from "node:fs";
import os from "node:os";

const require = createRequire(process.cwd() + "/");
const { RubyVM } = require("@ruby/wasm-wasi");
const [program, folder, ...settings] = process.argv.slice(2);
const env = { HOME: "/tmp", ...Object.fromEntries(settings.map((one) => one.split(/=(.*)/s))) };
const wasi = new WASI({ version: "preview1", env, preopens: { "/w": folder, "/tmp": os.tmpdir() } });
const module = await WebAssembly.compile(fs.readFileSync(require.resolve("@ruby/3.4-wasm-wasi/dist/ruby+stdlib.wasm")));
const { vm } = await RubyVM.instantiateModule({ module, wasip1: wasi });
vm.eval(fs.readFileSync(program, "utf8"));
// What Node frees of it at the end may crash.
process.reallyExit(0);
