// Writing cohorts, and what flags and queries then see of them.
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { outbox } from '../../../drizzle'
import { ask, valuesOf } from '../../sdk/flags-support'
import { event, sendEach } from '../../support/capture'
import { inCohort, where } from '../../support/filters'
import { createHarness } from '../../support/harness'
import { NOT_FOUND, refused, seen } from '../../support/responses'
import { cohort as cohortRow } from '../../support/database/rows'
import { createTenant, database, shard, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const at = ({ projectId }: Pick<Tenant, 'projectId'>, rest: number | string = '') =>
  `/api/projects/${projectId}/cohorts/${rest}${rest === '' ? '' : '/'}`

const onPlan = (value: unknown, more: Json = {}) => ({
  type: 'person',
  key: 'plan',
  operator: 'exact',
  value,
  ...more,
})
const all = (...values: Json[]) => ({ properties: { type: 'AND', values } })
const member = (id: number, more: Json = {}) => ({ type: 'cohort', key: 'id', value: id, ...more })

async function made(tenant: Tenant, body: Json) {
  const response = await tenant.post(at(tenant), body)
  expect(response).toMatchObject({ status: 201 })
  return response.body
}

/** What a flag for members of the cohort is for somebody on these plans. */
async function flagsOf(tenant: Tenant, ...plans: string[]) {
  const values = []
  for (const plan of plans)
    values.push(valuesOf(await ask(tenant, { person_properties: { plan } }))['of-cohort'])
  return values
}

const flagFor = (tenant: Tenant, id: number) =>
  tenant.flag({ key: 'of-cohort', name: 'Of the cohort', filters: where(inCohort(id)) })

describe('a dynamic cohort', () => {
  let untouched: Tenant
  beforeAll(async () => {
    untouched = await createTenant()
  })

  it('is created, and flags use it immediately', async () => {
    const tenant = await createTenant()
    const body = { name: 'Paying', description: 'All that pay', filters: all(onPlan(['pro', 'team'])) }
    const { status, body: record } = await tenant.post(at(tenant), body)
    expect({ status, body: record }).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        ...body,
        deleted: false,
        is_static: false,
        groups: [],
        is_calculating: false,
        count: null,
        errors_calculating: 0,
        last_calculation: null,
        created_by: expect.objectContaining({ id: tenant.user.id }),
        created_at: '2026-03-10T12:00:00Z',
      },
    })
    expect((await tenant.get(at(tenant, record.id))).body).toEqual(record)
    await flagFor(tenant, record.id)
    expect(await flagsOf(tenant, 'pro', 'free')).toEqual([true, false])
  })

  it('has new conditions for flags with the next request', async () => {
    const tenant = await createTenant()
    const { id } = await made(tenant, { name: 'Paying', filters: all(onPlan('pro')) })
    await flagFor(tenant, id)
    expect(await flagsOf(tenant, 'pro', 'free')).toEqual([true, false])
    for (const method of ['patch', 'put'] as const) {
      const plan = method === 'patch' ? 'free' : 'pro'
      const filters = { properties: { type: 'OR', values: [all(onPlan(plan)).properties] } }
      expect(await tenant[method](at(tenant, id), { filters })).toMatchObject({
        status: 200,
        body: { name: 'Paying', filters },
      })
      expect(await flagsOf(tenant, 'pro', 'free')).toEqual([plan === 'pro', plan === 'free'])
    }
  })

  it('keeps conditions that are sent back unchanged, also invalid ones', async () => {
    const tenant = await createTenant()
    const id = await cohortRow(tenant, [{ type: 'behavioral', key: 'x', value: 'performed_event' }])
    const { body } = await tenant.get(at(tenant, id))
    expect(seen(await tenant.put(at(tenant, id), { ...body, name: 'New' }))).toEqual({
      status: 200,
      body: { ...body, name: 'New' },
    })
  })

  it('drops what upstream derives, and takes its earlier form', async () => {
    const tenant = await createTenant()
    const derived = { bytecode: [1], conditionHash: 'x', label: 'y' }
    expect(
      (await made(tenant, { filters: all(onPlan('pro', { ...derived, negation: true })) })).filters,
    ).toEqual(all(onPlan('pro', { negation: true })))
    const earlier = {
      id: 'a',
      matchType: 'properties',
      properties: [{ key: 'plan', value: 'pro' }],
      days: null,
    }
    expect((await made(tenant, { groups: [earlier] })).filters).toEqual({
      properties: { type: 'OR', values: [all(onPlan('pro')).properties] },
    })
  })

  it.each([
    ['gt', 18, '19', 18],
    ['gte', 18.5, 18.5, '18'],
    ['lt', 18, 17, 18],
    ['lte', 18, '18', 19],
    ['icontains', 18, 'A18', 'A19'],
    ['not_icontains', 18, 'A19', 'A18'],
    ['regex', 18, '180', '17'],
    ['semver_gt', 1.2, '1.2.1', '1.2.0'],
    ['between', [1, '2'], 2, 3],
  ])('compares with a value that is a number: %s %j', async (operator, value, inside, outside) => {
    const tenant = await createTenant()
    const filters = all(onPlan(value, { operator }))
    const cohort = await made(tenant, { filters })
    expect(cohort.filters).toEqual(filters)
    await flagFor(tenant, cohort.id)
    const flags = []
    for (const plan of [inside, outside])
      flags.push(valuesOf(await ask(tenant, { person_properties: { plan } }))['of-cohort'])
    expect(flags).toEqual([true, false])
  })

  it.each([
    [{}, 'filters', 'This field is required.', 'required'],
    [{ filters: {} }, 'filters', "Must contain a 'properties' key with type and values", undefined],
    [
      { filters: { properties: { type: 'XOR', values: [] } } },
      'filters',
      'properties.type: "XOR" is not a valid choice. Valid choices: AND, OR.',
      undefined,
    ],
    [
      { groups: [{ properties: [{ key: 'plan', value: 'pro' }], action_id: 1, days: 7 }] },
      'groups',
      'Unknown field: groups[0].action_id. A group has only properties.',
      'unknown_field',
    ],
    [{ filters: all() }, 'filters', 'properties.values: This list may not be empty.', undefined],
    [
      { filters: all({ type: 'AND', values: [] }) },
      'filters',
      'properties.values[0].values: This list may not be empty.',
      undefined,
    ],
    [
      { filters: all({ type: 'person', key: 'plan', value: 'pro' }) },
      'filters',
      'Missing required keys for person filter: operator (properties.values[0])',
      undefined,
    ],
    [
      { filters: all(onPlan('x', { operater: 'exact' })) },
      'filters',
      'Unknown field: properties.values[0].operater. Did you mean operator?',
      'unknown_field',
    ],
    [
      { filters: all(onPlan('x', { operator: 'contains' })) },
      'filters',
      'properties.values[0].operator: Invalid operator: contains. Did you mean icontains?',
      'invalid_operator',
    ],
    [
      { filters: all(onPlan('x', { operator: { toString: 1 } })) },
      'filters',
      expect.stringMatching(/^properties.values\[0\].operator: Invalid operator: \{"toString":1\}\. /),
      'invalid_operator',
    ],
    [
      { filters: all({ type: 'cohort', key: 'id', value: 1, operator: { toString: 1 } }) },
      'filters',
      expect.stringMatching(/^properties.values\[0\].operator: /),
      undefined,
    ],
    [
      { filters: all(onPlan('x', { operator: 'o'.repeat(100_000) })) },
      'filters',
      expect.stringMatching(/^properties.values\[0\].operator: Invalid operator: o{7900,7999}…$/),
      'invalid_operator',
    ],
    [
      { filters: all(onPlan('x', { operator: 'gt' })) },
      'filters',
      'properties.values[0].value: Invalid value for operator gt: "x"',
      'invalid_value',
    ],
    ...(
      [
        ['gt', true, 'Invalid value for operator gt: true', 'invalid_value'],
        ['icontains', ['a'], 'Invalid value for operator icontains: ["a"]', 'invalid_value'],
        [
          'semver_gt',
          true,
          'Invalid value for operator semver_gt: expected a semver string',
          'invalid_value',
        ],
        ['is_date_after', 1700000000, 'Invalid date value: 1700000000', 'invalid_date'],
        ['between', [2, 1], 'Invalid value for operator between: [2,1]', 'invalid_value'],
        ['not_between', '1', 'Invalid value for operator not_between: "1"', 'invalid_value'],
      ] as const
    ).map(
      ([operator, value, detail, code]) =>
        [
          { filters: all(onPlan(value, { operator })) },
          'filters',
          `properties.values[0].value: ${detail}`,
          code,
        ] as const,
    ),
    [
      { filters: all(onPlan('(', { operator: 'regex' })) },
      'filters',
      'properties.values[0].value: invalid regex pattern',
      undefined,
    ],
    [
      {
        filters: all({
          type: 'behavioral',
          key: '$pageview',
          event_type: 'events',
          value: 'performed_event',
          time_value: 30,
          time_interval: 'day',
          negation: false,
        }),
      },
      'filters',
      'properties.values[0].type: conditions on events are not supported in cohorts here. Use person or cohort.',
      'unsupported_filter',
    ],
    [
      { filters: all({ type: 'persn', key: 'x', value: 'y', operator: 'exact' }) },
      'filters',
      'properties.values[0].type: "persn" is not a valid choice. Did you mean person? Valid choices: person, cohort, AND, OR.',
      undefined,
    ],
    [
      { filters: all({ type: 'behavioral', key: 'x', value: 'performed_event' }) },
      'filters',
      'properties.values[0].type: conditions on events are not supported in cohorts here. Use person or cohort.',
      'unsupported_filter',
    ],
    [
      { filters: all(member(999_999)) },
      'filters',
      'Cohort with id 999999 does not exist',
      'cohort_does_not_exist',
    ],
    [
      { filters: all(onPlan('x')), query: { kind: 'HogQLQuery' } },
      'query',
      'Cohorts of queries are not supported here: use filters, or a list of persons.',
      undefined,
    ],
    [
      { filters: all(onPlan('x')), csv: 'ada' },
      'is_static',
      'Must be true for a cohort with a list of persons.',
      undefined,
    ],
    [{ filters: 5 }, 'filters', 'Expected an object but got an integer.', 'not_a_dict'],
  ] as const)('rejects %j', async (body, attr, detail, code) => {
    expect(seen(await untouched.post(at(untouched), body))).toEqual(refused(attr, detail, code))
  })

  it('is not there once it was rejected', async () => {
    expect((await untouched.get(at(untouched))).body.count).toBe(0)
  })

  it('rejects cohorts of other projects, loops and long rows', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    const theirs = await made(other, { filters: all(onPlan('x')) })
    const first = await made(tenant, { filters: all(onPlan('x')) })
    expect(await tenant.post(at(tenant), { filters: all(member(theirs.id)) })).toMatchObject({
      status: 400,
      body: { code: 'cohort_does_not_exist' },
    })
    let last = first.id
    for (let length = 2; length < 50; length += 1) last = await cohortRow(tenant, [member(last)])
    last = (await made(tenant, { filters: all(member(last)) })).id
    expect(seen(await tenant.post(at(tenant), { filters: all(member(last)) }))).toEqual(
      refused('filters', 'Cohorts refer to each other in a row of 51: at most 50 are allowed.'),
    )
    for (const id of [first.id, last])
      expect(seen(await tenant.patch(at(tenant, first.id), { filters: all(member(id)) }))).toEqual(
        refused('filters', 'Cohorts cannot reference other cohorts in a loop.'),
      )
    expect((await tenant.patch(at(tenant, theirs.id), { name: 'x' })).status).toBe(404)
  }, 60_000)

  it('cannot close a loop by two concurrent writes', async () => {
    const tenant = await createTenant()
    const [a, b] = [
      await made(tenant, { filters: all(onPlan('x')) }),
      await made(tenant, { filters: all(onPlan('x')) }),
    ]
    const results = await Promise.all([
      tenant.patch(at(tenant, a.id), { filters: all(member(b.id)) }),
      tenant.patch(at(tenant, b.id), { filters: all(member(a.id)) }),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual([200, 400])
  })
})

