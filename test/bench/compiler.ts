// The compiler of HogQL as a bundle that Node can load.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import type * as Compiler from '../../src/hogql/compile'

/** WebAssembly comes as a compiled module, as in workerd. */
const wasmModules: Plugin = {
  name: 'wasm-modules',
  setup({ onLoad }) {
    onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
      contents: `export default new WebAssembly.Module(Buffer.from('${readFileSync(path, 'base64')}', 'base64'))`,
    }))
  },
}

export async function loadCompiler(): Promise<typeof Compiler> {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-'))
  await build({
    entryPoints: [join(import.meta.dirname, '../../src/hogql/compile.ts')],
    outfile: join(folder, 'compile.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    plugins: [wasmModules],
  })
  const compiler = (await import(join(folder, 'compile.mjs'))) as typeof Compiler
  rmSync(folder, { recursive: true })
  return compiler
}
