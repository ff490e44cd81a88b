// Writes the script of the reference page to the folder that the Worker serves. It runs after installing. The script comes from Scalar's
// Fastify plugin, which contains all of it, because the script's own package has 270 dependencies.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const PACKAGE = '@scalar/fastify-api-reference'
const FILE = join(import.meta.dirname, '../../public/docs/scalar.js')

interface Route {
  url: string
  handler(request: unknown, reply: Reply): string
}

interface Reply {
  header(name: string, value: string): Reply
  send(content: string): string
}

const reply: Reply = { header: () => reply, send: (content) => content }

async function readScript(): Promise<string> {
  const { default: plugin } = (await import(PACKAGE)) as {
    default(server: object, options: object, done: () => void): void
  }
  const routes: Route[] = []
  plugin({ route: (route: Route) => routes.push(route) }, { configuration: { url: '/' } }, () => {})
  const route = routes.find(({ url }) => url.endsWith('.js'))
  if (route === undefined) throw new Error(`${PACKAGE} has changed: it no longer has a route for its script`)
  return route.handler({}, reply).replace(/\/\/# sourceMappingURL=.*\s*$/, '')
}

const installed = join(dirname(createRequire(import.meta.url).resolve(PACKAGE)), '../package.json')
const { version } = JSON.parse(readFileSync(installed, 'utf8')) as { version: string }
const banner = `/*! @scalar/api-reference ${version}, MIT License, https://github.com/scalar/scalar */\n`

if (!existsSync(FILE) || !readFileSync(FILE, 'utf8').startsWith(banner)) {
  // The file is replaced atomically, because other processes may read it.
  writeFileSync(`${FILE}.new`, banner + (await readScript()))
  renameSync(`${FILE}.new`, FILE)
}