describe('deleting a cohort', () => {
  it('is rejected while flags or cohorts use it', async () => {
    const tenant = await createTenant()
    const used = await made(tenant, { name: 'Used', filters: all(onPlan('pro')) })
    const user = await made(tenant, { name: 'User', filters: all(member(used.id)) })
    const flag = await flagFor(tenant, used.id)
    const remove = (id: number) => tenant.patch(at(tenant, id), { deleted: true })
    expect(seen(await remove(used.id))).toEqual(
      refused(
        'deleted',
        'This cohort is used in 1 active feature flag(s): Of the cohort. Please remove the cohort from these feature flags before deleting it.',
      ),
    )
    await tenant.patch(tenant.flags(flag.id), { active: false })
    expect(seen(await remove(used.id))).toEqual(
      refused(
        'deleted',
        'This cohort is used as criteria in 1 other cohort(s): User. Please remove this cohort from those cohort definitions before deleting it.',
      ),
    )
    expect(await remove(user.id)).toMatchObject({ status: 200, body: { deleted: true } })
    expect(seen(await tenant.get(at(tenant, user.id)))).toEqual(NOT_FOUND)
    expect((await remove(used.id)).status).toBe(200)
    expect(seen(await tenant.patch(at(tenant, user.id), { deleted: false }))).toEqual(
      refused('filters', `Cohort with id ${used.id} does not exist`, 'cohort_does_not_exist'),
    )
    await tenant.patch(at(tenant, used.id), { deleted: false })
    expect(seen(await tenant.patch(at(tenant, user.id), { deleted: false }))).toEqual({
      status: 200,
      body: user,
    })
    const { body: log } = await tenant.get(at(tenant, `${user.id}/activity`))
    expect(log.results.map(({ activity }: Json) => activity)).toEqual(['restored', 'deleted', 'created'])
    expect((await tenant.delete(at(tenant, user.id))).status).toBe(405)
  })

  it('loses against a flag that names it at the same time, or wins', async () => {
    const tenant = await createTenant()
    const { id } = await made(tenant, { filters: all(onPlan('pro')) })
    const [flag, deletion] = await Promise.all([
      tenant.post(tenant.flags(), { key: 'of-cohort', filters: where(inCohort(id)) }),
      tenant.patch(at(tenant, id), { deleted: true }),
    ])
    expect([flag.status === 201, deletion.status === 200].filter(Boolean)).toHaveLength(1)
  })
})

