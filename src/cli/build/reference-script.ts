// After installing: puts the script of the reference page where the Worker serves it from. The package that it comes from is Scalar's plugin for
// another server, because that one carries the script whole: the script's own package brings 270 others along, which are inside of it already.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const PACKAGE = '@scalar/fastify-api-reference'
const FILE = join(import.meta.dirname, '../../docs/public/docs/scalar.js')

interface Route {
  url: string
  handler(request: unknown, reply: Reply): string
}

interface Reply {
  header(name: string, value: string): Reply
  send(content: string): string
}

const reply: Reply = { header: () => reply, send: (content) => content }

/** What the plugin answers with where it serves the script. */
async function scriptOf(): Promise<string> {
  const { default: plugin } = (await import(PACKAGE)) as {
    default(server: object, options: object, done: () => void): void
  }
  const routes: Route[] = []
  plugin({ route: (route: Route) => routes.push(route) }, { configuration: { url: '/' } }, () => {})
  const route = routes.find(({ url }) => url.endsWith('.js'))
  if (route === undefined) throw new Error(`${PACKAGE} does not serve its script as it did`)
  // Its map stays behind.
  return route.handler({}, reply).replace(/\/\/# sourceMappingURL=.*\s*$/, '')
}

const installed = join(dirname(createRequire(import.meta.url).resolve(PACKAGE)), '../package.json')
const { version } = JSON.parse(readFileSync(installed, 'utf8')) as { version: string }
const banner = `/*! @scalar/api-reference ${version}, MIT License, https://github.com/scalar/scalar */\n`

if (!existsSync(FILE) || !readFileSync(FILE, 'utf8').startsWith(banner)) {
  // Whole files only: somebody else may be reading.
  writeFileSync(`${FILE}.new`, banner + (await scriptOf()))
  renameSync(`${FILE}.new`, FILE)
}
