// Measures the Worker's bundle, and the code that an isolate evaluates before its first response.
import { build } from 'esbuild'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { run } from './run-tool'

/** Bytes after gzip. */
export interface BundleSizes {
  /** Bytes of code, WebAssembly and text, as wrangler uploads them. */
  whole: number
  /** Bytes of `src/index.ts` and its static imports. */
  start: number
}

export async function bundleSizes(): Promise<BundleSizes> {
  return { whole: await uploadedBytes(), start: await startBytes() }
}

async function uploadedBytes(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-bundle-'))
  try {
    await run('wrangler', 'deploy', '--dry-run', '--minify', '--outdir', folder)
    return readdirSync(folder)
      .filter((file) => /\.(js|wasm|bin|txt)$/.test(file))
      .reduce((total, file) => total + gzipSync(readFileSync(join(folder, file))).byteLength, 0)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Returns the bytes that a start needs. Wrangler bundles modules behind an `import()` into the same file, and the same bundler separates
 * them here.
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
  // The set grows while it is iterated, so that imports of imports follow.
  for (const path of started) {
    for (const { kind, external, path: imported } of metafile.outputs[path]!.imports) {
      if (kind === 'import-statement' && !external) started.add(imported)
    }
  }
  const code = outputFiles.filter(({ path }) => started.has(path.slice(process.cwd().length + 1)))
  return gzipSync(Buffer.concat(code.map(({ contents }) => contents))).byteLength
}