const copiesOf = async (tenant: Tenant, id: number) =>
  (
    await shard().all<{ person_uuid: string; is_deleted: number }>(
      sql`SELECT person_uuid, is_deleted FROM cohort_people WHERE project_id = ${tenant.projectId} AND cohort_id = ${id} ORDER BY 1`,
    )
  ).map(({ person_uuid: uuid, is_deleted: deleted }) => [uuid, deleted])

async function crowd(tenant: Tenant, ...names: string[]): Promise<string[]> {
  const uuids = []
  for (const name of names) {
    await sendEach(tenant, [event(name)])
    const { body } = await tenant.get(`/api/projects/${tenant.projectId}/persons/?distinct_id=${name}`)
    uuids.push(body.results[0].uuid)
  }
  return uuids
}

describe('a static cohort', () => {
  it('names the ids of a list that no person has, and only in the response to the list', async () => {
    const tenant = await createTenant()
    const [ada, grace] = await crowd(tenant, 'ada', 'grace')
    const none = '00000000-0000-7000-8000-000000000000'
    const csv = 'nobody\nada\nada\n"no, one"'
    const { body } = await tenant.post(at(tenant), { name: 'Listed', is_static: true, csv })
    expect(body).toMatchObject({ count: 1, unknown_ids: ['nobody', 'no, one'] })
    const path = `${at(tenant)}${body.id}/`
    const added = await tenant.patch(path, { csv: `person_id\n${none}\n${grace!.toUpperCase()}` })
    expect(added.body).toMatchObject({ count: 2, unknown_ids: [none] })
    for (const { body: later } of [
      await tenant.patch(path, { _create_static_person_ids: [ada] }),
      await tenant.patch(path, { name: 'Named' }),
      await tenant.get(path),
    ]) {
      expect(later.count).toBe(2)
      expect(later).not.toHaveProperty('unknown_ids')
    }
  })

  it('has the persons of a CSV file, for flags and queries', async () => {
    const tenant = await createTenant()
    const [ada, grace] = await crowd(tenant, 'ada', 'grace', 'joan')
    const form = new FormData()
    form.set('name', 'Listed')
    form.set('is_static', 'true')
    form.set('csv', new File(['distinct_id,x\nada,1\ngrace,2\nnobody,3\n'], 'list.csv'))
    const { status, body } = await tenant.send('POST', at(tenant), {
      raw: form,
      headers: { Authorization: `Bearer ${tenant.key}` },
    })
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        name: 'Listed',
        is_static: true,
        filters: null,
        is_calculating: false,
        count: 2,
        last_calculation: '2026-03-10T12:00:00Z',
      },
    })
    expect(await copiesOf(tenant, body.id)).toEqual([ada, grace].sort().map((uuid) => [uuid, 0]))
    expect(await database().select().from(outbox).where(eq(outbox.projectId, tenant.projectId))).toEqual([])
    await flagFor(tenant, body.id)
    const values = []
    for (const distinct_id of ['ada', 'joan'])
      values.push(valuesOf(await ask(tenant, { distinct_id }))['of-cohort'])
    expect(values).toEqual([true, false])
  })

  it('gets and loses persons', async () => {
    const tenant = await createTenant()
    const [ada, grace] = (await crowd(tenant, 'ada', 'grace')) as [string, string]
    const { id } = await made(tenant, { is_static: true, _create_static_person_ids: [ada.toUpperCase()] })
    const add = (person_ids: string[]) =>
      tenant.patch(at(tenant, `${id}/add_persons_to_static_cohort`), { person_ids })
    const remove = (person_id: string) =>
      tenant.patch(at(tenant, `${id}/remove_person_from_static_cohort`), { person_id })
    const unknown = crypto.randomUUID()
    expect(seen(await add([ada, grace, unknown]))).toEqual({
      status: 200,
      body: { success: true, unknown_ids: [unknown] },
    })
    expect(seen(await add([ada]))).toEqual({ status: 200, body: { success: true } })
    expect((await tenant.get(at(tenant, id))).body.count).toBe(2)
    expect(seen(await remove(ada))).toEqual({ status: 200, body: { success: true } })
    expect((await tenant.get(at(tenant, id))).body.count).toBe(1)
    expect(await copiesOf(tenant, id)).toEqual(
      [ada, grace].sort().map((uuid) => [uuid, uuid === ada ? 1 : 0]),
    )
    expect((await remove(crypto.randomUUID())).status).toBe(404)
    expect(await tenant.patch(at(tenant, id), { csv: 'ada' })).toMatchObject({
      status: 200,
      body: { count: 2 },
    })
    expect(await copiesOf(tenant, id)).toEqual([ada, grace].sort().map((uuid) => [uuid, 0]))
    const { body } = await tenant.get(at(tenant, `${id}/activity`))
    expect(body.results.map(({ activity }: Json) => activity)).toEqual([
      'updated',
      'person_removed_manually',
      'persons_added_manually',
      'persons_added_manually',
      'created',
    ])
  })

  it.each([
    [
      { is_static: true },
      'csv',
      'Invalid source for static cohort. Requires a csv, or `_create_static_person_ids`, which may be empty.',
      'required',
    ],
    [
      { is_static: true, csv: '' },
      'csv',
      'CSV file is empty. Please upload a CSV file with at least one row of data.',
    ],
    [
      { is_static: true, csv: 'x', filters: all(onPlan('x')) },
      'filters',
      'A static cohort has a list of persons and no conditions: send `csv` or `_create_static_person_ids`, or set `is_static` to false.',
    ],
    ...[{ made_up: 5 }, { properties: 'x' }, { properties: { type: 'OR', values: [], made_up: 5 } }].map(
      (filters): [object, string, string] => [
        { is_static: true, csv: 'x', filters },
        'filters',
        'A static cohort has a list of persons and no conditions: send `csv` or `_create_static_person_ids`, or set `is_static` to false.',
      ],
    ),
    [
      { is_static: true, _create_static_person_ids: ['ada'] },
      '_create_static_person_ids__0',
      'Must be a valid UUID.',
    ],
    [
      { is_static: true, csv: Array.from({ length: 10_001 }, (_, n) => n).join('\n') },
      'csv',
      'At most 10000 persons can be added in one request: add the others in further requests.',
    ],
    [
      {
        is_static: true,
        csv: ['distinct_id', ...Array.from({ length: 10_001 }, (_, n) => `0195-${n}`)].join('\n'),
      },
      'csv',
      'At most 10000 persons can be added in one request: add the others in further requests.',
    ],
  ])('rejects %#', async (body, attr, detail, code?: string) => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(at(tenant), body))).toEqual(refused(attr, detail, code))
  })

  it.each([null, {}, { properties: {} }, { properties: { type: 'OR', values: [] } }])(
    'takes filters without conditions: %j',
    async (filters) => {
      const tenant = await createTenant()
      const list = await made(tenant, { is_static: true, _create_static_person_ids: [], filters })
      expect(await tenant.patch(at(tenant, list.id), { filters })).toMatchObject({
        status: 200,
        body: { filters: null },
      })
    },
  )

  it('stays static, and a dynamic one has no list', async () => {
    const tenant = await createTenant()
    const list = await made(tenant, { is_static: true, _create_static_person_ids: [] })
    const rule = await made(tenant, { filters: all(onPlan('x')) })
    expect(list.count).toBe(0)
    for (const [id, body, attr, detail] of [
      [list.id, { is_static: false }, 'is_static', 'A cohort stays static or dynamic: create another one.'],
      [
        list.id,
        { filters: all(onPlan('x')) },
        'filters',
        'Editing the criteria of a static cohort is not supported yet. Create a new static cohort instead.',
      ],
      [
        list.id,
        { filters: { made_up: 5 } },
        'filters',
        'Editing the criteria of a static cohort is not supported yet. Create a new static cohort instead.',
      ],
      [rule.id, { csv: 'ada' }, 'csv', 'Only static cohorts have a list of persons.'],
      [rule.id, { filters: null }, 'filters', 'This field may not be null.', 'null'],
    ] as const)
      expect(await tenant.patch(at(tenant, id), body)).toMatchObject({ status: 400, body: { attr, detail } })
    expect(
      seen(await tenant.patch(at(tenant, `${rule.id}/add_persons_to_static_cohort`), { person_ids: [] })),
    ).toEqual(refused(null, 'Can only add users to static cohorts'))
    expect((await tenant.patch(at(tenant, list.id), { filters: list.filters })).status).toBe(200)
  })

  it('takes one list of persons, and one form of conditions', async () => {
    const tenant = await createTenant()
    const id = '018f3b52-4c6e-7a6b-9a51-0f2f6f0c2d11'
    const both = { csv: 'ada', _create_static_person_ids: [id] }
    const twoLists = refused(
      '_create_static_person_ids',
      'Send the persons either as csv or as a list of ids.',
    )
    expect(seen(await tenant.post(at(tenant), { is_static: true, ...both }))).toEqual(twoLists)
    const list = await made(tenant, { is_static: true, csv: 'ada', _create_static_person_ids: [] })
    expect(seen(await tenant.patch(at(tenant, list.id), both))).toEqual(twoLists)
    const conditions = {
      filters: all(onPlan('x')),
      groups: [{ properties: [{ key: 'plan', type: 'person', value: 'y' }] }],
    }
    const twoForms = refused('groups', 'Send the conditions either as filters or as groups.')
    expect(seen(await tenant.post(at(tenant), conditions))).toEqual(twoForms)
    const rule = await made(tenant, { filters: conditions.filters, groups: [] })
    expect(seen(await tenant.patch(at(tenant, rule.id), conditions))).toEqual(twoForms)
  })

  it('takes forms only where files can be sent', async () => {
    const tenant = await createTenant()
    const form = new FormData()
    form.set('key', 'x')
    const headers = { Authorization: `Bearer ${tenant.key}` }
    expect((await tenant.send('POST', tenant.flags(), { raw: form, headers })).status).toBe(415)
    const dynamic = new FormData()
    dynamic.set('filters', JSON.stringify(all(onPlan('x'))))
    expect((await tenant.send('POST', at(tenant), { raw: dynamic, headers })).body.filters).toEqual(
      all(onPlan('x')),
    )
    dynamic.set('filters', '{')
    expect(await tenant.send('POST', at(tenant), { raw: dynamic, headers })).toMatchObject({
      status: 400,
      body: { code: 'parse_error' },
    })
    const latin = new FormData()
    latin.set('is_static', 'true')
    latin.set('csv', new File([Uint8Array.of(0xe9)], 'x.csv'))
    expect(await tenant.send('POST', at(tenant), { raw: latin, headers })).toMatchObject({
      status: 400,
      body: { attr: 'csv' },
    })
  })
})

describe('the list of cohorts', () => {
  it('filters by name, kind and creator', async () => {
    const tenant = await createTenant()
    const rule = await made(tenant, { name: 'Paying Customers of Österreich', filters: all(onPlan('x')) })
    const list = await made(tenant, { name: 'Testers', is_static: true, _create_static_person_ids: [] })
    const idsFor = async (query: string) =>
      (await tenant.get(`${at(tenant)}?${query}`)).body.results.map(({ id }: Json) => id)
    expect(await idsFor('search=custom')).toEqual([rule.id])
    expect(await idsFor('search=OF+Öster')).toEqual([rule.id])
    expect(await idsFor('type=static')).toEqual([list.id])
    expect(await idsFor('type=dynamic&search=t')).toEqual([rule.id])
    expect(await idsFor(`created_by_id=${tenant.user.id}`)).toEqual([list.id, rule.id])
    expect(await idsFor('created_by_id=1')).toEqual([])
    expect((await tenant.get(`${at(tenant)}?type=x`)).status).toBe(400)
  })
})
