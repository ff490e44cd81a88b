// Sources as they were recorded: what PostHog answers and Halyard does not, and older versions of Unleash. And what an import does when a
// source is slow, moves, or ends in the middle.
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient, waitAfter } from '../../../src/import/client'
import type { Item } from '../../../src/import/model'
import type { JsonObject } from '../../../src/json'
import { eventsOf, moveStream } from '../../../src/import/people'
import { planImport } from '../../../src/import/plan'
import { posthogSource } from '../../../src/import/posthog/source'
import { duration, progressLine } from '../../../src/cli/import/progress'
import { reportOf } from '../../../src/cli/import/report'
import { durationOf } from '../../../src/import/run'
import type { ImportState, Progress } from '../../../src/import/memory'
import { printable } from '../../../src/import/printable'
import { type FeatureExport } from '../../../src/import/unleash/api'
import { flagItems } from '../../../src/import/unleash/items'
import type { Json } from './service'

const servers: Server[] = []
afterEach(() => servers.splice(0).forEach((server) => server.close()))

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function serve(answer: Answer): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const json = (response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))

/** A service that answers paths without their query. */
const serveRecorded = (paths: Readonly<Record<string, unknown>>) =>
  serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://any')
    const path = pathname.replace('/api/projects/2/', '') + (searchParams.get('archived') ? '?archived' : '')
    if (path === '') return void json(response, { id: 2 })
    if (!(path in paths)) return void json(response, { detail: 'Not found.' }, 404)
    json(response, paths[path])
  })

const page = (...results: Json[]) => ({ count: results.length, next: null, previous: null, results })

const plan = (items: readonly Item[], persons: readonly string[] = []) =>
  planImport({
    items,
    targets: [],
    memory: {},
    overwrite: false,
    persons: new Set(persons),
    awaitsPersons: false,
    maxGroupTypes: 5,
  })

const planOf = (items: readonly Item[], persons: readonly string[] = []) => reportOf(plan(items, persons))

const flag = (id: number, key: string, fields: Json = {}): Json => ({
  id,
  key,
  name: '',
  filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
  active: true,
  deleted: false,
  version: 3,
  created_at: '2024-05-01T10:00:00Z',
  created_by: { email: 'ada@example.com' },
  tags: [],
  ...fields,
})

