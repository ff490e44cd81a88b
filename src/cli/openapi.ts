// `npm run openapi` writes src/docs/public/openapi.json; with `--check` it only says whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { areas, sdkArea } from '../docs/areas'
import { glossary } from '../docs/glossary'
import { openApiDocument } from '../docs/openapi'

const FILE = join(import.meta.dirname, '../docs/public/openapi.json')

/** A line for each operation and schema: changes are read line by line. */
const DEPTH = 3

function textOf(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value)
  }
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}:${textOf(each, depth - 1)}`,
  )
  return `{\n${members.join(',\n')}\n}`
}

const document = `${textOf(openApiDocument(areas, sdkArea, glossary), DEPTH)}\n`

if (!process.argv.includes('--check')) writeFileSync(FILE, document)
else if (readFileSync(FILE, 'utf8') !== document) {
  process.stderr.write('src/docs/public/openapi.json is out of date: run `npm run openapi`\n')
  process.exit(1)
}
