import { describe, expect, it } from 'vitest'
import { NOT_FOUND, refused, seen } from '../../support/responses'
import { hogql } from '../../support/endpoints/endpoints'
import { createTenant, type Tenant } from '../../support/tenant'

const at = ({ projectId }: Tenant, rest = '') =>
  `/api/projects/${projectId}/insight_variables/${rest}${rest === '' ? '' : '/'}`

describe('POST insight_variables', () => {
  it('makes a variable, and a code name of its name', async () => {
    const tenant = await createTenant()
    const response = await tenant.post(at(tenant), {
      name: 'Event name (latest)!',
      type: 'String',
      default_value: '$pageview',
    })
    expect(seen(response)).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Event name (latest)!',
        type: 'String',
        default_value: '$pageview',
        created_by: tenant.user.id,
        created_at: '2026-03-10T12:00:00Z',
        code_name: 'event_name_latest',
        values: null,
      },
    })
    expect((await tenant.get(at(tenant, response.body.id))).body).toEqual(response.body)
    expect(
      (await tenant.get(`/api/environments/@current/insight_variables/${response.body.id}/`)).body,
    ).toEqual(response.body)
  })

  it.each([
    ['String', 'a', null],
    ['Number', 1.5, null],
    ['Boolean', false, null],
    ['List', 'a', ['a', 'b']],
    ['Date', '2026-01-01', null],
    ['Number', null, null],
  ])('takes a %s with default %j and values %j', async (type, value, values) => {
    const tenant = await createTenant()
    expect(await tenant.variable({ name: 'x', type, default_value: value, values })).toMatchObject({
      type,
      default_value: value,
      values,
    })
  })

  it.each([
    ['String', { a: 1 }, 'a string'],
    ['Number', 'many', 'a number'],
    ['Boolean', 'maybe', 'a boolean'],
    ['List', [['a']], 'a list, of which each item is a string'],
    ['Date', 'last week', 'a date or a date-time in ISO 8601'],
  ])('rejects a %s with the default %j, which every run would reject', async (type, value, expected) => {
    const tenant = await createTenant()
    const no = refused('default_value', `The default of a ${type} must be ${expected}, or null.`)
    expect(seen(await tenant.post(at(tenant), { name: 'x', type, default_value: value }))).toEqual(no)
    const { id } = await tenant.variable({ name: 'y', type, default_value: null })
    expect(seen(await tenant.patch(at(tenant, id), { default_value: value }))).toEqual(no)
    expect((await tenant.patch(at(tenant, id), { name: 'z' })).status).toBe(200)
  })

  it('of a List may have a default that is not among its values', async () => {
    const tenant = await createTenant()
    const made = await tenant.variable({ name: 'x', type: 'List', values: ['a', 'b'], default_value: 'c' })
    expect(made).toMatchObject({ values: ['a', 'b'], default_value: 'c' })
    expect(seen(await tenant.patch(at(tenant, made.id), { values: ['x'] }))).toEqual({
      status: 200,
      body: { ...made, values: ['x'] },
    })
  })

  it('rejects a type that the default does not fit', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.variable({ name: 'x', default_value: 'free' })
    expect(seen(await tenant.patch(at(tenant, id), { type: 'Number' }))).toEqual(
      refused('default_value', 'The default of a Number must be a number, or null.'),
    )
    expect(
      seen(await tenant.patch(at(tenant, id), { type: 'Number', default_value: '9007199254740993' })),
    ).toEqual(
      refused(
        'default_value',
        'The default: integers past 2^53 are not kept exactly. Use a variable of type String, and compare texts.',
      ),
    )
    expect((await tenant.patch(at(tenant, id), { type: 'Number', default_value: '2.5' })).status).toBe(200)
  })

  it('rejects a code name that is taken, in this project', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await tenant.variable({ name: 'My plan' })
    for (const name of ['My plan', 'my plan', 'MY (PLAN)']) {
      expect(seen(await tenant.post(at(tenant), { name, type: 'Number' }))).toEqual(
        refused(null, 'Variable with name already exists'),
      )
    }
    expect(await other.variable({ name: 'My plan' })).toMatchObject({ code_name: 'my_plan' })
  })

  it.each([
    [{ type: 'String' }, 'name', 'This field is required.', 'required'],
    [{ name: '', type: 'String' }, 'name', 'This field may not be blank.', 'blank'],
    [{ name: '!!!', type: 'String' }, 'name', 'A name needs at least one letter or digit.', 'invalid_input'],
    [{ name: 'a' }, 'type', 'This field is required.', 'required'],
    [
      { name: 'a', type: 'Json' },
      'type',
      '"Json" is not a valid choice. Valid choices: String, Number, Boolean, List, Date.',
      'invalid_choice',
    ],
    [
      { name: 'a', type: 'List', values: 'b' },
      'values',
      'Expected a list of items but got text.',
      'not_a_list',
    ],
  ])('rejects %j', async (body, attr, detail, code) => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(at(tenant), body))).toEqual(refused(attr, detail, code))
  })
})