describe('what PostHog answers', () => {
  it('comes over with its reasons', async () => {
    const behaviour = { key: '$pageview', type: 'behavioral', value: 'performed_event', time_value: 30 }
    const url = await serveRecorded({
      'groups_types/': [
        { group_type: 'company', group_type_index: 0 },
        { group_type: 'project', group_type_index: 1 },
      ],
      'groups/': page(),
      'cohorts/': page(
        {
          id: 5,
          name: 'Visitors',
          is_static: false,
          filters: { properties: { type: 'OR', values: [{ type: 'AND', values: [behaviour] }] } },
        },
        {
          id: 4,
          name: 'Old',
          is_static: false,
          filters: {},
          groups: [{ properties: [{ key: 'plan', value: 'paid' }] }],
        },
        { id: 3, name: 'Hidden', is_static: true, filters: null },
      ),
      'cohorts/5/persons/': page({ distinct_ids: ['zoe', 'ada'] }, { distinct_ids: ['bob'] }),
      'feature_flags/': page(
        flag(1, 'visitors', { filters: inCohort(5) }),
        flag(2, 'old', {
          filters: { ...inCohort(4), super_groups: [{ properties: [] }] },
          evaluation_tags: ['web'],
        }),
        flag(3, 'hidden', { filters: inCohort(3) }),
        flag(6, 'gone', { filters: inCohort(99) }),
        flag(13, 'no-groups', { filters: { groups: [{ properties: [], aggregation_group_type_index: 4 }] } }),
        flag(7, 'by-project', {
          filters: { groups: [{ properties: [], rollout_percentage: 50 }], aggregation_group_type_index: 1 },
        }),
        flag(8, 'secret', {
          is_remote_configuration: true,
          has_encrypted_payloads: true,
          filters: { groups: [{ properties: [] }], payloads: { true: '"********* (encrypted)"' } },
        }),
        flag(9, 'tries', { experiment_set: [12] }),
        flag(12, 'early', {
          ensure_experience_continuity: true,
          features: { '0188': { id: '0188', name: 'Early', stage: 'beta' } },
        }),
        flag(11, 'all-but', {
          filters: {
            groups: [
              {
                properties: [
                  { key: 'plan', type: 'person', operator: 'exact', value: 'paid', negation: true },
                ],
              },
            ],
          },
        }),
      ),
      'feature_flags/?archived': page(flag(10, 'archived', { active: false, archived: true })),
      'feature_flags/activity/': { results: [] },
      'endpoints/': page({ name: 'stories', is_active: true }),
      'endpoints/stories/versions/': page(
        { version: 4, query: { kind: 'HogQLQuery', query: 'SELECT 1' }, is_active: true },
        { version: 3, query: { kind: 'SessionsTimelineQuery' }, is_active: true },
      ),
      'property_definitions/': page({ id: 'p', name: 'wait', property_type: 'Duration', tags: ['slow'] }),
    })
    const source = posthogSource({ url, key: 'phx_key', project: '2', say: () => {} })
    const items = await source.readItems()
    expect(source.remarks()).toEqual([
      `Variables do not come over: GET ${url}/api/projects/2/insight_variables/ answered 404: Not found.`,
      `Definitions of events do not come over: GET ${url}/api/projects/2/event_definitions/ answered 404: Not found.`,
    ])
    expect(planOf(items, ['ada', 'bob'])).toEqual([
      'Group types: 2 not possible',
      '  cannot company, project: has no groups: a group type appears with its first group',
      'Definitions of properties: 4 not possible',
      '  cannot event wait, person wait, group company wait, group project wait: is unknown here until it is captured: import again then, or with events and persons',
      'Cohorts: 2 to create, 1 not possible',
      '  as it is: Old',
      '  changes Visitors: becomes static, with its 2 members of now: conditions on events are not supported here',
      '  cannot Hidden: its members cannot be read',
      'Flags: 6 to create, 5 not possible',
      '  as it is: visitors, archived',
      '  changes old: super_groups (early access enrollment) are left out: nothing evaluates them',
      '  changes tries: its experiments do not come over: they have no operations here',
      '  changes all-but: negation is left out: conditions of flags are evaluated without it, there and here',
      '  changes early: its early access features do not come over: they have no operations here',
      '  changes early: who signed in after an anonymous visit may get another value: the ids that were kept for continuity do not come over',
      '  cannot hidden: needs the cohort Hidden, which cannot come over',
      '  cannot gone: names the cohort 99, which does not exist',
      '  cannot by-project: needs the group type project, which cannot come over',
      '  cannot secret: has an encrypted payload that this key cannot read',
      '  cannot no-groups: names the group type 4, which does not exist: it appears with its first group',
      'Saved queries: 1 to create',
      expect.stringMatching(
        /^ {2}changes stories: version 3 is left out: query\.kind: Input should be one of: /,
      ),
      '  changes stories: version 4 becomes version 1',
    ])
    expect(items.find(({ key }) => key === 'Visitors')?.members).toEqual(['ada', 'bob'])
    const old = plan(items).find(({ item }) => item.key === 'old')!.item
    expect(old).toMatchObject({
      value: {
        evaluation_contexts: ['web'],
        filters: {
          groups: [
            {
              properties: [{ key: 'id', type: 'cohort', operator: 'in', value: 'Old' }],
              rollout_percentage: 100,
            },
          ],
        },
      },
      note: `Imported from ${url}, project 2, flag 2. Created 2024-05-01 by ada@example.com. Version 3.`,
    })
  })
})

