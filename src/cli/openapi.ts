import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation } from '../http/operation'
import type { SdkOperation } from '../sdk/operation'
import { runCommand } from './command'

const FOLDER = 'src'
const ROOT = join(import.meta.dirname, '../..')

/** Returns the texts of files by path. An operation, a schema or a tool has one line each, because changes are read line by line. */
async function generate(): Promise<Record<string, string>> {
  const { areas, sdkArea } = await import('../areas')
  const { collectDocs } = await import('../docs/collect')
  const { openApiDocument } = await import('../docs/openapi')
  const { flagFileSchema } = await import('../docs/flag-file-schema')
  const { toolCatalogue } = await import('../mcp/catalogue')
  const { withInsightOptions } = await import('../docs/insight-options')
  const { functionsGuide } = await import('../docs/functions-guide')
  const { withLimits } = await import('../docs/limits-guide')
  const { CALLS, CLICKHOUSE_ONLY, CLICKHOUSE_QUERIES, QUERIES } =
    await import('../../test/hogql/functions/cases')
  const docs = await collectDocs()
  const { withOperations } = await import('../docs/compatibility-table')
  const textOfGuide = (file: string) => readFileSync(join(ROOT, FOLDER, file), 'utf8')
  const guide = 'docs/guide/compatibility.md'
  const savedQueries = 'docs/guide/compatibility-saved-queries.md'
  const limits = 'docs/guide/limits.md'
  const openApi = openApiDocument(areas, sdkArea, docs)
  return {
    'public/openapi.json': `${textOf(openApi, 3)}\n`,
    'public/halyard.schema.json': `${textOf(flagFileSchema(schemasOf(openApi)), 2)}\n`,
    'public/mcp.json': `[\n${toolCatalogue(areas, sdkArea, docs)
      .map((tool) => JSON.stringify(tool))
      .join(',\n')}\n]\n`,
    'docs/guide/functions.md': functionsGuide({
      calls: [...Object.values(CALLS), CLICKHOUSE_ONLY].flat(),
      texts: [...QUERIES, ...CLICKHOUSE_QUERIES].map(({ sql }) => sql),
    }),
    'endpoints/materialization/checks-source.json': `${JSON.stringify(checksSource(), null, 2)}\n`,
    [guide]: withOperations(
      textOfGuide(guide),
      [...areas, sdkArea].map(({ tag, operations }) => {
        const file = `compatibility-${tag.toLowerCase().replace(' ', '-')}.md`
        return { operations: operations.map(callOf), file, text: textOfGuide(`docs/guide/${file}`) }
      }),
    ),
    [savedQueries]: withInsightOptions(textOfGuide(savedQueries)),
    [limits]: await withLimits(textOfGuide(limits), join(ROOT, FOLDER)),
  }
}

const CHECKS = 'src/endpoints/materialization/analysis'

/** The files that a reader looks for first. */
const FIRST = ['rules.ts', 'reasons.ts']

/** Returns the lines of the checks for materializing a query, by file. The Worker shows them, because its own code is minified. */
function checksSource(): Readonly<Record<string, readonly string[]>> {
  const names = globSync('*.ts', { cwd: join(ROOT, CHECKS) }).sort()
  return Object.fromEntries(
    [...new Set([...FIRST, ...names])]
      .map((name) => `${CHECKS}/${name}`)
      .map((path) => [path, readFileSync(join(ROOT, path), 'utf8').trimEnd().split('\n')]),
  )
}

/** Returns method and path. An operation of an SDK may have several methods, and has a main path. */
const callOf = (operation: Operation | SdkOperation) =>
  'paths' in operation
    ? { id: operation.id, call: `${operation.methods.join(', ').toUpperCase()} ${operation.paths[0]}` }
    : { id: operation.id, call: `${operation.method.toUpperCase()} ${operation.path}` }

const schemasOf = (document: object) =>
  (document as { components: { schemas: Record<string, Record<string, unknown>> } }).components.schemas

/** Writes JSON, with line breaks down to `depth`. */
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

Writes the OpenAPI document, the schema of halyard.json and the tools of /mcp from the operations, the operations and the options of insights into the compatibility guides, the limits of the
code into the page of limits, the guide's page of functions, and the source of the checks for materializing a query.

  --check   only says whether the files are up to date`

await runCommand(USAGE, { options: { check: { type: 'boolean', default: false } } }, async ({ values }) => {
  for (const [name, text] of Object.entries(await generate())) {
    const path = join(ROOT, FOLDER, name)
    if (!values.check) writeFileSync(path, text)
    else if (readFileSync(path, 'utf8') !== text) {
      process.stderr.write(`${FOLDER}/${name} is out of date: run \`npm run openapi\`\n`)
      process.exitCode = 1
    }
  }
})
