// Suggestions of a model that a server plays: what it is asked, what becomes of its responses, who may ask for them, and how often.
import { describe, expect, it } from 'vitest'
import { conditionsSource, REWRITE_CONTRACT } from '../../../src/endpoints/materialization/analysis/rules'
import { NOT_FOUND, refused, seen } from '../../support/responses'
import { activitiesOf, countVersions, define, hogql, trends } from '../../support/endpoints/endpoints'
import { createHarness } from '../../support/harness'
import { MODEL_KEY, playModel, says } from '../../support/server/model'
import type { ModelCall } from '../../support/server/serve-model'
import { approve, askingTenant, GOOD, REASON, REFUSED, suggest } from '../../support/server/suggestions'
import { createTenant } from '../../support/tenant'

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

  it('rejects a suggestion that fails the checks, and says why', async () => {
    const { tenant, calls } = await askingTenant(WRONG.flatMap(([, query]) => [says(query), says(GOOD)]))
    await tenant.variable({ name: 'who' })
    for (const [index, [what, query, failure]] of WRONG.entries()) {
      expect([what, seen(await suggest(tenant))]).toEqual([
        what,
        answered({ suggestion_status: 'ok', suggested_query: GOOD, explanation: 'Because.', attempts: 2 }),
      ])
      const [first, second] = (await calls()).slice(2 * index).map(messagesOf)
      expect(second!.slice(0, 2)).toEqual(first)
      expect(second!.slice(2)).toEqual([
        { role: 'assistant', content: says(query).says },
        { role: 'user', content: expect.any(String) },
      ])
      const [, told] = /^This will not do: (.*)\nAnswer again, with that put right\.$/.exec(
        second![3]!.content,
      )!
      expect([what, told]).toEqual([what, failure])
    }
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

  it('asks again after anything but an object of the schema', async () => {
    const texts = [
      'Here is your query: SELECT 1',
      says(GOOD).says.slice(0, -1),
      '{"explanation": "Because."}',
      JSON.stringify({ suggested_query: GOOD }),
      '{"suggested_query": 1, "explanation": "Because."}',
      '{"suggested_query": " ", "explanation": "Because."}',
      '[]',
      null,
    ]
    const { tenant, calls } = await askingTenant(texts.flatMap((text) => [{ says: text }, says(GOOD)]))
    for (const [index, text] of texts.entries()) {
      expect([text, seen(await suggest(tenant))]).toEqual([
        text,
        answered({ suggestion_status: 'ok', suggested_query: GOOD, explanation: 'Because.', attempts: 2 }),
      ])
      const second = messagesOf((await calls())[2 * index + 1]!)
      expect(second[2]).toEqual({ role: 'assistant', content: text ?? '' })
      expect(second[3]!.content).toContain('That was not the JSON object')
    }
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
})

describe('access to suggestions', () => {
  const inWords = (status: number, error: string) => ({ status, body: { error } })
  const OFF = inWords(404, 'AI materialization suggestions are not enabled for this project.')
  const FORBIDDEN = inWords(403, 'Enable AI data processing for this organization to use AI suggestions.')

  it('is checked in this order: endpoint, model, organization, version, kind, need', async () => {
    const { tenant, calls } = await askingTenant([])
    await tenant.endpoint({ name: 'insight', query: trends() })
    await tenant.endpoint({ name: 'fine', query: hogql('SELECT count() FROM events') })
    const off = createHarness({ bindings: { AI_MODEL: '', AI_BASE_URL: '' } })
    const offFor = (name: string) =>
      off.send('POST', tenant.endpoints(`${name}/materialization_suggestion`), {
        body: { version: 9 },
        headers: { Authorization: `Bearer ${tenant.key}` },
      })
    await approve(tenant, null)
    expect(seen(await offFor('nothing'))).toEqual(NOT_FOUND)
    expect(seen(await suggest(tenant, 'nothing', { version: 9 }))).toEqual(NOT_FOUND)
    expect(seen(await offFor('insight'))).toEqual(OFF)
    for (const isApproved of [null, false]) {
      await approve(tenant, isApproved)
      expect(seen(await suggest(tenant, 'insight', { version: 9 }))).toEqual(FORBIDDEN)
    }
    await approve(tenant, true)
    expect(seen(await suggest(tenant, 'insight', { version: 9 }))).toEqual(
      inWords(404, 'Version 9 not found'),
    )
    expect(seen(await suggest(tenant, 'insight'))).toEqual(
      inWords(400, 'AI materialization suggestions are only available for SQL endpoints.'),
    )
    expect(seen(await suggest(tenant, 'fine'))).toEqual(
      inWords(400, 'This query can already be materialized.'),
    )
    expect(seen(await suggest(tenant, 'nothing', { version: 'x' }))).toEqual(
      refused('version', 'A valid integer is required.'),
    )
    expect(seen(await suggest(tenant, 'fine', { versions: 1 }))).toEqual(
      refused('versions', 'Unknown field: versions. Did you mean version?', 'unknown_field'),
    )
    expect(await calls()).toEqual([])
  })

  it('is off without the name of a model, or without a provider', async () => {
    for (const bindings of [{ AI_MODEL: '' }, { AI_BASE_URL: '' }] as Partial<Env>[]) {
      const { tenant } = await askingTenant([says(GOOD)], bindings)
      expect(seen(await suggest(tenant))).toEqual(OFF)
    }
  })

  it('is enabled by admins', async () => {
    const member = await createTenant()
    const { status } = await member.patch(`/api/organizations/${member.organizationId}/`, {
      is_ai_data_processing_approved: true,
    })
    expect(status).toBe(403)
  })

  it('is counted by user: ten a minute, a hundred a day, rejections of other kinds among them', async () => {
    const { tenant, calls } = await askingTenant([], { THROTTLES: 'on' })
    await approve(tenant, false)
    for (let minute = 0; minute < 10; minute += 1) {
      for (let call = 0; call < 10; call += 1) expect(seen(await suggest(tenant))).toEqual(FORBIDDEN)
      // What the minute rejects does not count for the day.
      expect((await suggest(tenant)).headers.get('Retry-After')).toBe('60')
      tenant.clock.advance({ minutes: 1 })
    }
    const response = await suggest(await tenant.withKey({}))
    expect(seen(response)).toEqual({
      status: 429,
      body: {
        type: 'throttled_error',
        code: 'throttled',
        detail: 'Request was throttled. Expected available in 85800 seconds.',
        attr: null,
      },
    })
    const environment = tenant
      .endpoints('refused/materialization_suggestion')
      .replace('projects', 'environments')
    expect((await tenant.post(environment)).status).toBe(429)
    tenant.clock.advance({ seconds: 85_800 })
    expect(seen(await suggest(tenant))).toEqual(FORBIDDEN)
    expect(await calls()).toEqual([])
  })
})

describe('a model that fails', () => {
  const UNREACHABLE = {
    status: 503,
    body: { error: 'The AI service could not be reached. Try again later.' },
  }
  const FAILED = {
    status: 502,
    body: { error: 'The AI suggestion service failed. Try again, or edit the query manually.' },
  }

  it('responds with 503 when it is unreachable', async () => {
    const { tenant } = await askingTenant([], { AI_BASE_URL: 'http://127.0.0.1:1/v1' })
    const response = await suggest(tenant)
    expect(seen(response)).toEqual(UNREACHABLE)
    expect(response.headers.get('Retry-After')).toBe('30')
    expect(response.line.error).toContain('ModelUnreachable')
  })

  it('responds with 502 when it fails, and logs neither the key nor the messages', async () => {
    const elsewhere = await playModel([says(GOOD)])
    const failures = [
      { status: 401, body: `{"error": {"message": "Incorrect API key provided: ${MODEL_KEY}"}}` },
      { status: 429, body: '{"error": {"message": "Rate limit reached"}}' },
      { status: 500, body: 'oops' },
      { status: 307, body: '', headers: { Location: `${elsewhere.baseUrl}/chat/completions` } },
      { status: 200, body: '<html></html>' },
      { status: 200, body: '{"choices": []}' },
    ]
    const { tenant, calls } = await askingTenant(failures)
    for (const [index, failure] of failures.entries()) {
      const response = await suggest(tenant)
      expect([failure, seen(response)]).toEqual([failure, FAILED])
      expect(await calls()).toHaveLength(index + 1)
      expect(response.line.error).toContain('ModelFailed')
      const said = JSON.stringify([tenant.lines, [...response.headers]])
      for (const secret of [MODEL_KEY, 'Rate limit', 'oops', 'HAVING']) expect(said).not.toContain(secret)
    }
    expect(await elsewhere.calls()).toEqual([])
  })

  it('responds with 502 for an invalid address', async () => {
    const { tenant } = await askingTenant([], { AI_BASE_URL: 'not an address' })
    expect(seen(await suggest(tenant))).toEqual(FAILED)
  })

  it('is one also behind a first suggestion', async () => {
    const { tenant, calls } = await askingTenant([says(REFUSED), { status: 503, body: '' }])
    expect(seen(await suggest(tenant))).toEqual(FAILED)
    expect(await calls()).toHaveLength(2)
  })
})
