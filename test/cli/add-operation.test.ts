// One file and one line add an operation: routing, documentation, the tool and the security suite come from them.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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

let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'halyard-operation-'))
  for (const name of ['src', 'drizzle', 'migrations', 'test']) {
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    })
  }
  mkdirSync(join(copy, '.wrangler'))
  for (const name of ['package.json', 'tsconfig.json', 'vitest.config.ts', 'wrangler.toml', 'node_modules']) {
    symlinkSync(join(ROOT, name), join(copy, name))
  }
  writeFileSync(join(copy, 'src/flags/operations/ping.ts'), OPERATION)
  const index = readFileSync(join(copy, INDEX), 'utf8')
  writeFileSync(
    join(copy, INDEX),
    `import { pingOperation } from './ping'\n${index.replace('[\n', '[\n  pingOperation,\n')}`,
  )
})

afterAll(() => rmSync(copy, { recursive: true }))

it('is documented and a tool', async () => {
  await run('npx', ['tsx', 'src/cli/openapi.ts'], { cwd: copy })
  const read = (file: string) => JSON.parse(readFileSync(join(copy, 'src/public', file), 'utf8'))
  const described = read('openapi.json').paths['/api/projects/{project_id}/feature_flags/ping/'].get
  expect(described).toMatchObject({
    operationId: 'feature_flags_ping_retrieve',
    'x-required-scope': 'feature_flag:read',
    responses: { 200: {}, 401: {}, 403: {}, 404: {}, 429: {}, 503: {} },
  })
  expect(described['x-codeSamples'][0].source).toContain('/feature_flags/ping/')
  const tools = read('mcp.json') as { describes: { name: string } }[]
  expect(tools.map(({ describes }) => describes.name)).toContain('feature-flags-ping-retrieve')
})

it('is routed, and covered by the security suite', async () => {
  const { stdout } = await run(
    'npx',
    [
      'vitest',
      'run',
      '--project',
      'shared',
      'test/security/operations.test.ts',
      '-t',
      'feature_flags_ping_retrieve',
    ],
    { cwd: copy, env: { ...process.env, NO_COLOR: '1' } },
  )
  // Without credentials, unknown keys, inactive users, other scopes, and each sufficient scope.
  expect(stdout).toContain('6 passed')
}, 120_000)
