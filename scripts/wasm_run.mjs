// node scripts/wasm_run.mjs PROGRAM.wasm [ARGUMENT...]: run a WASI command module and exit with its status.
// The program sees one folder, empty and its own, as "." and "/tmp"; it is removed afterwards.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WASI } from "node:wasi";

const [program, ...rest] = process.argv.slice(2);
if (!program) {
  console.error("usage: wasm_run.mjs PROGRAM.wasm [ARGUMENT...]");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "troupe-wasm-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const wasi = new WASI({
  version: "preview1",
  args: [program, ...rest],
  env: {},
  preopens: { ".": folder, "/tmp": folder },
  returnOnExit: true,
});
const module = await WebAssembly.compile(readFileSync(program));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
