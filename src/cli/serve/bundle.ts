// The Worker's bundle, as a deployment uploads it. It is made again when one of its sources has changed.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { LocalWorker } from '../local/worker-options'
import { hashOfFiles, ROOT } from '../build/sources'
import { runWrangler } from '../wrangler'

/** The folder of bundles. It belongs to the code, not to the folder that is served, so that folders with the same code share a bundle. */
const FOLDER = join(ROOT, '.dev/bundles')

/** Sources of every bundle. Dependencies are identified by their versions. */
const ALWAYS = ['package-lock.json', 'tsconfig.json']

const META = 'bundle-meta.json'
const STAMP = 'sources.json'

interface Stamp {
  files: string[]
  hash: string
}

/**
 * Bundles the Worker of the current folder.
 * @param onBuild is called before a build, which takes some seconds
 * @returns the folder with `index.js` and the modules that it imports
 */
export async function bundleWorker(
  { bundling }: LocalWorker,
  onBuild: () => void = () => {},
): Promise<string> {
  const folder = join(FOLDER, createHash('sha256').update(bundling).digest('hex').slice(0, 16))
  const stamp = readStamp(folder)
  if (stamp && stamp.hash === hashOfFiles(stamp.files)) return folder
  onBuild()
  const fresh = `${folder}-${process.pid}`
  mkdirSync(FOLDER, { recursive: true })
  try {
    await runWrangler(['deploy', '--dry-run', '--minify', '--outdir', fresh, '--metafile', join(fresh, META)])
    const files = [...sourcesIn(join(fresh, META)), ...ALWAYS]
    writeFileSync(join(fresh, STAMP), JSON.stringify({ files, hash: hashOfFiles(files) } satisfies Stamp))
    replace(folder, fresh)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return folder
}

function replace(folder: string, fresh: string): void {
  rmSync(folder, { recursive: true, force: true })
  try {
    renameSync(fresh, folder)
  } catch (error) {
    // Another process has bundled the same sources.
    if (!readStamp(folder)) throw error
  }
}

function readStamp(folder: string): Stamp | null {
  try {
    return JSON.parse(readFileSync(join(folder, STAMP), 'utf8')) as Stamp
  } catch {
    return null
  }
}

/** Returns the project's own files that the bundler read. */
function sourcesIn(metafile: string): string[] {
  const { inputs } = JSON.parse(readFileSync(metafile, 'utf8')) as { inputs: Record<string, unknown> }
  return Object.keys(inputs)
    .map((path) => resolve(path))
    .filter((path) => existsSync(path))
    .map((path) => relative(ROOT, realpathSync(path)))
    .filter((path) => !path.startsWith('..') && !path.includes('node_modules'))
    .sort()
}
