// Actions: named conditions on events, and the queries that read them.
import { beforeAll, describe, expect, it } from 'vitest'
import { eq } from 'drizzle-orm'
import { actions } from '../../../drizzle'
import { FILTER_OPERATORS } from '../../../src/hogql/resolve/filters/operators'
import { event, sendBatch } from '../../support/capture'
import { hogql } from '../../support/endpoints/endpoints'
import { NOT_FOUND, refused, seen } from '../../support/responses'
import { createTenant, database, type Tenant } from '../../support/tenant'

const at = ({ projectId }: Tenant, rest: string | number = '') =>
  `/api/projects/${projectId}/actions/${rest}${rest === '' ? '' : '/'}`

const CHAIN =
  'a.btn.primary:attr__class="btn primary"attr_id="pay"href="/pay"nth-child="2"text="Pay now";div.card:nth-child="1";body:nth-child="1"'

let tenant: Tenant
let other: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  other = await createTenant({ harness: tenant })
  await sendBatch(tenant, [
    event('ada', { $current_url: 'https://a.test/thanks?x=1', plan: 'pro' }, '$pageview'),
    event('bob', { $current_url: 'https://a.test/THANKS', plan: 'free' }, '$pageview'),
    event('cy', { $current_url: 'https://a.test/', plan: 'pro' }, '$pageview'),
    event('ada', { $elements_chain: CHAIN }, '$autocapture'),
    event('bob', { $elements_chain: 'button:text="Pay later";a.btn:href="/x"' }, '$autocapture'),
    event('cy', { amount: 3 }, 'paid'),
  ])
})

type Body = Record<string, unknown>

const create = async (body: Body, by: Tenant = tenant) => (await by.post(at(by), { name: 'x', ...body })).body

const query = (sent: Body, by: Tenant = tenant) =>
  by.post(`/api/projects/${by.projectId}/query/`, { query: sent })

/** Who does what the steps name. */
async function whoMatches(steps: Body[]): Promise<string[]> {
  const { id } = await create({ steps })
  const sql = `SELECT arraySort(groupUniqArray(distinct_id)) FROM events WHERE matchesAction(${id})`
  const { body } = await query({ kind: 'HogQLQuery', query: sql })
  return body.results?.[0][0] ?? body.detail
}

