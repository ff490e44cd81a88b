// `npm run openapi` writes what is made of the operations: the OpenAPI document and the tools of `/mcp`. With
// `--check` it only says whether the files are up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { areas, sdkArea } from '../areas'
import { collectDocs } from '../docs/collect'
import { withLegacyDocs } from '../docs/legacy-docs'
import { openApiDocument } from '../docs/openapi'
import { toolCatalogue } from '../mcp/catalogue'
import { runCommand } from './command'

const FOLDER = 'src/docs'

/** By path. An operation, a schema, a tool has a line each: changes are read line by line. */
const FILES: Readonly<Record<string, string>> = {
  'public/openapi.json': `${textOf(openApiDocument(areas, sdkArea, docs), 3)}\n`,
  'public/mcp.json': `[\n${tools.map((tool) => JSON.stringify(tool)).join(',\n')}\n]\n`,
}

/** JSON, broken into lines as deep as `depth`. */
function textOf(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value)
  }
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}:${textOf(each, depth - 1)}`,
  )
  return `{\n${members.join(',\n')}\n}`
}

const USAGE = `npm run openapi [-- --check]

Writes the OpenAPI document, the tools of /mcp and the compatibility guide from the operations.

  --check   only says whether the files are up to date`

runCommand(USAGE, async () => {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  for (const [name, text] of Object.entries(await generate())) {
    const path = join(import.meta.dirname, '../..', FOLDER, name)
    if (!values.check) writeFileSync(path, text)
    else if (readFileSync(path, 'utf8') !== text) {
      process.stderr.write(`${FOLDER}/${name} is out of date: run \`npm run openapi\`\n`)
      process.exitCode = 1
    }
  }
})
