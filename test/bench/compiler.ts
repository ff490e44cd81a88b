// Bundles the compiler of HogQL for Node.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type * as Compiler from '../../src/hogql/compile'

export async function loadCompiler(): Promise<typeof Compiler> {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-'))
  await build({
    entryPoints: [join(import.meta.dirname, '../../src/hogql/compile.ts')],
    outfile: join(folder, 'compile.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  })
  const compiler = (await import(join(folder, 'compile.mjs'))) as typeof Compiler
  rmSync(folder, { recursive: true })
  return compiler
}
