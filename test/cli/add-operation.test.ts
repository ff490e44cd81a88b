// One file and one line add an operation: documentation, the tool and the list that routing and the security suite read come from them.
// Three files and a migration add a field of a flag: records, writes, the activity log and documentation follow.
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const INDEX = 'src/flags/operations/index.ts'

const OPERATION = `import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'

export const pingOperation = operation({
  id: 'feature_flags_ping_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/ping/',
  summary: 'Ping',
  scope: 'feature_flag:read',
  responses: { 200: z.object({ pong: z.boolean() }) },
  handle: async () => ({ pong: true }),
})

export const pingDocs = (): OperationDocs => ({
  response: { description: 'A sign of life.', fields: { pong: 'Always true.' }, example: { pong: true } },
})
`

/** By file: a line, and the line for the new field after it. */
const FIELD: Record<string, [after: string, added: string][]> = {
  'drizzle/flags.ts': [
    [
      "    hasEnrichedAnalytics: boolean('has_enriched_analytics').default(false),",
      "    isSample: boolean('is_sample').default(false),",
    ],
  ],
  'src/flag-fields.ts': [
    [
      "    meaning: 'Stored as sent, without effect. False once the flag is enabled.',\n    facets: ['log'],\n  },",
      `  is_sample: {
    initial: false,
    label: 'Sample',
    meaning: 'Whether the flag is a sample.',
    facets: ['log'],
  },`,
    ],
  ],
  'src/flags/schema.ts': [
    ['  has_enriched_analytics: boolean().nullable(),', '  is_sample: boolean().nullable(),'],
    ['    has_enriched_analytics: z.boolean().nullable(),', '    is_sample: z.boolean().nullable(),'],
  ],
}

/** What writes, the log and the security suite take the field and the operation from; the documents do not show these. */
const DERIVED = `
import { areas } from './src/areas'
import { changedColumns, diffOf, NEW_FLAG, sentFields } from './src/flags/state'

const state = (is_sample: boolean) =>
  ({ ...NEW_FLAG, ...sentFields({ is_sample }), created_at: '2026-03-10T12:00:00.000000Z', last_called_at: null })
const ids = areas.flatMap(({ operations }) => operations.map(({ id }) => id))
const [before, after] = [state(true) as never, state(false) as never]
console.log(JSON.stringify({
  isListed: ids.includes('feature_flags_ping_retrieve'),
  columns: changedColumns(before, after, {} as never),
  changes: diffOf(before, after),
}))
`

let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'halyard-operation-'))
  for (const name of ['src', 'drizzle', 'test']) {
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    })
  }
  for (const name of ['package.json', 'tsconfig.json', 'migrations', 'wrangler.toml', 'node_modules']) {
    symlinkSync(join(ROOT, name), join(copy, name))
  }
  writeFileSync(join(copy, 'src/flags/operations/ping.ts'), OPERATION)
  const index = readFileSync(join(copy, INDEX), 'utf8')
  writeFileSync(
    join(copy, INDEX),
    `import { pingOperation } from './ping'\n${index.replace('[\n', '[\n  pingOperation,\n')}`,
  )
  for (const [file, lines] of Object.entries(FIELD)) {
    let text = readFileSync(join(copy, file), 'utf8')
    for (const [after, added] of lines) {
      expect(text).toContain(`\n${after}\n`)
      text = text.replace(`\n${after}\n`, `\n${after}\n${added}\n`)
    }
    writeFileSync(join(copy, file), text)
  }
})

afterAll(() => rmSync(copy, { recursive: true }))

it('is documented, and the operation is a tool', { timeout: 240_000 }, async () => {
  await run('npx', ['tsx', 'src/cli/openapi.ts'], { cwd: copy })
  const read = (file: string) => JSON.parse(readFileSync(join(copy, 'src/public', file), 'utf8'))
  const described = read('openapi.json').paths['/api/projects/{project_id}/feature_flags/ping/'].get
  expect(described).toMatchObject({
    operationId: 'feature_flags_ping_retrieve',
    'x-required-scope': 'feature_flag:read',
    responses: { 200: {}, 401: {}, 403: {}, 404: {}, 429: {}, 503: {} },
  })
  const { FeatureFlag } = read('openapi.json').components.schemas
  expect(FeatureFlag.properties.is_sample.description).toBe('Whether the flag is a sample.')
  expect(described['x-codeSamples'][0].source).toContain('/feature_flags/ping/')
  const tools = read('mcp.json') as { describes: { name: string } }[]
  expect(tools.map(({ describes }) => describes.name)).toContain('feature-flags-ping-retrieve')
})

it('is what writes, the log and the security suite derive from', async () => {
  writeFileSync(join(copy, 'derived.ts'), DERIVED)
  const { stdout } = await run('npx', ['tsx', 'derived.ts'], { cwd: copy })
  expect(JSON.parse(stdout)).toEqual({
    isListed: true,
    columns: { isSample: false },
    changes: [{ type: 'FeatureFlag', action: 'changed', field: 'is_sample', before: true, after: false }],
  })
})
