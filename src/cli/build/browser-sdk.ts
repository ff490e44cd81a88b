// Copies the script of posthog-js, and those that it loads by name, to the folder that the Worker serves. It runs after installing.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const PACKAGE = 'posthog-js'
const SCRIPT = 'array.js'
const FOLDER = join(import.meta.dirname, '../../public/static')

const installed = dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/dist/${SCRIPT}`))
const { version } = JSON.parse(readFileSync(join(installed, '../package.json'), 'utf8')) as {
  version: string
}
const banner = `/*! ${PACKAGE} ${version}, MIT and Apache-2.0 Licenses, https://github.com/PostHog/posthog-js */\n`
const read = (file: string) => readFileSync(join(installed, file), 'utf8')

const code = read(SCRIPT)
const files = readdirSync(installed).filter(
  (file) =>
    file === SCRIPT ||
    (file.endsWith('.js') && file !== 'main.js' && code.includes(`"${file.slice(0, -'.js'.length)}"`)),
)
mkdirSync(FOLDER, { recursive: true })
for (const file of readdirSync(FOLDER))
  if (!files.includes(file)) rmSync(join(FOLDER, file), { recursive: true })
for (const file of files) {
  // The file is replaced atomically, because other processes may read it.
  const path = join(FOLDER, file)
  writeFileSync(`${path}.new`, banner + read(file).replace(/\/\/# sourceMappingURL=.*\s*$/, ''))
  renameSync(`${path}.new`, path)
}