describe('actions', () => {
  it('are created, listed, changed, deleted and restored, each with an entry in the log', async () => {
    const own = await createTenant({ harness: tenant })
    const created = await own.post(at(own), {
      name: ' Paid ',
      tags: ['B', 'a', 'b'],
      steps: [{ event: 'paid' }],
      post_to_slack: true,
    })
    const record = {
      id: created.body.id,
      name: 'Paid',
      description: '',
      tags: ['a', 'b'],
      post_to_slack: false,
      slack_message_format: '',
      steps: [{ event: 'paid' }],
      created_at: '2026-03-10T12:00:00Z',
      created_by: expect.objectContaining({ id: own.user.id }),
      deleted: false,
      is_calculating: false,
      last_calculated_at: '2026-03-10T12:00:00Z',
      team_id: own.projectId,
      is_action: true,
      bytecode_error: null,
      pinned_at: null,
    }
    expect(seen(created)).toEqual({ status: 201, body: record })
    expect((await own.get(at(own))).body).toEqual({ count: 1, next: null, previous: null, results: [record] })
    const changed = await own.patch(at(own, record.id), { steps: [{ event: 'bought' }] })
    expect(changed.body).toEqual({ ...record, steps: [{ event: 'bought' }] })
    expect((await own.get(at(own, record.id))).body).toEqual(changed.body)
    expect((await own.patch(at(own, record.id), { deleted: true })).body.deleted).toBe(true)
    expect(seen(await own.get(at(own, record.id)))).toEqual(NOT_FOUND)
    expect((await own.get(at(own))).body.count).toBe(0)
    expect((await own.put(at(own, record.id), { deleted: false })).body.deleted).toBe(false)
    const log = await own.get(`/api/projects/${own.projectId}/activity_log/?scope=Action`)
    expect(log.body.results.map(({ activity, item_id: item }: Body) => [activity, item])).toEqual(
      ['restored', 'deleted', 'updated', 'created'].map((verb) => [verb, String(record.id)]),
    )
  })

  it.each([
    [{}, 'name'],
    [{ name: 'x', pinned_at: 'null' }, 'pinned_at'],
    [{ name: 'x', steps: [{ event: 'a', nope: 1 }] }, 'steps__0__nope'],
    [{ name: 'x', steps: [{ url: 'a', url_matching: 'like' }] }, 'steps__0__url_matching'],
    [{ name: 'x', steps: Array.from({ length: 21 }, () => ({})) }, 'steps'],
    [{ name: 'x', steps: [{ properties: [{}] }] }, 'steps__0__properties__0__key'],
    [
      { name: 'x', steps: [{ properties: [{ key: 'k', negation: true }] }] },
      'steps__0__properties__0__negation',
    ],
    [{ name: 'x', steps: [{ properties: [{ key: 'k', value: 'x'.repeat(21_000) }] }] }, 'steps'],
  ])('rejects %j', async (body, attr) => {
    const { status, body: error } = await tenant.post(at(tenant), body)
    expect([status, error.attr]).toEqual([400, attr])
  })

  const click = { event: '$autocapture' }
  const filter = (more: Body) => ({ properties: [{ key: 'k', value: 'x', ...more }] })
  const pattern = `'(' is not a regular expression of RE2: error parsing regexp: missing closing ): \`(\``
  it.each<[Body, string]>([
    [
      { ...click, selector: 'a >' },
      `The selector 'a >' cannot be matched: use tags, classes, ids, [name="value"] and :nth-child(n)`,
    ],
    [{ url: '(', url_matching: 'regex' }, `${pattern}.`],
    [{ ...click, text: '(', text_matching: 'regex' }, `${pattern}.`],
    [{ ...click, href: '(', href_matching: 'regex' }, `${pattern}.`],
    [filter({ operator: 'regex', value: '(' }), `${pattern}.`],
    [
      filter({ operator: 'zz' }),
      `The operator 'zz' of the filter on 'k' is not supported. Supported: ${FILTER_OPERATORS.join(', ')}`,
    ],
    [
      filter({ operator: 'is_date_before', value: 'zzz' }),
      "The filter on 'k' takes a date, such as '2026-01-31', or a distance, such as '-7d'",
    ],
    [
      filter({ operator: 'between', value: 'zzz' }),
      "The filter on 'k' takes two numbers, the first one not larger: [low, high]",
    ],
    [
      filter({ operator: 'semver_gt', value: 'abc' }),
      "The filter on 'k': 'abc' is not a version such as 1.2.3",
    ],
    [
      filter({ type: 'zz' }),
      "Filters of type 'zz' are not supported. Supported: event, event_metadata, feature, person, person_metadata, group, session, cohort, element, flag, action, hogql",
    ],
    [filter({ value: { a: 1 } }), "The value of the filter on 'k' is not supported"],
    [
      filter({ type: 'group', group_type_index: 99 }),
      "The filter on 'k' of a group needs a group_type_index from 0 to 4",
    ],
    [filter({ key: '1', type: 'hogql' }), "Filters may not have the types 'hogql' and 'action' here"],
    [
      filter({ key: 'id', type: 'action', value: 1 }),
      "Filters may not have the types 'hogql' and 'action' here",
    ],
  ])('reject what no query can compile: %j', async (step, detail) => {
    const { id } = await create({ steps: [{ event: 'paid' }] })
    const steps = [{ event: 'paid' }, step]
    const no = refused('steps', `Step 2: ${detail}`)
    expect(seen(await tenant.post(at(tenant), { name: 'x', steps }))).toEqual(no)
    expect(seen(await tenant.patch(at(tenant, id), { steps }))).toEqual(no)
    const actionSteps = steps
    expect(seen(await query({ kind: 'EventsQuery', select: ['event'], actionSteps }))).toEqual(
      refused('query', `Invalid HogQL query: Step 2: ${detail}`),
    )
  })

  it('reject a filter with a misspelt member, also in a query', async () => {
    const steps = [filter({ operatr: 'is_not' })]
    expect(seen(await tenant.post(at(tenant), { name: 'x', steps }))).toEqual(
      refused(
        'steps__0__properties__0__operatr',
        'Unknown field: operatr. Did you mean operator?',
        'unknown_field',
      ),
    )
    const sent = { kind: 'EventsQuery', select: ['event'], actionSteps: steps }
    expect((await query(sent)).body.detail).toBe(
      'JSON parse error - query.actionSteps.0.properties.0: Unknown field: operatr. Did you mean operator?',
    )
    const filters = { properties: [{ type: 'action', key: 'steps', value: steps }] }
    expect(
      seen(await query({ kind: 'HogQLQuery', query: 'SELECT 1 FROM events WHERE {filters}', filters })),
    ).toEqual(
      refused('query', 'Invalid HogQL query: The steps of an action are malformed at line 1, column 28'),
    )
  })

  it('that are stored may be read, and changed but for their steps', async () => {
    const { id } = await create({ name: 'Stored', steps: [{ event: 'paid' }] })
    const steps = [{ event: 'paid' }, { url: '(', url_matching: 'regex' as const }]
    await database().update(actions).set({ steps }).where(eq(actions.id, id))
    const { body } = await tenant.get(at(tenant, id))
    expect(body.steps).toEqual(steps)
    expect((await tenant.patch(at(tenant, id), { ...body, description: 'y' })).body).toEqual({
      ...body,
      description: 'y',
    })
    for (const [reference, named] of [
      [id, id],
      ["'Stored'", '"Stored"'],
    ]) {
      const sql = `SELECT count() FROM events WHERE matchesAction(${reference})`
      expect(seen(await query({ kind: 'HogQLQuery', query: sql }))).toEqual(
        refused('query', `Invalid HogQL query: Action ${named}: Step 2: ${pattern} at line 1, column 48`),
      )
    }
  })

  it('reject a cohort that queries would not find', async () => {
    const made = async (by: Tenant) =>
      (await by.post(`/api/projects/${by.projectId}/cohorts/`, { name: 'c', is_static: true, csv: 'ada' }))
        .body.id
    const [own, foreign] = [await made(tenant), await made(other)]
    const stepsWith = (value: unknown) => [{ properties: [{ key: 'id', type: 'cohort', value }] }]
    const { id } = await create({ steps: stepsWith(own) })
    const sent = { kind: 'EventsQuery', select: ['distinct_id'], actionSteps: stepsWith(own) }
    expect((await query(sent)).body.results).toEqual(expect.arrayContaining([['ada']]))
    for (const missing of [foreign, 99_999]) {
      const no = refused(
        'steps',
        `Step 1: Could not find a static cohort with the id ${missing}. Queries read no dynamic ones: write their conditions in their place`,
      )
      const steps = stepsWith(missing)
      expect(seen(await tenant.post(at(tenant), { name: 'x', steps }))).toEqual(no)
      expect(seen(await tenant.patch(at(tenant, id), { steps }))).toEqual(no)
    }
  })

  it('are at most 500 in a project, also of those that are restored together', async () => {
    const own = await createTenant({ harness: tenant })
    const values = (name: string, deleted: boolean) => ({
      projectId: own.projectId,
      name,
      description: '',
      tags: [],
      steps: [],
      deleted,
      createdAt: '2026-01-01T00:00:00Z',
    })
    for (let first = 0; first < 499; first += 5)
      await database()
        .insert(actions)
        .values(
          Array.from({ length: Math.min(5, 499 - first) }, (_, index) => values(`${first + index}`, false)),
        )
    const deleted = await database()
      .insert(actions)
      .values([1, 2, 3, 4].map((index) => values(`deleted ${index}`, true)))
      .returning({ id: actions.id })
    const responses = await Promise.all(deleted.map(({ id }) => own.patch(at(own, id), { deleted: false })))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
    const full = refused(null, 'A project may have at most 500 actions.')
    expect(responses.find(({ status }) => status === 400)).toMatchObject(full)
    expect(await own.post(at(own), { name: 'one more' })).toMatchObject(full)
  })

  it('keep when they were pinned, in the time of UTC', async () => {
    const { id, pinned_at: pinned } = await create({ pinned_at: '2026-04-02T11:00:00+02:00' })
    expect(pinned).toBe('2026-04-02T09:00:00Z')
    expect((await tenant.patch(at(tenant, id), { pinned_at: '2026-04-03' })).body.pinned_at).toBe(
      '2026-04-03T00:00:00Z',
    )
    expect((await tenant.patch(at(tenant, id), { description: 'x' })).body.pinned_at).toBe(
      '2026-04-03T00:00:00Z',
    )
    expect((await tenant.patch(at(tenant, id), { pinned_at: null })).body.pinned_at).toBeNull()
  })

  it('belong to their project', async () => {
    const { id } = await create({ name: 'Private', steps: [{ event: 'paid' }] })
    expect(seen(await other.get(at(other, id)))).toEqual(NOT_FOUND)
    for (const reference of [id, "'Private'"]) {
      const sql = `SELECT count() FROM events WHERE matchesAction(${reference})`
      expect(seen(await query({ kind: 'HogQLQuery', query: sql }, other))).toEqual(
        refused(
          'query',
          `Invalid HogQL query: Action ${String(reference).replaceAll("'", '"')} does not exist at line 1, column 48`,
        ),
      )
    }
    const misspelt = `SELECT matchesAction('Pirvate') FROM events`
    expect(seen(await query({ kind: 'HogQLQuery', query: misspelt }))).toEqual(
      refused(
        'query',
        `Invalid HogQL query: Action "Pirvate" does not exist (did you mean 'Private'?) at line 1, column 22`,
      ),
    )
  })
})

