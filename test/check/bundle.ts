// Checks the size of the Worker's bundle, and of the code that an isolate evaluates before its first response.
import { build } from 'esbuild'
import { gzipSync } from 'node:zlib'
import { run } from './run-tool'

/** Design budgets in KB after gzip: one for the whole bundle, and one for the code that a request needs to start. */
const BUNDLE_BUDGET = 1_000
const START_BUDGET = 150

/** @throws Error above a budget */
export async function checkBundle(): Promise<void> {
  const [whole, { size: start, largest }] = [await uploadedSize(), await startSize()]
  const figures = `bundle: ${whole} KB of ${BUNDLE_BUDGET} gzipped, ${start.toFixed(1)} KB of ${START_BUDGET} to start`
  if (whole > BUNDLE_BUDGET) throw new Error(figures)
  if (start > START_BUDGET) {
    throw new Error(
      `${figures}. What a first response does not need can be behind an import(). Largest folders, minified:\n${largest.join('\n')}`,
    )
  }
  process.stdout.write(`${figures}\n`)
}

/** Returns the KB of code, WebAssembly and text, as wrangler uploads them. */
async function uploadedSize(): Promise<number> {
  const output = await run('wrangler deploy --dry-run --minify')
  return Math.ceil(Number(/gzip: ([\d.]+) KiB/.exec(output)![1]))
}

/**
 * Returns the KB of `src/index.ts` and its static imports, and the bytes of their largest folders. Wrangler bundles modules behind an `import()` into the same file, and the same
 * bundler separates them here.
 */
async function startSize(): Promise<{ size: number; largest: string[] }> {
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
  const size = gzipSync(Buffer.concat(code.map(({ contents }) => contents))).byteLength / 1024
  const folders = new Map<string, number>()
  for (const path of started) {
    for (const [input, { bytesInOutput }] of Object.entries(metafile.outputs[path]!.inputs)) {
      const folder = input
        .split('/')
        .slice(0, input.startsWith('src/') ? 3 : 2)
        .join('/')
      folders.set(folder, (folders.get(folder) ?? 0) + bytesInOutput)
    }
  }
  const largest = [...folders].toSorted(([, a], [, b]) => b - a).slice(0, 15)
  return { size, largest: largest.map(([folder, bytes]) => `${bytes} ${folder}`) }
}
