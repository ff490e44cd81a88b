// `npm run openapi` writes what is made of the operations: the OpenAPI document, and the tools of `/mcp`. With `--check` it only says
// whether the files are up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { areas, sdkArea } from '../docs/areas'
import { glossary } from '../docs/glossary'
import { openApiDocument } from '../docs/openapi'
import { toolCatalogue } from '../mcp/catalogue'

const FOLDER = 'src/docs/public'

/** Changes are read line by line: how deep what is written is broken into lines. An operation, a schema, a tool has one each. */
const FILES: [name: string, content: unknown, depth: number][] = [
  ['openapi.json', openApiDocument(areas, sdkArea, glossary), 3],
  ['mcp.json', toolCatalogue(areas, glossary), 1],
]

function textOf(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    return depth === 1
      ? `[\n${value.map((each) => JSON.stringify(each)).join(',\n')}\n]`
      : JSON.stringify(value)
  }
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}:${textOf(each, depth - 1)}`,
  )
  return `{\n${members.join(',\n')}\n}`
}

for (const [name, content, depth] of FILES) {
  const path = join(import.meta.dirname, '../..', FOLDER, name)
  const text = `${textOf(content, depth)}\n`
  if (!process.argv.includes('--check')) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    process.stderr.write(`${FOLDER}/${name} is out of date: run \`npm run openapi\`\n`)
    process.exitCode = 1
  }
}