/** The bodies of `posthog-shapes/`, by path. The first call of each stream is throttled. */
async function servePostHog(): Promise<string> {
  const throttled = new Set<string>()
  return serve((request, response) => {
    const { pathname, search } = new URL(request.url!, 'http://any')
    const path = pathname.replace('/api/projects/2/', '')
    const name = SHAPES[path] ?? path.replace(/\/$/, '')
    const file = join(import.meta.dirname, 'posthog-shapes', `${name}.json`)
    if (!existsSync(file)) return void json(response, { detail: 'Not found.' }, 404)
    if (['persons', 'groups', 'query'].includes(name) && !throttled.has(name)) {
      throttled.add(name)
      return void json(
        response,
        {
          type: 'throttled_error',
          code: 'throttled',
          detail: 'Request was throttled. Expected available in 42 seconds.',
          attr: null,
        },
        429,
        { 'Retry-After': '42' },
      )
    }
    const bodies = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    const part = Object.keys(bodies).find((each) => each !== '' && search.includes(each)) ?? ''
    json(response, bodies[part])
  })
}

const SHAPES: Readonly<Record<string, string>> = {
  '': 'project',
  'cohorts/11/persons/': 'cohort_persons',
  'feature_flags/activity/': 'activity',
}

describe('what PostHog answers, in all its fields', () => {
  it('is read page by page, with people, groups and events', async () => {
    const url = await servePostHog()
    const waits: number[] = []
    const source = posthogSource({
      url,
      key: 'phx_key',
      project: '2',
      say: () => {},
      wait: async (ms) => waits.push(ms),
    })
    const items = await source.readItems()
    expect(source.remarks()).toEqual([
      expect.stringMatching(/^Saved queries do not come over: .* answered 404: Not found\.$/),
    ])
    expect(planOf(items, ['0188-anonymous'])).toEqual([
      'Group types: 1 to create',
      '  as it is: company',
      'Definitions of events: 1 not possible',
      '  cannot $pageview: is unknown here until it is captured: import again then, or with events and persons',
      'Definitions of properties: 3 not possible',
      '  cannot event plan, person plan, group company plan: is unknown here until it is captured: import again then, or with events and persons',
      'Variables: 1 to create',
      '  as it is: event_name',
      'Cohorts: 2 to create',
      '  as it is: Testers, Paying',
      'Flags: 2 to create',
      '  as it is: for-paying, for-companies',
      'Dashboards: 1 not possible',
      '  cannot Growth: its tiles are insights, and those here are saved queries',
      'Scheduled changes: 2 to create, 1 not possible',
      '  as it is: for-paying update_status 2099-01-01T09:00:00Z',
      '  changes for-paying update_status weekly: it repeats in UTC, and no longer at a time of Europe/Berlin',
      '  cannot for-paying update_status 0 9 * * 1-5: repeats by the cron expression 0 9 * * 1-5: only intervals repeat here',
      'Settings of the project: 1 to create',
      '  as it is: settings',
    ])
    expect(items.find(({ key }) => key === 'Paying')?.value).toEqual({
      name: 'Paying',
      description: '',
      is_static: false,
      filters: {
        properties: {
          type: 'OR',
          values: [
            {
              type: 'AND',
              values: [{ key: 'plan', type: 'person', value: 'paid', operator: 'exact' }],
            },
          ],
        },
      },
    })
    expect(items.find(({ key }) => key === 'for-paying')).toMatchObject({
      initial: { created_at: '2024-05-01T10:00:00.000000Z', usage_dashboard: true },
      note: `Imported from ${url}, project 2, flag 21. Created 2024-05-01 by ada@example.com. Version 3.\n2024-06-01 ada@example.com updated active`,
    })
    const rowsOf = async (stream: 'person' | 'group' | 'event') => {
      const rows: unknown[] = []
      for (let cursor: string | null = null; ;) {
        const read = await source.readPage(stream, cursor)
        rows.push(...read!.rows)
        cursor = read!.next
        if (cursor === null) return rows
      }
    }
    expect(await rowsOf('group')).toEqual([
      {
        group_type: 'company',
        group_key: 'acme',
        properties: { name: 'Acme', plan: 'paid' },
        created_at: '2024-02-01T00:00:00Z',
      },
      {
        group_type: 'company',
        group_key: 'umbrella',
        properties: {},
        created_at: '2024-01-01T00:00:00Z',
      },
    ])
    expect(await rowsOf('person')).toEqual([
      {
        distinct_ids: ['ada', '0188-anonymous'],
        properties: { email: 'ada@example.com', plan: 'paid' },
        created_at: '2024-01-01T00:00:00Z',
      },
      { distinct_ids: ['bob'], properties: {}, created_at: '2024-01-02T00:00:00Z' },
    ])
    expect(await rowsOf('event')).toEqual([
      {
        uuid: '0188f0a0-0000-0000-0000-000000000501',
        event: '$pageview',
        distinct_id: 'ada',
        timestamp: '2024-06-01T00:00:00.123000Z',
        properties: { $pathname: '/', $groups: { company: 'acme' } },
      },
    ])
    expect(waits).toEqual([42_000, 42_000, 42_000])
  })
})

