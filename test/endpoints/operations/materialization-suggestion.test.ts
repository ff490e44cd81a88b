// Suggestions of a model that a server plays: what it is asked, and what becomes of its responses.
import { describe, expect, it } from 'vitest'
import { conditionsSource, REWRITE_CONTRACT } from '../../../src/endpoints/materialization/analysis/rules'
import { seen } from '../../support/responses'
import { activitiesOf, countVersions, define, hogql } from '../../support/endpoints/endpoints'
import { MODEL_KEY, says } from '../../support/server/model'
import type { ModelCall } from '../../support/server/serve-model'
import { askingTenant, GOOD, REASON, REFUSED, suggest } from '../../support/server/suggestions'

type Wrong = [what: string, query: string, failure: string]

const WRONG: Wrong[] = [
  ['is refused as the query itself is', REFUSED, REASON],
  [
    'has lost a variable',
    "SELECT event, count() AS n FROM events WHERE event = 'x' GROUP BY event",
    'The placeholders have to stay the same ones (missing: {variables.name}).',
  ],
  [
    'has another variable',
    'SELECT event, count() AS n FROM events WHERE event = {variables.name} AND distinct_id = {variables.who} GROUP BY event',
    'The placeholders have to stay the same ones (not in the query before: {variables.who}).',
  ],
  [
    'calls a column otherwise',
    'SELECT event, count() AS total FROM events WHERE event = {variables.name} GROUP BY event',
    'The columns have to stay the same, by name, type and order: event (string), n (integer); not event (string), total (integer).',
  ],
  [
    'has a column of another type',
    'SELECT event, toString(count()) AS n FROM events WHERE event = {variables.name} GROUP BY event',
    'The columns have to stay the same, by name, type and order: event (string), n (integer); not event (string), n (string).',
  ],
  [
    'has its columns in another order',
    'SELECT count() AS n, event FROM events WHERE event = {variables.name} GROUP BY event',
    'The columns have to stay the same, by name, type and order: event (string), n (integer); not n (integer), event (string).',
  ],
  [
    'reads what there is not',
    'SELECT event, count() AS n FROM sqlite_master WHERE event = {variables.name} GROUP BY event',
    expect.stringMatching(/^Invalid HogQL query: Unknown table 'sqlite_master'/),
  ],
  ['does not parse', 'SELECT event {variables.name} FROM', expect.stringMatching(/^Invalid HogQL query: /)],
]

const messagesOf = ({ body }: ModelCall) =>
  (body as { messages: { role: string; content: string }[] }).messages

const answered = (rest: Record<string, unknown>) => ({
  status: 200,
  body: {
    suggested_query: null,
    explanation: null,
    error: null,
    original_reason: REASON,
    ...rest,
  },
})

