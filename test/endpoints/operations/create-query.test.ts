// What is checked of a HogQL query when it is written (docs/reference/endpoints.md#checks-of-a-hogql-query).
import { beforeAll, describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { define, hogql, shownHogql, storedVersion } from '../../support/endpoints/endpoints'
import { cohort } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

const create = async (tenant: Tenant, query: unknown) =>
  seen(await tenant.post(tenant.endpoints(), { name: 'a', query }))

/** What creates nothing may share a tenant. */
let bare: Tenant
beforeAll(async () => {
  bare = await createTenant()
})

const rejectionOf = (text: string, rest: Record<string, unknown> = {}) => create(bare, hogql(text, rest))

const EVENTS_CALLED = 'SELECT count() FROM events WHERE event = {variables.event_name}'

describe('the query', () => {
  it.each([
    ['a syntax error', 'SELECT FROM'],
    ['nothing', ''],
    ['a comment', '-- nothing'],
    ['two statements', 'SELECT 1; SELECT 2'],
    ['what is no SELECT', 'DROP TABLE events'],
    ['an unknown table', 'SELECT * FROM secrets'],
    ['an unknown column', 'SELECT nobody FROM events'],
    ['an unknown function', 'SELECT frobnicate(event) FROM events'],
    ['an unknown placeholder', 'SELECT {nothing} FROM events'],
  ])('is rejected for %s', async (_, text) => {
    expect(await rejectionOf(text)).toEqual(
      refused('query', expect.stringMatching(/^Invalid HogQL query: ./) as unknown as string),
    )
  })

  it('is rejected with line and column', async () => {
    expect(await rejectionOf('SELECT event,\n  nobody\nFROM events')).toEqual(
      refused('query', expect.stringMatching(/nobody.*line 2, column 3/) as unknown as string),
    )
  })

  it('is rejected for a property without its path, which the error has', async () => {
    const tenant = await createTenant()
    await define(tenant, { owner: 'event', name: 'amount', type: 'Numeric' })
    await define(tenant, { owner: 'person', name: '$plan', type: 'String' })
    const detailOf = async (text: string) => (await create(tenant, hogql(text))).body.detail
    expect([
      await detailOf('SELECT sum(amount) FROM events'),
      await detailOf('SELECT $plan FROM events'),
      await detailOf('SELECT $plan FROM persons'),
      await detailOf('SELECT amount FROM persons'),
    ]).toEqual([
      'Invalid HogQL query: Unable to resolve field: amount (did you mean properties.amount?) at line 1, column 12',
      'Invalid HogQL query: Unable to resolve field: $plan (did you mean person.properties.$plan?) at line 1, column 8',
      'Invalid HogQL query: Unable to resolve field: $plan (did you mean properties.$plan?) at line 1, column 8',
      'Invalid HogQL query: Unable to resolve field: amount at line 1, column 8',
    ])
  })

  it('is rejected for an invalid regular expression with its pattern and place, also on update', async () => {
    const invalid = hogql("SELECT count()\nFROM events WHERE match(event, '(a')")
    const rejection = refused(
      'query',
      "Invalid HogQL query: '(a' is not a regular expression of RE2: error parsing regexp: missing closing ): `(a` at line 2, column 19",
    )
    const tenant = await createTenant()
    expect(await create(tenant, invalid)).toEqual(rejection)
    const { name } = await tenant.endpoint({ query: hogql('SELECT 1') })
    expect(seen(await tenant.patch(tenant.endpoints(name), { query: invalid }))).toEqual(rejection)
  })

  it('is rejected for a filter with an invalid regular expression', async () => {
    const filter = { key: 'plan', value: '(a', operator: 'regex', type: 'event' }
    expect(
      await rejectionOf('SELECT count() FROM events WHERE {filters}', { filters: { properties: [filter] } }),
    ).toEqual(
      refused(
        'query',
        "Invalid HogQL query: '(a' is not a regular expression of RE2: error parsing regexp: missing closing ): `(a` at line 1, column 34",
      ),
    )
  })

  it('is rejected for filters as a group, with their place', async () => {
    const properties = { type: 'AND', values: [] }
    expect(await rejectionOf('SELECT 1', { filters: { properties } })).toEqual({
      status: 400,
      body: {
        type: 'invalid_request',
        code: 'parse_error',
        detail: 'JSON parse error - query.filters.properties: Expected a list of items but got an object.',
        attr: null,
      },
    })
  })

  it('is rejected for a direct connection', async () => {
    expect(await rejectionOf('SELECT 1', { connectionId: 'abc' })).toEqual(
      refused(
        'query',
        expect.stringMatching(/^Endpoints can't query a direct connection\./) as unknown as string,
      ),
    )
  })

  it('has columns, with types', async () => {
    const tenant = await createTenant()
    const { columns } = await tenant.endpoint({
      query: hogql(
        `SELECT event, count() AS total, avg(length(event)) AS mean, min(timestamp) AS first, toDate(timestamp) AS day,
          event = 'a' AS is_a, groupArray(event) AS all, NULL AS nothing
        FROM events GROUP BY event, day`,
      ),
    })
    expect(columns).toEqual([
      { name: 'event', type: 'string' },
      { name: 'total', type: 'integer' },
      { name: 'mean', type: 'float' },
      { name: 'first', type: 'datetime' },
      { name: 'day', type: 'date' },
      { name: 'is_a', type: 'integer' },
      { name: 'all', type: 'array' },
      { name: 'nothing', type: 'unknown' },
    ])
  })

  it('uses the types of defined properties', async () => {
    const tenant = await createTenant()
    await define(tenant, { owner: 'event', name: 'amount', type: 'Numeric' })
    const made = await tenant.endpoint({
      query: hogql('SELECT properties.amount, properties.other FROM events'),
    })
    expect(made.columns).toEqual([
      { name: 'amount', type: 'float' },
      { name: 'other', type: 'string' },
    ])
    expect((await storedVersion(made.id, 1))?.compiled?.properties).toEqual(
      expect.arrayContaining([
        ['event', 'amount', 'Numeric'],
        ['event', 'other', null],
      ]),
    )
  })

  it('keeps what else was sent, and no response', async () => {
    const tenant = await createTenant()
    const rest = {
      explain: true,
      name: 'mine',
      modifiers: { debug: true },
      tags: { scene: 'x' },
      values: { a: 1 },
      version: 2,
    }
    const { query } = await tenant.endpoint({
      query: hogql('SELECT 1', {
        ...rest,
        response: { results: [[1]] },
        filters: { dateRange: { date_from: '-7d' } },
      }),
    })
    expect(query).toEqual(
      shownHogql('SELECT 1', {
        ...rest,
        filters: {
          dateRange: { date_from: '-7d', date_to: null, explicitDate: false },
          filterTestAccounts: null,
          properties: null,
        },
      }),
    )
  })
})

describe('its variables', () => {
  it('come from the project where the query does not define them', async () => {
    const tenant = await createTenant()
    const variable = await tenant.variable({ name: 'Event name', default_value: '$pageview' })
    const none = await tenant.variable({ name: 'Nothing yet', type: 'Number' })
    const { query } = await tenant.endpoint({
      query: hogql(`${EVENTS_CALLED} AND length(event) > {variables.nothing_yet}`),
    })
    expect(query.variables).toEqual({
      [variable.id]: {
        variableId: variable.id,
        code_name: 'event_name',
        value: '$pageview',
        isNull: false,
      },
      [none.id]: { variableId: none.id, code_name: 'nothing_yet', value: null, isNull: true },
    })
  })

  it('are dropped where the text does not read them', async () => {
    const tenant = await createTenant()
    const variable = await tenant.variable({ name: 'Event name' })
    const variables = {
      [variable.id]: { variableId: variable.id, code_name: 'event_name', value: 'a' },
      nonsense: { variableId: 'nonsense', code_name: 'unused' },
    }
    expect((await tenant.endpoint({ query: hogql('SELECT 1', { variables }) })).query.variables).toBe(null)
    expect((await tenant.endpoint({ query: hogql(EVENTS_CALLED, { variables }) })).query.variables).toEqual({
      [variable.id]: { variableId: variable.id, code_name: 'event_name', value: 'a', isNull: null },
    })
  })

  it('keep the value that was sent, or take the default', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.variable({ name: 'Event name', default_value: '$pageview' })
    for (const [sent, kept] of [
      [{}, { value: '$pageview', isNull: false }],
      [
        { value: null, isNull: false },
        { value: '$pageview', isNull: false },
      ],
      [{ value: 'mine' }, { value: 'mine', isNull: null }],
      [{ value: '' }, { value: '', isNull: null }],
      [
        { value: null, isNull: true },
        { value: null, isNull: true },
      ],
    ]) {
      const variables = { [id]: { variableId: id, code_name: 'event_name', ...sent } }
      const { query } = await tenant.endpoint({ query: hogql(EVENTS_CALLED, { variables }) })
      expect(query.variables).toEqual({ [id]: { variableId: id, code_name: 'event_name', ...kept } })
    }
  })

  it('are rejected where neither the query nor the project defines them', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await other.variable({ name: 'Event name' })
    expect(await create(tenant, hogql(`${EVENTS_CALLED} OR event = {variables.another}`))).toEqual(
      refused(
        'query',
        'Query references undefined variable(s): another, event_name. Create each of them first: POST /api/projects/:project_id/insight_variables/.',
      ),
    )
  })

  it('are rejected under an invalid id, or that the project does not have', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const { id } = await other.variable({ name: 'Event name' })
    const under = (key: string) =>
      hogql(EVENTS_CALLED, { variables: { [key]: { variableId: key, code_name: 'event_name', value: 'a' } } })
    expect(await create(tenant, under('event-name'))).toEqual(
      refused('query', 'Variable ID(s) not valid UUIDs: event-name.'),
    )
    expect(await create(tenant, under(id))).toEqual(
      refused('query', `Variable ID(s) not found: ${id}. Make sure the variables exist in this project.`),
    )
  })

  it('are plain text inside quotes', async () => {
    const tenant = await createTenant()
    const { query } = await tenant.endpoint({
      query: hogql("SELECT count() FROM events WHERE event = '{variables.event_name}'"),
    })
    expect(query.variables).toBe(null)
  })

  it('are found anywhere in the text', async () => {
    const names = ['one', 'two', 'three', 'four', 'five']
    expect(
      await rejectionOf(
        `WITH recent AS (SELECT event FROM events WHERE event = {variables.one})
        SELECT if(event = {variables.two}, 1, 0) AS a, (SELECT {variables.three}) AS b FROM recent
        GROUP BY event HAVING count() > {variables.four}
        UNION ALL SELECT {variables.five}, 1`,
      ),
    ).toMatchObject({
      body: { detail: expect.stringContaining(`undefined variable(s): ${names.toSorted().join(', ')}.`) },
    })
  })
})

