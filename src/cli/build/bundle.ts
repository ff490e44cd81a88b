// How large the service is: all of it, which a deployment uploads, and what an isolate evaluates before it answers its first request.
import { build } from 'esbuild'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { run } from './run-tool'

/** Bytes after gzip. */
export interface BundleSizes {
  /** Code, WebAssembly and text, as wrangler uploads them. */
  whole: number
  /** The code that starts: `src/index.ts` and what it imports, without what waits behind an `import()`. */
  start: number
}

/** Measures what wrangler would upload. */
export async function bundleSizes(): Promise<BundleSizes> {
  return { whole: uploadedBytes(), start: await startBytes() }
}

function uploadedBytes(): number {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-bundle-'))
  try {
    run('wrangler', 'deploy', '--dry-run', '--minify', '--outdir', folder)
    return readdirSync(folder)
      .filter((file) => /\.(js|wasm|bin|txt)$/.test(file))
      .reduce((total, file) => total + gzipSync(readFileSync(join(folder, file))).byteLength, 0)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Wrangler makes one file of everything, in which modules behind an `import()` are functions that nobody has called. To tell them apart, the same
 * bundler runs with the same options once more, and makes files of its own of them.
 */
async function startBytes(): Promise<number> {
  const { outputFiles, metafile } = await build({
    entryPoints: { start: 'src/index.ts' },
    outdir: '.',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:*', '*.wasm'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  const started = new Set(['start.js'])
  // A set grows while it is gone through: what is imported by what is imported comes last.
  for (const path of started) {
    for (const { kind, external, path: imported } of metafile.outputs[path]!.imports) {
      if (kind === 'import-statement' && !external) started.add(imported)
    }
  }
  const code = outputFiles.filter(({ path }) => started.has(path.slice(process.cwd().length + 1)))
  return gzipSync(Buffer.concat(code.map(({ contents }) => contents))).byteLength
}