const inCohort = (value: number): Json => ({
  groups: [{ properties: [{ key: 'id', type: 'cohort', value, operator: 'in' }], rollout_percentage: 100 }],
})

describe('what older versions of Unleash answer', () => {
  const exported = (strategies: Json[], more: Json = {}) =>
    ({
      features: [{ name: 'a', type: 'kill-switch', stale: true, createdAt: '2023-01-02T00:00:00Z' }],
      featureStrategies: strategies.map((each) => ({ featureName: 'a', ...each })),
      featureEnvironments: [{ featureName: 'a', enabled: true }],
      ...more,
    }) as unknown as FeatureExport
  const filtersOf = (strategies: Json[], more?: Json) => {
    const [item] = flagItems(exported(strategies, more), [], 'Unleash', new Date('2026-03-10T12:00:00Z'))
    return item!.problem ?? item!.value.filters
  }
  const override = { contextName: 'userId', values: ['ada'] }
  const variant = (fields: Json): Json => ({ name: 'a', weight: 1000, stickiness: 'default', ...fields })

  it.each([
    [
      { name: 'userWithId', parameters: { userIds: 'ada, bob,' } },
      [{ key: 'distinct_id', type: 'person', operator: 'exact', value: ['ada', 'bob'] }],
      100,
    ],
    [{ name: 'userWithId', parameters: { userIds: '' } }, [], 0],
    [{ name: 'gradualRolloutUserId', parameters: { percentage: '30', groupId: 'a' } }, [], 30],
    [{ name: 'default' }, [], 100],
  ])('%j is a condition set', (strategy, properties, share) => {
    expect(filtersOf([strategy])).toEqual({ groups: [{ properties, rollout_percentage: share }] })
  })

  it.each([
    [{ name: 'gradualRolloutRandom', parameters: { percentage: '30' } }, 'the strategy gradualRolloutRandom'],
    [{ name: 'remoteAddress', parameters: { IPs: '127.0.0.1' } }, 'the strategy remoteAddress'],
    [{ name: 'flexibleRollout', parameters: { rollout: 'x' } }, 'a rollout of "x" %'],
    [{ name: 'default', segments: [9] }, 'the segment 9, which does not exist'],
    [
      {
        name: 'default',
        constraints: [{ contextName: 'age', operator: 'NUM_EQ', value: '1', inverted: true }],
      },
      'an inverted constraint NUM_EQ: there is no operator for different numbers',
    ],
    [
      {
        name: 'default',
        variants: [variant({ stickiness: 'random' }), variant({ name: 'b', stickiness: 'random' })],
      },
      'variants by random: they are drawn by the id of a person here',
    ],
    [{ name: 'default', variants: [variant({ overrides: [override] })] }, 'overrides of variants'],
  ])('%j has no equal', (strategy, what) => {
    expect(filtersOf([strategy])).toBe(`no equal here for ${what}`)
  })

  it('has variants of a feature, and none that differ between strategies', () => {
    // A single variant is drawn by nothing.
    const variants = [variant({ payload: { type: 'number', value: '7' }, stickiness: 'random' })]
    expect(
      filtersOf([{ name: 'default' }], {
        featureEnvironments: [{ featureName: 'a', enabled: true, variants }],
      }),
    ).toEqual({
      groups: [{ properties: [], rollout_percentage: 100 }],
      multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] },
      payloads: { a: '7' },
    })
    expect(filtersOf([{ name: 'default' }, { name: 'default', variants }])).toBe(
      'no equal here for variants that differ between its strategies: those of a flag are the same in all condition sets here',
    )
  })
})

