// After installing: writes the script of the reference page to the folder that the Worker serves. It comes from Scalar's Fastify plugin, which
// contains it whole: the script's own package has 270 dependencies.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'

const PACKAGE = '@scalar/fastify-api-reference'
const FILE = join(import.meta.dirname, '../../public/docs/scalar.js')

const source = createRequire(import.meta.url).resolve(PACKAGE)

/** The plugin has the script as a literal. Importing the plugin would need packages that are left out. */
function readScript(): string {
  const literal = /^var standalone_default = (".*");$/m.exec(readFileSync(source, 'utf8'))?.[1]
  if (literal === undefined)
    throw new Error(`${PACKAGE} has changed: it no longer has its script as a literal`)
  return (runInNewContext(literal) as string).replace(/\/\/# sourceMappingURL=.*\s*$/, '')
}

const { version } = JSON.parse(readFileSync(join(dirname(source), '../package.json'), 'utf8')) as {
  version: string
}
const banner = `/*! @scalar/api-reference ${version}, MIT License, https://github.com/scalar/scalar */\n`

if (!existsSync(FILE) || !readFileSync(FILE, 'utf8').startsWith(banner)) {
  // Atomically: other processes may read.
  writeFileSync(`${FILE}.new`, banner + readScript())
  renameSync(`${FILE}.new`, FILE)
}
