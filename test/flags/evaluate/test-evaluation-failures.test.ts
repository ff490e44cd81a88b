// The spec's table of errors, each response brought about by the fault that it is for.
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { event, sendEach } from '../../support/capture'
import { dependsOn, inCohort, open, where } from '../../support/filters'
import { seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { cohort } from '../../support/database/rows'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { withBatch } from '../../project/support'
import { responseTo, failed, person, tested } from './support'

const USER = { distinct_id: 'user-1' }
const PAST = { ...USER, timestamp: '2026-03-10T12:30:00Z' }
const NOBODY = '00000000-0000-7000-8000-000000000000'

async function tenantWithFlag(filters = open()) {
  const tenant = await createTenant()
  const flag = await tenant.flag({ key: 'beta', filters })
  return { tenant, flag }
}

/** Of tests that change nothing. */
let shared: { tenant: Tenant; flag: { id: number } }
beforeAll(async () => {
  shared = await tenantWithFlag()
})

describe('400', () => {
  const notText = 'Not a valid string.'
  it.each<[string, unknown, string]>([
    ['nobody', {}, 'Either distinct_id or person_id must be provided'],
    ['two', { ...USER, person_id: NOBODY }, 'Cannot provide both distinct_id and person_id'],
    ['a blank distinct_id', { distinct_id: ' ' }, 'distinct_id: This field may not be blank.'],
    ['a blank person_id', { person_id: '' }, 'person_id: This field may not be blank.'],
    ['a distinct_id of null', { distinct_id: null }, 'distinct_id: This field may not be null.'],
    ['a distinct_id that is no text', { distinct_id: ['x'] }, `distinct_id: ${notText}`],
    ['a person_id that is no text', { person_id: {} }, `person_id: ${notText}`],
    ['a timestamp that is no date', { ...USER, timestamp: 'yesterday' }, 'Invalid timestamp format.'],
    ['a timestamp of nothing', { ...USER, timestamp: '' }, 'Invalid timestamp format.'],
    ['a day that does not exist', { ...USER, timestamp: '2026-02-30' }, 'Invalid timestamp format.'],
    ['a timestamp that is no text', { ...USER, timestamp: 5 }, `timestamp: ${notText}`],
    [
      'a timestamp more than a day in the future',
      { ...USER, timestamp: '2026-03-11T12:01:00Z' },
      'timestamp is more than a day in the future: flags and people of that time are not known.',
    ],
    [
      'properties of the person',
      { ...USER, person_properties: { plan: 'paid' } },
      'person_properties has no effect: the stored person and groups are evaluated.',
    ],
    [
      'properties of groups',
      { ...USER, group_properties: {} },
      'group_properties has no effect: the stored person and groups are evaluated.',
    ],
    [
      'a group whose key is a list',
      { ...USER, groups: { company: ['a'] } },
      "The key of the group 'company' must be text or a number.",
    ],
    ['groups in a list', { ...USER, groups: [] }, 'groups: Expected an object but got a list.'],
    ['groups of null', { ...USER, groups: null }, 'groups: This field may not be null.'],
    ['a body in a list', [USER], 'Invalid data. Expected an object, but got a list.'],
  ])('for %s', async (_, body, error) => {
    const { tenant, flag } = shared
    expect(await tested(tenant, flag, body)).toEqual(failed(400, error))
  })
})

describe('a body that cannot be read', () => {
  // test/security/envelope tries bodies that are too large or of another type, for every operation.
  it('is a 400 in the words of the other failures', async () => {
    const { tenant, flag } = shared
    const headers = { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' }
    const path = tenant.flags(`${flag.id}/test_evaluation`)
    const response = await tenant.send('POST', path, { raw: '{"distinct_id": ', headers })
    expect(seen(response)).toEqual(failed(400, expect.stringMatching(/^JSON parse error - /)))
  })
})

describe('404', () => {
  const NOT_FOUND = {
    status: 404,
    body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
  }

  it('for a flag that does not exist, or is of another project', async () => {
    const { tenant } = shared
    const other = await createTenant()
    const foreign = await other.flag()
    for (const body of [USER, PAST]) {
      expect(await tested(tenant, { id: 999_999_999 }, body)).toEqual(NOT_FOUND)
      expect(await tested(tenant, foreign, body)).toEqual(NOT_FOUND)
    }
  })

  it.each([NOBODY, 'not-a-uuid', "'; --"])('for the person %s, under both names', async (personId) => {
    const { tenant, flag } = shared
    const text = `Person not found for person_id: ${personId}`
    const missing = { status: 404, body: { error: text, detail: text } }
    expect(await tested(tenant, flag, { person_id: personId })).toEqual(missing)
    expect(await tested(tenant, flag, { ...PAST, distinct_id: undefined, person_id: personId })).toEqual(
      missing,
    )
  })
})

describe('500', () => {
  const RESOLVE = failed(500, 'Failed to resolve person')
  const EVALUATE = failed(500, 'Failed to evaluate flag')
  const REBUILD = failed(500, 'Failed to reconstruct flag at specified timestamp.')
  const PREPARE = failed(500, 'Failed to prepare historical flag definition for evaluation.')

  it.each(['not JSON', '[1]', '"text"'])('for a person whose properties are %s', async (text) => {
    const { tenant, flag } = await tenantWithFlag()
    const { id, uuid } = await person(tenant, {}, 'user-1')
    await database().run(sql`UPDATE persons SET properties = ${text} WHERE id = ${id}`)
    expect(await tested(tenant, flag, USER)).toEqual(RESOLVE)
    expect(await tested(tenant, flag, { person_id: uuid })).toEqual(RESOLVE)
  })

  it('for a group whose properties do not parse', async () => {
    const { tenant, flag } = await tenantWithFlag()
    const group = { $group_type: 'company', $group_key: 'acme', $group_set: { tier: 'gold' } }
    await sendEach(tenant, [event('user-1', group, '$groupidentify')])
    await database().run(sql`UPDATE groups SET properties = '{' WHERE project_id = ${tenant.projectId}`)
    expect(await tested(tenant, flag, { ...USER, groups: { company: 'acme' } })).toEqual(RESOLVE)
    expect((await tested(tenant, flag, { ...USER, groups: { company: 'other' } })).status).toBe(200)
  })

  it.each([
    ['{', REBUILD],
    ['{"groups": 5}', PREPARE],
    ['{"groups": [{"properties": [{"key": "a", "operator": "wild"}]}]}', PREPARE],
  ])('for a flag whose filters are %s', async (filters, past) => {
    const { tenant, flag } = await tenantWithFlag()
    await database().run(sql`UPDATE feature_flags SET filters = ${filters} WHERE id = ${flag.id}`)
    expect(await tested(tenant, flag, USER)).toEqual(EVALUATE)
    expect(await tested(tenant, flag, PAST)).toEqual(past)
  })

  it.each(['{', '{"properties": {"type": "OR", "values": 5}}'])(
    'for a flag that looks at a cohort which is %s',
    async (filters) => {
      const tenant = await createTenant()
      const id = await cohort(tenant)
      const outer = await cohort(tenant, [inCohort(id)])
      const flag = await tenant.flag({ filters: where(inCohort(outer)) })
      await database().run(sql`UPDATE cohorts SET filters = ${filters} WHERE id = ${id}`)
      expect(await tested(tenant, flag, USER)).toEqual(EVALUATE)
      expect(await tested(tenant, flag, PAST)).toEqual(PREPARE)
      const other = await tenant.flag({ filters: open() })
      expect((await tested(tenant, other, USER)).status).toBe(200)
    },
  )

  it('for an activity log that does not parse', async () => {
    const { tenant, flag } = await tenantWithFlag()
    tenant.clock.advance({ hours: 1 })
    await tenant.patch(tenant.flags(flag.id), { name: 'Beta' })
    for (const detail of ['{', 'null', '{"changes": 5}', '{"changes": [null]}']) {
      await database().run(sql`UPDATE activity_log SET detail = ${detail} WHERE activity = 'updated'
        AND project_id = ${tenant.projectId}`)
      expect(await tested(tenant, flag, PAST)).toEqual(REBUILD)
      expect(await tested(tenant, flag, { ...PAST, timestamp: '2026-03-10T14:00:00Z' })).toEqual(REBUILD)
      expect((await tested(tenant, flag, USER)).status).toBe(200)
    }
  })

  it.each(['"text"', '{"groups": 5}', '{"groups": [{"properties": "all"}]}', '{"groups": [5]}'])(
    'for a flag whose filters were %s',
    async (filters) => {
      const { tenant, flag } = await tenantWithFlag()
      tenant.clock.advance({ hours: 1 })
      await tenant.patch(tenant.flags(flag.id), { filters: { groups: [{ rollout_percentage: 50 }] } })
      await database().run(sql`UPDATE activity_log
        SET detail = json_set(detail, (SELECT replace(fullkey, '.field', '.before') FROM json_tree(detail)
          WHERE key = 'field' AND value = 'filters'), json(${filters}))
        WHERE activity = 'updated' AND project_id = ${tenant.projectId}`)
      expect(await tested(tenant, flag, PAST)).toEqual(PREPARE)
    },
  )
})

describe('502', () => {
  it('for flags that depend on each other in a circle', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ filters: open() })
    const flag = await tenant.flag({ filters: where(dependsOn(String(base.id))) })
    const circle = JSON.stringify(where(dependsOn(String(flag.id))))
    await database().run(sql`UPDATE feature_flags SET filters = ${circle} WHERE id = ${base.id}`)
    await database().run(
      sql`INSERT INTO flag_dependencies (flag_id, depends_on_id) VALUES (${base.id}, ${flag.id})`,
    )
    const response = failed(502, 'Unexpected response format from flag evaluation service')
    for (const each of [base, flag])
      for (const body of [USER, PAST]) expect(await tested(tenant, each, body)).toEqual(response)
  })
})

