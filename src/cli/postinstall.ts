// Makes the files that are derived from packages, which Git therefore does not have. It runs after installing.
import { globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readIfExists, ROOT } from './build/sources'
import { writeWhole } from './write-whole'

const PUBLIC = join(ROOT, 'src/public')
const require = createRequire(import.meta.url)

const versionIn = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

const withoutSourceMap = (code: string) => code.split(/^\/\/# sourceMappingURL=/m, 1)[0]!

/** Copies the script of posthog-js, and those that it loads by name, to the folder that the Worker serves. */
function copyBrowserSdk(): void {
  const installed = dirname(require.resolve('posthog-js/dist/array.js'))
  const banner = `/*! posthog-js ${versionIn(dirname(installed))}, MIT and Apache-2.0 Licenses, https://github.com/PostHog/posthog-js */\n`
  const read = (file: string) => readFileSync(join(installed, file), 'utf8')
  const code = read('array.js')
  const isLoaded = (file: string) => file !== 'main.js' && code.includes(`"${file.replace(/\.js$/, '')}"`)
  const files = readdirSync(installed).filter(
    (file) => file.endsWith('.js') && (file === 'array.js' || isLoaded(file)),
  )
  const folder = join(PUBLIC, 'static')
  for (const file of files) writeWhole(join(folder, file), banner + withoutSourceMap(read(file)), 0o644)
  for (const file of readdirSync(folder))
    if (!files.includes(file)) rmSync(join(folder, file), { recursive: true })
}

const REFERENCE = '@scalar/fastify-api-reference'

interface Route {
  url: string
  handler(request: unknown, reply: Reply): string
}

interface Reply {
  header(name: string, value: string): Reply
  send(content: string): string
}

/**
 * Writes the script of the reference page to the folder that the Worker serves. It comes from Scalar's Fastify plugin, which contains all of
 * it, because the script's own package has 270 dependencies.
 */
async function writeReferenceScript(): Promise<void> {
  const version = versionIn(join(dirname(require.resolve(REFERENCE)), '..'))
  const banner = `/*! @scalar/api-reference ${version}, MIT License, https://github.com/scalar/scalar */\n`
  const file = join(PUBLIC, 'docs/scalar.js')
  if (readIfExists(file)?.startsWith(banner)) return
  const { default: plugin } = (await import(REFERENCE)) as {
    default(server: object, options: object, done: () => void): void
  }
  const routes: Route[] = []
  plugin({ route: (route: Route) => routes.push(route) }, { configuration: { url: '/' } }, () => {})
  const route = routes.find(({ url }) => url.endsWith('.js'))
  if (route === undefined)
    throw new Error(`${REFERENCE} has changed: it no longer has a route for its script`)
  const reply: Reply = { header: () => reply, send: (content) => content }
  writeWhole(file, banner + withoutSourceMap(route.handler({}, reply)), 0o644)
}

/**
 * Installed files without use, which take 105 MB: headers for compilers, source maps, and files beside the scripts that the Worker serves.
 */
const UNUSED = [
  'node_modules/node-*/include',
  'node_modules/posthog-js/{lib,dist/*.map}',
  'node_modules/{lucide-react,miniflare}/**/*.map',
]

copyBrowserSdk()
await writeReferenceScript()
for (const path of globSync(UNUSED)) rmSync(path, { recursive: true })
