// Clients that are generated from /openapi.json compile under `strict`, and call the service.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { generate } from 'orval'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

const { url, projectId, personalApiKey } = inject('served')

// Next to this file, so that the clients find their runtimes.
const folder = mkdtempSync(join(import.meta.dirname, '.generated-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const DOCUMENT = join(folder, 'openapi.json')
const QUERY = `{ kind: 'HogQLQuery', query: 'SELECT 1 AS one' }`

/** Code that makes ten calls with each client, and returns what they return. */
const CALLS: Record<string, string> = {
  'openapi-fetch': `
import createClient from 'openapi-fetch'
import type { paths } from './schema'

export async function run(baseUrl: string, project_id: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: 'Bearer ' + key } })
  const FLAGS = '/api/projects/{project_id}/feature_flags/'
  const ENDPOINTS = '/api/projects/{project_id}/endpoints/'
  const created = await client.POST(FLAGS, {
    params: { path: { project_id } },
    body: { key: 'generated-fetch', filters: { groups: [{ properties: [], rollout_percentage: 50 }] } },
  })
  const id = created.data!.id
  const listed = await client.GET(FLAGS, { params: { path: { project_id }, query: { search: 'generated-fetch' } } })
  const path = { project_id, id }
  const read = await client.GET(\`\${FLAGS}{id}/\`, { params: { path } })
  const changed = await client.PATCH(\`\${FLAGS}{id}/\`, { params: { path }, body: { active: false } })
  const status = await client.GET(\`\${FLAGS}{id}/status/\`, { params: { path } })
  const name = 'generated-fetch'
  await client.POST(ENDPOINTS, { params: { path: { project_id } }, body: { name, query: ${QUERY} } })
  const ran = await client.POST(\`\${ENDPOINTS}{name}/run/\`, { params: { path: { project_id, name } }, body: { limit: 1 } })
  const removed = await client.DELETE(\`\${ENDPOINTS}{name}/\`, { params: { path: { project_id, name } } })
  const ownKey = await client.GET('/api/personal_api_keys/{id}/', { params: { path: { id: '@current' } } })
  const user = await client.GET('/api/users/{uuid}/', { params: { path: { uuid: '@me' } } })
  return {
    count: listed.data!.count,
    key: read.data!.key,
    active: changed.data!.active,
    status: status.data!.status,
    rows: ran.data!.results,
    removed: removed.response.status,
    ownKey: ownKey.data!.id,
    user: user.data!.id,
  }
}`,
  orval: `
import * as api from './orval'

export async function run(_baseUrl: string, project: string, key: string) {
  const options = { headers: { Authorization: 'Bearer ' + key } }
  const created = await api.featureFlagsCreate(
    project,
    { key: 'generated-orval', filters: { groups: [{ properties: [], rollout_percentage: 50 }] } },
    options,
  )
  if (created.status !== 201) throw new Error(JSON.stringify(created.data))
  const { id } = created.data
  const listed = await api.featureFlagsList(project, { search: 'generated-orval' }, options)
  const read = await api.featureFlagsRetrieve(project, id, options)
  const changed = await api.featureFlagsPartialUpdate(project, id, { active: false }, options)
  const status = await api.featureFlagsStatusRetrieve(project, id, options)
  const name = 'generated-orval'
  await api.endpointsCreate(project, { name, query: ${QUERY} }, options)
  const ran = await api.endpointsRunCreate(project, name, { limit: 1 }, undefined, options)
  const removed = await api.endpointsDestroy(project, name, options)
  const ownKey = await api.personalApiKeysRetrieve('@current', options)
  const user = await api.usersRetrieve('@me', options)
  if (listed.status !== 200 || read.status !== 200 || changed.status !== 200 || status.status !== 200) throw new Error()
  if (ran.status !== 200 || ownKey.status !== 200 || user.status !== 200) throw new Error(JSON.stringify(ran.data))
  return {
    count: listed.data.count,
    key: read.data.key,
    active: changed.data.active,
    status: status.data.status,
    rows: ran.data.results,
    removed: removed.status,
    ownKey: ownKey.data.id,
    user: user.data.id,
  }
}`,
  'hey-api': `
import * as api from './hey'
import { client } from './hey/client.gen'

export async function run(baseUrl: string, project_id: string, key: string) {
  client.setConfig({ baseUrl, headers: { Authorization: 'Bearer ' + key } })
  const created = await api.featureFlagsCreate({
    path: { project_id },
    body: { key: 'generated-hey', filters: { groups: [{ properties: [], rollout_percentage: 50 }] } },
    throwOnError: true,
  })
  const path = { project_id, id: created.data.id }
  const listed = await api.featureFlagsList({ path: { project_id }, query: { search: 'generated-hey' }, throwOnError: true })
  const read = await api.featureFlagsRetrieve({ path, throwOnError: true })
  const changed = await api.featureFlagsPartialUpdate({ path, body: { active: false }, throwOnError: true })
  const status = await api.featureFlagsStatusRetrieve({ path, throwOnError: true })
  const name = 'generated-hey'
  await api.endpointsCreate({ path: { project_id }, body: { name, query: ${QUERY} }, throwOnError: true })
  const ran = await api.endpointsRunCreate({ path: { project_id, name }, body: { limit: 1 }, throwOnError: true })
  const removed = await api.endpointsDestroy({ path: { project_id, name }, throwOnError: true })
  const ownKey = await api.personalApiKeysRetrieve({ path: { id: '@current' }, throwOnError: true })
  const user = await api.usersRetrieve({ path: { uuid: '@me' }, throwOnError: true })
  return {
    count: listed.data.count,
    key: read.data.key,
    active: changed.data.active,
    status: status.data.status,
    rows: ran.data.results,
    removed: removed.response.status,
    ownKey: ownKey.data.id,
    user: user.data.id,
  }
}`,
}

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2024',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: [],
}

const fileOf = (name: string) => join(folder, `calls-${name}.ts`)

beforeAll(async () => {
  const document = await (await fetch(`${url}/openapi.json`)).text()
  writeFileSync(DOCUMENT, document)
  writeFileSync(join(folder, 'schema.d.ts'), astToString(await openapiTypescript(document)))
  await generate({
    input: DOCUMENT,
    output: { target: join(folder, 'orval.ts'), client: 'fetch', mode: 'single', baseUrl: url },
  })
  mkdirSync(join(folder, 'hey'))
  await createClient({
    input: DOCUMENT,
    output: join(folder, 'hey'),
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  })
  for (const [name, code] of Object.entries(CALLS)) writeFileSync(fileOf(name), code)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['./**/*.ts'] }),
  )
})

describe('clients generated from /openapi.json', () => {
  it('compile under strict', () => {
    const compile = () =>
      execFileSync(join(import.meta.dirname, '../../node_modules/.bin/tsc'), ['-p', folder], {
        encoding: 'utf8',
      })
    let faults: string
    try {
      faults = compile()
    } catch (error) {
      faults = (error as { stdout: string }).stdout
    }
    expect(faults).toBe('')
  })

  it.each(Object.keys(CALLS))('call the service: %s', async (name) => {
    const { run } = (await import(/* @vite-ignore */ fileOf(name))) as {
      run(baseUrl: string, project: string, key: string): Promise<unknown>
    }
    expect(await run(url, String(projectId), personalApiKey)).toEqual({
      count: 1,
      key: expect.stringMatching(/^generated-/),
      active: false,
      status: expect.any(String),
      rows: [[1]],
      removed: 204,
      ownKey: expect.any(String),
      user: expect.any(Number),
    })
  })
})