describe('a client', () => {
  const clientOf = (url: string, waits: number[]) =>
    createClient({
      url,
      headers: { Authorization: 'Bearer phx_secret' },
      key: 'phx_secret',
      say: () => {},
      wait: async (ms) => waits.push(ms),
    })

  it('waits as long as the service asks', async () => {
    let calls = 0
    const url = await serve((_, response) => {
      calls++
      if (calls === 1) json(response, {}, 429, { 'Retry-After': '7' })
      else if (calls === 2) json(response, {}, 503)
      else json(response, { ok: true })
    })
    const waits: number[] = []
    expect(await clientOf(url, waits).call('POST', '/a', {})).toEqual({ ok: true })
    expect(waits).toEqual([7_000, 2_000])
  })

  it('repeats reads that failed on the way, and no writes', async () => {
    let calls = 0
    const url = await serve((request, response) => {
      if (++calls % 2 === 1) request.socket.destroy()
      else json(response, { ok: true })
    })
    const waits: number[] = []
    expect(await clientOf(url, waits).call('GET', '/a')).toEqual({ ok: true })
    await expect(clientOf(url, waits).call('POST', '/a', {})).rejects.toThrow(/cannot be reached/)
    expect(waits).toEqual([1_000])
    calls = 0
    expect(await clientOf(url, waits).repeatable('/a', {})).toEqual({ ok: true })
    expect(waits).toEqual([1_000, 1_000])
  })

  it('repeats reads after faults of the service, and no writes', async () => {
    let calls = 0
    const url = await serve((_, response) => {
      const status = [500, 502, 504][calls++]
      json(response, status ? { detail: 'Fault.' } : { ok: true }, status ?? 200)
    })
    const waits: number[] = []
    await expect(clientOf(url, waits).call('POST', '/a', {})).rejects.toThrow(/answered 500: Fault\.$/)
    expect(await clientOf(url, waits).call('GET', '/a')).toEqual({ ok: true })
    expect(waits).toEqual([1_000, 2_000])
  })

  it('reports an address without a service immediately', async () => {
    const waits: number[] = []
    await expect(clientOf('http://127.0.0.1:29', waits).call('GET', '/a')).rejects.toThrow(
      'http://127.0.0.1:29 cannot be reached: connect ECONNREFUSED 127.0.0.1:29',
    )
    expect(waits).toEqual([])
  })

  it('hides its key, and follows no redirect with it', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { Location: 'https://other.example/' }).end()
      else json(response, { detail: `no ${request.headers.authorization}` }, 403)
    })
    const client = clientOf(url, [])
    await expect(client.call('GET', '/a?b=c')).rejects.toThrow(
      `GET ${url}/a answered 403: no Bearer [secret]`,
    )
    await expect(client.call('GET', '/moved')).rejects.toThrow(
      'answered 302: a redirect to https://other.example/. Use the URL that it leads to.',
    )
  })

  it('waits for a quota of an hour, and not longer', () => {
    const after = (value: string) => waitAfter({ status: 429, retryAfter: value }, 1, { now: 0 })
    expect([after('3600'), after('86400'), after('Thu, 01 Jan 1970 00:00:09 GMT'), after('soon')]).toEqual([
      3_600_000,
      null,
      9_000,
      1_000,
    ])
    expect(waitAfter({ status: 500, retryAfter: null }, 1)).toBeNull()
  })
})