describe('static cohorts', () => {
  it('are found by their id, in this project', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const own = await cohort(tenant, [], { name: 'Regulars', isStatic: true })
    const unknown = [
      await cohort(tenant, [], { name: 'Dynamic' }),
      await cohort(tenant, [], { name: 'Gone', isStatic: true, deleted: true }),
      await cohort(other, [], { name: 'Theirs', isStatic: true }),
      999_999_999,
    ]
    const inText = (id: number) => hogql(`SELECT count() FROM events WHERE person_id IN COHORT ${id}`)
    const inFilters = (id: number) =>
      hogql('SELECT count() FROM events WHERE {filters}', {
        filters: { properties: [{ type: 'cohort', key: 'id', value: id }] },
      })
    for (const [name, query] of Object.entries({ inText, inFilters })) {
      const found = await tenant.post(tenant.endpoints(), { name, query: query(own) })
      expect(found).toMatchObject({ status: 201 })
      for (const id of unknown) {
        expect(await create(tenant, query(id))).toMatchObject({
          status: 400,
          body: {
            attr: 'query',
            detail: expect.stringContaining(`Could not find a static cohort with the id ${id}`),
          },
        })
      }
    }
  })

  it('are found by their name, in this project', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await cohort(tenant, [], { name: 'Regulars', isStatic: true })
    await cohort(tenant, [], { name: 'Dynamic' })
    await cohort(tenant, [], { name: 'Gone', isStatic: true, deleted: true })
    await cohort(other, [], { name: 'Theirs', isStatic: true })
    const members = (name: string) => `SELECT count() FROM events WHERE person_id IN COHORT '${name}'`
    expect(await create(tenant, hogql(members('Regulars')))).toMatchObject({ status: 201 })
    for (const name of ['Dynamic', 'Gone', 'Theirs', 'Nobody']) {
      expect(await create(tenant, hogql(members(name)))).toMatchObject({
        status: 400,
        body: {
          attr: 'query',
          detail: expect.stringContaining(`Could not find a static cohort with the name '${name}'`),
        },
      })
    }
  })
})

