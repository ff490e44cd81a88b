// Builds the console when its sources have changed since the last build, or serves it with hot reload.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOfSources, readIfExists, ROOT } from './sources'

const SOURCES = [
  'src/console/**/*.{ts,tsx,css,html,json}',
  'src/public/assets/tokens.css',
  'package-lock.json',
]
const CONFIG = join(ROOT, 'src/console/vite.config.ts')
const FOLDER = join(ROOT, 'src/public/console')
/** The stamp is next to the files, so that it is deleted with them. */
const STAMP = join(FOLDER, 'sources.txt')

/** @param onBuild is called before a build, which takes some seconds */
export async function buildConsole(onBuild: () => void = () => {}): Promise<void> {
  const sources = hashOfSources(SOURCES)
  if (readIfExists(STAMP) === sources) return
  onBuild()
  // The build has its own folder, because a server may serve the other one, or another process may build.
  const fresh = join(ROOT, `node_modules/.console-${process.pid}`)
  const { build } = await import('vite')
  const { NODE_ENV } = process.env
  // Vite takes this for the mode, also when tests have set it.
  process.env.NODE_ENV = 'production'
  try {
    await build({
      configFile: CONFIG,
      logLevel: 'warn',
      mode: 'production',
      build: { outDir: fresh },
    })
    writeFileSync(join(fresh, 'sources.txt'), sources)
    mkdirSync(FOLDER, { recursive: true })
    const old = `${fresh}-old`
    renameSync(FOLDER, old)
    renameSync(fresh, FOLDER)
    rmSync(old, { recursive: true })
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
    rmSync(fresh, { recursive: true, force: true })
  }
}

/**
 * Serves the console with hot reload in front of a Worker, until the process ends.
 * @param url of the Worker
 */
export async function serveConsole(url: string, port: number): Promise<void> {
  process.env.HALYARD_URL = url
  const { createServer } = await import('vite')
  const server = await createServer({
    configFile: CONFIG,
    server: { port, strictPort: true },
  })
  await server.listen()
  server.printUrls()
}