describe('a stream of people', () => {
  it('continues where it ended', async () => {
    const sent: Json[][] = []
    let calls = 0
    const url = await serve((request, response) => {
      // A fault on the way ends no move: events have ids.
      if (++calls === 2) return void request.socket.destroy()
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () => {
        sent.push((JSON.parse(text) as { batch: Json[] }).batch)
        json(response, { status: 'Ok', errors: [] })
      })
    })
    const client = createClient({ url, headers: {}, key: '', say: () => {}, wait: async () => {} })
    const state: ImportState = { items: {}, streams: {} }
    const pages = ['a', 'b', 'c']
    let fails = true
    const options = {
      client,
      token: 'phc_t',
      memory: {
        ...state,
        rememberItems: () => {},
        rememberStream: (stream: 'person', progress: Progress) => void (state.streams[stream] = progress),
      },
      overwrite: false,
      movesPeople: true,
      groupsHere: async () => new Set<never>(),
      progress: () => {},
      refuse: () => {},
      source: {
        id: 's',
        readPage: async (_: unknown, cursor: string | null) => {
          const at = Number(cursor ?? 0)
          if (at === 1 && fails) throw new Error('away')
          const rows = [{ distinct_ids: [pages[at]!], properties: {} }]
          return { rows, next: at + 1 < pages.length ? String(at + 1) : null }
        },
      } as never,
    }
    await expect(moveStream('person', options)).rejects.toThrow('away')
    expect(state.streams.person).toEqual({ cursor: '1', rows: 1, done: false })
    fails = false
    expect(await moveStream('person', options)).toBe(2)
    expect(sent.map(([event]) => event!.distinct_id)).toEqual(['a', 'b', 'c'])
    expect(state.streams.person).toEqual({ cursor: null, rows: 3, done: true })
  })

  it('sends the same under the same ids, and only what a person lacks', () => {
    const row = {
      distinct_ids: ['ada', 'anonymous'],
      properties: { plan: 'paid' },
      created_at: '2024-01-01T00:00:00Z',
    }
    const sent = (properties: JsonObject, overwrite: boolean) =>
      eventsOf('person', { ...row, properties }, 's', { overwrite, isHistory: false })
    const [merge, set] = sent(row.properties, false)
    expect([merge, set]).toEqual([
      {
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        event: '$merge_dangerously',
        people_only: true,
        distinct_id: 'ada',
        timestamp: '2024-01-01T00:00:00Z',
        properties: { alias: 'anonymous' },
      },
      {
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        event: '$set',
        people_only: true,
        distinct_id: 'ada',
        timestamp: '2024-01-01T00:00:00Z',
        properties: { $set_once: { plan: 'paid' } },
      },
    ])
    expect(sent(row.properties, false)).toEqual([merge, set])
    const changed = sent({ plan: 'free' }, true)[1]!
    expect(changed.properties).toEqual({ $set: { plan: 'free' } })
    expect(changed.uuid).not.toBe(set!.uuid)
  })
})

describe('a text of another service', () => {
  it('is printed without control characters', () => {
    expect(printable('a\u001B[2Jb\r\nc\u009Bd')).toBe('a\uFFFD[2Jb\uFFFD\nc\uFFFDd')
  })
})

describe('an estimate', () => {
  it('has the hours that the quota of PostHog asks to wait', () => {
    const perHour = (url: string) =>
      posthogSource({ url, key: 'phx_key', project: '2', say: () => {} }).pagesPerHour?.('person')
    expect([
      perHour('https://eu.posthog.com'),
      perHour('https://posthog.com.example'),
      perHour('http://localhost'),
    ]).toEqual([1_200, null, null])
    const estimates = [1_200, 1_201, 5_000].map((pages) => durationOf(pages, 100, 1_200))
    expect([...estimates, durationOf(5_000, 100)].map(duration)).toEqual(['4 min', '60 min', '4 h', '17 min'])
  })
})

describe('progress', () => {
  it('has a bar and an estimate', () => {
    expect(progressLine('Persons', 500, 2_000, 1_000)).toBe(
      'Persons: [######                  ] 500 of 2,000, about 3 s left',
    )
    expect(progressLine('Persons', 2_000, 2_000, 1_000)).toBe(
      'Persons: [########################] 2,000 of 2,000',
    )
    expect(progressLine('Events', 5, null, 1_000)).toBe('Events: 5')
    expect([duration(1), duration(89_000), duration(91_000), duration(2 * 3_600_000)]).toEqual([
      '1 s',
      '89 s',
      '2 min',
      '2 h',
    ])
  })
})
