// Every operation of the specification, its responses checked against the specification's tables.
import * as z from 'zod'
import { beforeAll, describe, expect, it } from 'vitest'
import { areas } from '../../src/areas'
import type { Operation } from '../../src/http/operation'
import compatibility from '../../src/docs/guide/compatibility.md?raw'
import { ABSENT } from '../security/call'
import type { TestResponse } from '../support/harness'
import { accountSpec } from './account'
import { envelope, errorText, NULL_WITHOUT_VALUE, WRITE_ONLY } from './fields'
import { flagSpec } from './flags'
import type { SpecOperation } from './operations'
import { savedQuerySpec } from './saved-queries'
import { violations } from './violations'
import { createWorld, pathWith, requestFor, type World } from './world'

const spec: readonly SpecOperation[] = [...flagSpec, ...accountSpec, ...savedQuerySpec]
const operations = areas.flatMap((area) => area.operations)

const nameOf = ({ method, path }: Pick<SpecOperation, 'method' | 'path'>) => `${method.toUpperCase()} ${path}`
const served = new Map(operations.map((operation) => [nameOf(operation), operation]))
const cases = spec.map((each) => ({ ...each, name: nameOf(each), operation: served.get(nameOf(each))! }))

let world: World
beforeAll(async () => {
  world = await createWorld()
}, 60_000)

type Credentials = 'own' | 'none' | 'unscoped'

/** Sends a request as its operation takes it: with a key, or a session. */
async function send(
  { method, scope }: Operation,
  path: string,
  { body, raw, as = 'own' }: { body?: unknown; raw?: string; as?: Credentials },
): Promise<TestResponse> {
  const { tenant, browser } = world
  const { key } = as === 'unscoped' ? await tenant.withKey({ scopes: ['none:read'] }) : tenant
  const headers: Record<string, string> =
    as === 'none' ? {} : scope === null ? browser.headers : { Authorization: `Bearer ${key}` }
  return tenant.send(method.toUpperCase(), path, {
    headers: { ...headers, ...(raw === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(raw === undefined ? (body === undefined ? {} : { body }) : { raw }),
  })
}

describe('the list of operations', () => {
  it('has all 59, each once, with a table for its response', () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(59)
    expect(cases.filter(({ operation }) => !operation).map(({ name }) => name)).toEqual([])
  })

  it.each(cases)('$name needs the scope $scope', ({ operation, scope }) => {
    expect(operation.scope).toBe(scope)
  })
})

describe.each(cases)('$name', ({ operation, success: [status, schema], missing = envelope }) => {
  it(`responds with ${status} and the fields of the specification`, async () => {
    const { path, body } = await requestFor(operation, world)
    const response = await send(operation, path, { body })
    expect([response.status, violations(schema, response.body)]).toEqual([status, []])
  })

  it('responds with 401 and the envelope without credentials', async () => {
    const { path, body } = await requestFor(operation, world)
    const response = await send(operation, path, { body, as: 'none' })
    expect([response.status, violations(envelope, response.body)]).toEqual([401, []])
  })

  it.runIf(operation.scope)('responds with 403 and the envelope without the scope', async () => {
    const { path, body } = await requestFor(operation, world)
    const response = await send(operation, path, { body, as: 'unscoped' })
    expect([response.status, violations(envelope, response.body)]).toEqual([403, []])
  })

  it.runIf(operation.body)('responds with 400 to malformed JSON', async () => {
    const { path } = await requestFor(operation, world)
    const response = await send(operation, path, { raw: '{"a": ' })
    const form = operation.errorForm === 'error' ? errorText : envelope
    expect([response.status, violations(form, response.body)]).toEqual([400, []])
  })

  const thing = /:(id|name|session_id)\b/.exec(operation.path)?.[1]
  it.runIf(thing && status < 300)('responds with 404 for an unknown object', async () => {
    const { params, body } = await requestFor(operation, world)
    const absent = thing === 'session_id' ? crypto.randomUUID() : thing === 'name' ? 'absent' : ABSENT
    const response = await send(operation, pathWith(operation.path, { ...params, [thing!]: absent }), {
      body,
    })
    expect([response.status, violations(missing, response.body)]).toEqual([404, []])
  })
})

describe('the table of errors', () => {
  const flags = () => world.tenant.flags()
  const cases400: [string, () => Promise<TestResponse>, number, z.ZodType | null][] = [
    [
      'test_evaluation, invalid parameters',
      () => world.tenant.post(`${flags()}${world.flag}/test_evaluation/`, {}),
      400,
      errorText,
    ],
    [
      'test_evaluation, person not found',
      () => world.tenant.post(`${flags()}${world.flag}/test_evaluation/`, { person_id: crypto.randomUUID() }),
      404,
      z.strictObject({ error: z.string(), detail: z.string() }),
    ],
    [
      'bulk_delete, both',
      () => world.tenant.post(`${flags()}bulk_delete/`, { ids: [1], filters: { active: 'true' } }),
      400,
      errorText,
    ],
    ['bulk_delete, neither', () => world.tenant.post(`${flags()}bulk_delete/`, {}), 400, errorText],
    [
      'bulk_delete, unknown filter keys',
      () => world.tenant.post(`${flags()}bulk_delete/`, { filters: { colour: 'red' } }),
      400,
      errorText,
    ],
    [
      'bulk_keys, invalid flag ids',
      () => world.tenant.post(`${flags()}bulk_keys/`, { ids: ['x'] }),
      400,
      errorText,
    ],
    [
      'version, remote configuration',
      async () => {
        const { id } = await world.tenant.flag({ is_remote_configuration: true })
        return world.tenant.get(`${flags()}${id}/versions/1/`)
      },
      400,
      null,
    ],
    ['version, not found', () => world.tenant.get(`${flags()}${world.flag}/versions/99/`), 404, null],
    ['activity, flag not found', () => world.tenant.get(`${flags()}${ABSENT}/activity/`), 404, null],
    ['flag DELETE', () => world.tenant.delete(`${flags()}${world.flag}/`), 405, null],
  ]

  it.each(cases400)('%s', async (_, call, status, schema) => {
    const response = await call()
    expect([response.status, violations(schema, response.body)]).toEqual([status, []])
  })
})

describe('the compatibility page', () => {
  /** The sentence that begins with `start`, up to its reason. */
  const sentence = (start: string) => {
    const text = compatibility.replaceAll(/\s+/g, ' ')
    const at = text.indexOf(start)
    expect(at, `the page says "${start}"`).toBeGreaterThan(-1)
    return text.slice(at, text.indexOf(' _', at))
  }
  const namesIn = (start: string) => [...sentence(start).matchAll(/`(\w+)`/g)].map(([, name]) => name!)
  const fieldsOf = (table: Readonly<Record<string, readonly string[]>>) => [
    ...new Set(Object.values(table).flat()),
  ]

  it('names the fields that are null where the specification names a type only', () => {
    expect(namesIn('Null without a value').sort()).toEqual(fieldsOf(NULL_WITHOUT_VALUE).sort())
  })

  it('names the fields that are only sent', () => {
    expect(namesIn('Only sent, never shown').sort()).toEqual(fieldsOf(WRITE_ONLY).sort())
  })
})