describe('GET insight_variables', () => {
  it('lists the variables of the project by code name', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const [b, a] = [await tenant.variable({ name: 'B' }), await tenant.variable({ name: 'a' })]
    await other.variable({ name: 'c' })
    expect((await tenant.get(at(tenant))).body).toEqual({
      count: 2,
      next: null,
      previous: null,
      results: [a, b],
    })
    expect((await tenant.get(`${at(tenant)}?limit=1&offset=1`)).body).toMatchObject({
      count: 2,
      next: null,
      results: [b],
    })
  })
})

describe('PATCH and DELETE insight_variables/:id', () => {
  it('changes the sent fields, and never the code name', async () => {
    const tenant = await createTenant()
    const made = await tenant.variable({ name: 'Plan', default_value: 'free' })
    const changes = { name: 'Pricing plan', type: 'List', values: ['free', 'pro'], default_value: null }
    expect(seen(await tenant.patch(at(tenant, made.id), changes))).toEqual({
      status: 200,
      body: { ...made, ...changes },
    })
    expect(seen(await tenant.patch(at(tenant, made.id), { code_name: 'x', id: 'x' }))).toEqual({
      status: 200,
      body: { ...made, ...changes },
    })
  })

  it('is deleted; queries keep their values', async () => {
    const tenant = await createTenant()
    const made = await tenant.variable({ name: 'Plan', default_value: 'free' })
    const endpoint = await tenant.endpoint({
      name: 'plans',
      query: hogql('SELECT {variables.plan} AS plan'),
    })
    expect(seen(await tenant.delete(at(tenant, made.id)))).toEqual({ status: 204, body: null })
    expect(seen(await tenant.get(at(tenant, made.id)))).toEqual(NOT_FOUND)
    const record = (await tenant.get(tenant.endpoints('plans'))).body
    expect(record.query).toEqual(endpoint.query)
    const changes = { ...record, description: 'Plans of today.' }
    expect(seen(await tenant.patch(tenant.endpoints('plans'), changes))).toEqual({
      status: 200,
      body: changes,
    })
    // The first run finds it compiled for a variable that there is no more.
    for (const refresh of ['force', 'force', 'cache']) {
      const run = await tenant.post(tenant.endpoints('plans/run'), { refresh })
      expect(run).toMatchObject({ status: 200, body: { results: [['free']] } })
    }
    expect(await tenant.variable({ name: 'Plan' })).toMatchObject({ code_name: 'plan' })
  })

  it('is recorded with what changed', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.variable({ name: 'Plan', type: 'List', default_value: 'free' })
    const large = ['x'.repeat(60_000)]
    const body = { name: 'Plans', default_value: null, values: large }
    await Promise.all([tenant.patch(at(tenant, id), body), tenant.patch(at(tenant, id), body)])
    expect((await tenant.get(at(tenant, id))).body).toMatchObject(body)
    await tenant.delete(at(tenant, id))
    await tenant.delete(at(tenant, id))
    const entry = (activity: string, name: string, changes: object[] = []) => ({
      id: expect.any(String),
      user: { first_name: 'Ada', email: tenant.user.email },
      was_impersonated: false,
      activity,
      scope: 'InsightVariable',
      item_id: id,
      detail: { id, changes, trigger: null, type: null, name, short_id: null, merge: null },
      created_at: '2026-03-10T12:00:00Z',
    })
    const change = (action: string, field: string, before: unknown, after: unknown) => ({
      type: 'InsightVariable',
      action,
      field,
      before,
      after,
    })
    const path = `/api/projects/${tenant.projectId}/activity_log/?scope=InsightVariable`
    expect((await tenant.get(path)).body).toEqual({
      results: [
        entry('deleted', 'Plans'),
        entry('updated', 'Plans', [
          change('changed', 'name', 'Plan', 'Plans'),
          change('deleted', 'default_value', 'free', null),
          change('created', 'values', null, large),
        ]),
        entry('created', 'Plan'),
      ],
      next: null,
      previous: null,
      total_count: 3,
    })
  })

  it('finds nothing of another project', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const { id } = await other.variable({ name: 'Plan' })
    expect(seen(await tenant.get(at(tenant, id)))).toEqual(NOT_FOUND)
    expect(seen(await tenant.patch(at(tenant, id), { name: 'x' }))).toEqual(NOT_FOUND)
    expect(seen(await tenant.delete(at(tenant, id)))).toEqual(NOT_FOUND)
    expect((await other.get(at(other, id))).body.name).toBe('Plan')
  })
})