describe('POST endpoints/:name/materialization_suggestion', () => {
  it('rewrites the SQL inside a node for a user interface', async () => {
    const { tenant, calls } = await askingTenant([says(GOOD)])
    await tenant.endpoint({
      name: 'shown',
      query: { kind: 'DataVisualizationNode', source: hogql(REFUSED) },
    })
    expect(seen(await suggest(tenant, 'shown'))).toEqual(
      answered({
        suggestion_status: 'ok',
        suggested_query: GOOD,
        explanation: expect.anything(),
        attempts: 1,
      }),
    )
    expect(await calls()).toHaveLength(1)
  })

  it('returns a query that passes the checks, and saves nothing', async () => {
    const { tenant, endpoint, calls } = await askingTenant([says(GOOD, 'The filter stands in WHERE now.')])
    const before = (await tenant.get(tenant.endpoints('refused'))).body
    const activity = await activitiesOf(tenant, endpoint.id)
    const response = await suggest(tenant)
    expect(seen(response)).toEqual(
      answered({
        suggestion_status: 'ok',
        suggested_query: GOOD,
        explanation: 'The filter stands in WHERE now.',
        attempts: 1,
      }),
    )
    expect(await calls()).toHaveLength(1)
    expect(response.line.d1_rows_written).toBe(0)
    expect((await tenant.get(tenant.endpoints('refused'))).body).toEqual(before)
    expect(await countVersions(endpoint.id)).toBe(1)
    expect(await activitiesOf(tenant, endpoint.id)).toEqual(activity)
    // What it gives is what an update takes.
    await tenant.patch(tenant.endpoints('refused'), { query: hogql(GOOD) })
    const preview = await tenant.post(tenant.endpoints('refused/materialization_preview'))
    expect(preview.body.can_materialize).toBe(true)
  })

  it('sends the query to the model, the reason, the conditions and the contract, and nothing else', async () => {
    const { tenant, calls } = await askingTenant([says(GOOD)])
    await suggest(tenant)
    const [call] = await calls()
    expect([call!.path, call!.headers.authorization]).toEqual(['/v1/chat/completions', `Bearer ${MODEL_KEY}`])
    const { messages, ...settings } = call!.body as { messages: { role: string; content: string }[] }
    expect(settings).toEqual({
      model: 'a-model',
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'suggestion',
          strict: true,
          schema: {
            type: 'object',
            properties: {
              suggested_query: { type: ['string', 'null'] },
              explanation: { type: ['string', 'null'] },
            },
            required: ['suggested_query', 'explanation'],
            additionalProperties: false,
          },
        },
      },
    })
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(messages[0]!.content).toContain(conditionsSource())
    expect(messages[0]!.content).toContain(REWRITE_CONTRACT)
    expect(messages[1]!.content).toBe(`<query>\n${REFUSED}\n</query>\nThe checks reject it: ${REASON}`)
    const said = JSON.stringify(call!.body)
    const { user, projectToken, organizationId } = tenant
    for (const secret of [
      'a secret default',
      'Ours.',
      user.email,
      projectToken,
      organizationId,
      tenant.key,
    ]) {
      expect(said).not.toContain(secret)
    }
  })

  it.each(WRONG)('rejects a suggestion that %s, and says so', async (_, query, failure) => {
    const { tenant, calls } = await askingTenant([says(query), says(GOOD)])
    await tenant.variable({ name: 'who' })
    expect(seen(await suggest(tenant))).toEqual(
      answered({ suggestion_status: 'ok', suggested_query: GOOD, explanation: 'Because.', attempts: 2 }),
    )
    const [first, second] = (await calls()).map(messagesOf)
    expect(second!.slice(0, 2)).toEqual(first)
    expect(second!.slice(2)).toEqual([
      { role: 'assistant', content: says(query).says },
      { role: 'user', content: expect.any(String) },
    ])
    const [, told] = /^This will not do: (.*)\nAnswer again, with that put right\.$/.exec(
      second![3]!.content,
    )!
    expect(told).toEqual(failure)
  })

  it('returns the last suggestion and its error after three attempts', async () => {
    const [, [, lost], , [, renamed, failure]] = WRONG as [Wrong, Wrong, Wrong, Wrong]
    const { tenant, calls } = await askingTenant([says(REFUSED), says(lost), says(renamed, 'At last.')])
    expect(seen(await suggest(tenant))).toEqual(
      answered({
        suggestion_status: 'invalid',
        suggested_query: renamed,
        explanation: 'At last.',
        attempts: 3,
        error: failure,
      }),
    )
    expect(await calls()).toHaveLength(3)
  })

  it('accepts null as a response', async () => {
    const { tenant, calls } = await askingTenant([says(null, 'Every group is needed for every value.')])
    expect(seen(await suggest(tenant))).toEqual(
      answered({
        suggestion_status: 'cannot_fix',
        explanation: 'Every group is needed for every value.',
        attempts: 1,
      }),
    )
    expect(await calls()).toHaveLength(1)
  })

  it.each([
    ['prose', 'Here is your query: SELECT 1'],
    ['JSON that ends early', says(GOOD).says.slice(0, -1)],
    ['an object without the query', '{"explanation": "Because."}'],
    ['an object without the explanation', JSON.stringify({ suggested_query: GOOD })],
    ['a query that is no text', '{"suggested_query": 1, "explanation": "Because."}'],
    ['a blank query', '{"suggested_query": " ", "explanation": "Because."}'],
    ['a list', '[]'],
    ['nothing', null],
  ])('asks again after %s', async (_, text) => {
    const { tenant, calls } = await askingTenant([{ says: text }, says(GOOD)])
    expect(seen(await suggest(tenant))).toEqual(
      answered({ suggestion_status: 'ok', suggested_query: GOOD, explanation: 'Because.', attempts: 2 }),
    )
    const [, second] = (await calls()).map(messagesOf)
    expect(second![2]).toEqual({ role: 'assistant', content: text ?? '' })
    expect(second![3]!.content).toContain('That was not the JSON object')
  })

  it('stops when the model never answers in the schema', async () => {
    const { tenant, calls } = await askingTenant([{ says: 'Hm.' }, { says: '{}' }, { says: null }])
    expect(seen(await suggest(tenant))).toEqual(
      answered({
        suggestion_status: 'model_error',
        attempts: 3,
        error: 'The AI model did not return a usable suggestion.',
      }),
    )
    expect(await calls()).toHaveLength(3)
  })

  it('keeps an earlier suggestion when later answers are invalid', async () => {
    const { tenant } = await askingTenant([says(REFUSED), { says: 'Hm.' }, { says: 'Hm.' }])
    expect(seen(await suggest(tenant))).toEqual(
      answered({
        suggestion_status: 'invalid',
        suggested_query: REFUSED,
        explanation: 'Because.',
        attempts: 3,
        error: REASON,
      }),
    )
  })

  it('compares columns by what properties are now', async () => {
    const { tenant } = await askingTenant([
      says('SELECT properties.price AS p FROM events WHERE event = {variables.name}'),
    ])
    await tenant.endpoint({
      name: 'prices',
      query: hogql("SELECT properties.price AS p FROM events WHERE event = {variables.name} OR event = ''"),
    })
    await define(tenant, { owner: 'event', name: 'price', type: 'Numeric' })
    expect((await suggest(tenant, 'prices')).body).toMatchObject({ suggestion_status: 'ok', attempts: 1 })
  })

  it('keeps {filters} where they are', async () => {
    const without = 'SELECT count() AS n FROM events WHERE event = {variables.name}'
    const { tenant } = await askingTenant([says(without), says(`${without} AND {filters}`)])
    await tenant.endpoint({
      name: 'filtered',
      query: hogql(
        'SELECT count() AS n FROM events WHERE (event = {variables.name} OR 1 = 2) AND {filters}',
        {
          filters: { dateRange: { date_from: '2026-01-01' } },
        },
      ),
    })
    expect((await suggest(tenant, 'filtered')).body).toMatchObject({ suggestion_status: 'ok', attempts: 2 })
  })

  it('uses the named version', async () => {
    const { tenant, endpoint, calls } = await askingTenant([says(GOOD), says(GOOD)])
    await tenant.patch(tenant.endpoints('refused'), { query: hogql('SELECT count() FROM events') })
    expect(await countVersions(endpoint.id)).toBe(2)
    for (const version of [1, '1']) {
      expect((await suggest(tenant, 'refused', { version })).body.suggestion_status).toBe('ok')
    }
    expect(messagesOf((await calls())[0]!)[1]!.content).toContain(REFUSED)
    for (const body of [{}, { version: null }, { version: 2 }]) {
      expect((await suggest(tenant, 'refused', body)).status).toBe(400)
    }
  })

  it('returns the same inside the environment', async () => {
    const { tenant } = await askingTenant([says(GOOD), says(GOOD)])
    const path = tenant.endpoints('refused/materialization_suggestion')
    expect(seen(await tenant.post(path.replace('/projects/', '/environments/')))).toEqual(
      seen(await tenant.post(path)),
    )
  })
})