describe('stored filters', () => {
  it('replace {filters}', async () => {
    const tenant = await createTenant()
    const filters = {
      dateRange: { date_from: '2026-01-01' },
      properties: [{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }],
    }
    await define(tenant, { owner: 'person', name: 'plan', type: 'String' })
    const made = await tenant.endpoint({
      query: hogql('SELECT count() FROM events WHERE {filters}', { filters }),
    })
    expect((await storedVersion(made.id, 1))?.compiled?.properties).toEqual([['person', 'plan', 'String']])
    expect(await create(tenant, hogql('SELECT count() FROM persons WHERE {filters}', { filters }))).toEqual(
      refused('query', expect.stringMatching(/Cannot use 'filters' placeholder/) as unknown as string),
    )
  })
})

describe('an engine that cannot', () => {
  it('rejects unsupported options', async () => {
    expect(await rejectionOf('SELECT count() FROM events WHERE match(event, distinct_id)')).toEqual(
      refused('query', expect.stringMatching(/^Invalid HogQL query: .*match/) as unknown as string),
    )
  })
})

describe('a variable in an invalid position', () => {
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await createTenant()
    await tenant.variable({ name: 'v', default_value: '1' })
  })

  it.each([
    ['SELECT 1 LIMIT {variables.v}', 'LIMIT takes a whole number that is a constant at line 1, column 16'],
    [
      'SELECT 1 LIMIT 1 OFFSET {variables.v}',
      'OFFSET takes a whole number that is a constant at line 1, column 25',
    ],
    [
      'SELECT properties[{variables.v}] FROM events',
      'Properties are reached by a constant name, or by an index at line 1, column 8',
    ],
    [
      'SELECT dateTrunc({variables.v}, timestamp) FROM events',
      "The unit of 'dateTrunc' has to be a constant text, such as 'day' at line 1, column 8",
    ],
    [
      'SELECT toDateTime64(timestamp, 11) FROM events',
      'The scale of a datetime has to be a constant from 0 to 9.',
    ],
    [
      'SELECT quantile({variables.v})(1) FROM events',
      "The parameters of 'quantile' are constants at line 1, column 17",
    ],
  ])('is rejected: %s', async (text, detail) => {
    expect(await create(tenant, hogql(text))).toEqual(refused('query', `Invalid HogQL query: ${detail}`))
  })
})