describe('503', () => {
  const UNAVAILABLE = failed(503, 'Person lookup service temporarily unavailable. Please retry.')

  it.each(['from "persons"', 'json_tree', 'WITH RECURSIVE walk'])(
    'for a database that fails at the statement with %s',
    async (part) => {
      let broken = false
      const DB = withBatch(env.DB, (texts, run) =>
        broken && texts.some((text) => text.includes(part))
          ? Promise.reject(new Error('D1_ERROR: no such table: secret_internals'))
          : run(),
      )
      const harness = createHarness({ bindings: { DB } })
      const tenant = await createTenant({ harness })
      const flag = await tenant.flag({ filters: open() })
      broken = true
      const response = await responseTo(tenant, flag, PAST)
      expect({ status: response.status, body: response.body }).toEqual(UNAVAILABLE)
      expect(response.headers.get('Retry-After')).toBe('1')
      expect(response.line).toMatchObject({ level: 'error', status: 503 })
      expect(JSON.stringify(response.body)).not.toContain('secret_internals')
      // What the caller is not told is the operator's to know.
      expect(response.line.error).toContain('secret_internals')
      if (part === 'from "persons"' || part === 'json_tree') {
        const now = await responseTo(tenant, flag, USER)
        expect({ status: now.status, body: now.body }).toEqual(UNAVAILABLE)
        expect(now.headers.get('Retry-After')).toBe('1')
      }
      broken = false
      expect((await responseTo(tenant, flag, PAST)).status).toBe(200)
    },
  )
})