describe('matchesAction', () => {
  const click = { event: '$autocapture' }
  it.each<[string, Body[], string[]]>([
    ['an event', [{ event: 'paid' }], ['cy']],
    ['any of its steps', [{ event: 'paid' }, { event: '$pageview', url: '/thanks' }], ['ada', 'cy']],
    ['no step', [], ['ada', 'bob', 'cy']],
    ['a URL that contains a text', [{ url: 'thanks' }], ['ada']],
    ['a URL', [{ url: 'https://a.test/', url_matching: 'exact' }], ['cy']],
    ['a URL by a pattern', [{ url: '(?i)thanks$', url_matching: 'regex' }], ['bob']],
    ['properties', [{ event: '$pageview', properties: [{ key: 'plan', value: ['pro'] }] }], ['ada', 'cy']],
    ['a text', [{ ...click, text: 'Pay now' }], ['ada']],
    ['a text that contains another', [{ ...click, text: 'pay', text_matching: 'contains' }], ['ada', 'bob']],
    ['a link', [{ ...click, href: '/pay' }], ['ada']],
    ['a tag', [{ ...click, tag_name: 'button' }], ['bob']],
    ['a class', [{ ...click, selector: 'a.primary' }], ['ada']],
    ['classes and an id', [{ ...click, selector: '.primary.btn#pay' }], ['ada']],
    ['a child', [{ ...click, selector: 'div.card > a.btn' }], ['ada']],
    ['an element further inside', [{ ...click, selector: 'body a[href="/pay"]:nth-child(2)' }], ['ada']],
    ['no child of that', [{ ...click, selector: 'body > a' }], []],
    ['elements of a page only', [{ event: 'paid', selector: 'nothing' }], ['cy']],
  ])('holds for %s', async (_, steps, people) => {
    expect(await whoMatches(steps)).toEqual(people)
  })

  it('takes a name, and is compiled again when the action changes', async () => {
    const { id } = await create({ name: 'Bought it', steps: [{ event: 'paid' }] })
    const saved = await tenant.endpoint({
      query: hogql("SELECT count() FROM events WHERE matchesAction('Bought it') AND properties.amount = 3"),
    })
    const run = async () => (await tenant.post(tenant.endpoints(`${saved.name}/run`), {})).body
    expect(saved.materialization).toMatchObject({
      can_materialize: false,
      reason: 'Queries of actions are not supported for materialized endpoints.',
    })
    expect((await run()).results).toEqual([[1]])
    await tenant.patch(at(tenant, id), { steps: [{ event: 'nothing' }] })
    expect((await run()).results).toEqual([[0]])
    await tenant.patch(at(tenant, id), { deleted: true })
    expect(await run()).toMatchObject({ detail: expect.stringContaining('does not exist') })
    await tenant.delete(tenant.endpoints(saved.name))
  })

  it('counts in insights, filters and tables of events', async () => {
    const { id } = await create({
      name: 'Thanks',
      steps: [{ event: '$pageview', url: 'thanks' }, { event: 'paid' }],
    })
    const series = [{ kind: 'ActionsNode', id, name: 'Thanks', math: 'total' }]
    const dateRange = { date_from: '-7d' }
    const trends = await query({ kind: 'TrendsQuery', series, dateRange })
    expect(trends.body.results).toMatchObject([
      { label: 'Thanks', count: 2, action: { id, type: 'actions' } },
    ])
    const funnel = await query({
      kind: 'FunnelsQuery',
      series: [...series, { kind: 'EventsNode', event: '$autocapture' }],
      dateRange,
    })
    expect(funnel.body.results.map(({ count, type }: Body) => [count, type])).toEqual([
      [2, 'actions'],
      [0, 'events'],
    ])
    const properties = [{ type: 'action', key: 'id', value: id, operator: 'is_not' }]
    const filtered = await query({
      kind: 'TrendsQuery',
      series: [{ event: '$pageview' }],
      properties,
      dateRange,
    })
    expect(filtered.body.results[0].count).toBe(2)
    const rows = async (more: Body) =>
      (await query({ kind: 'EventsQuery', select: ['distinct_id'], orderBy: ['distinct_id'], ...more })).body
        .results
    expect(await rows({ actionId: id })).toEqual([['ada'], ['cy']])
    expect(await rows({ actionSteps: [{ event: 'paid' }] })).toEqual([['cy']])
    expect(seen(await query({ kind: 'TrendsQuery', series: [{ kind: 'ActionsNode' }] }))).toEqual(
      refused('query', 'An ActionsNode needs the id of an action.'),
    )
    const retention = await query({
      kind: 'RetentionQuery',
      retentionFilter: {
        targetEntity: { id, type: 'actions' },
        returningEntity: { id: '$autocapture', type: 'events' },
        totalIntervals: 1,
      },
    })
    expect(retention.body.results[0].values[0].count).toBe(2)
  })
})
