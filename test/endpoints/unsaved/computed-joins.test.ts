// Joins beside functions that the Worker computes cost what they cost without them: what a join gives is counted where bounds are too wide.
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { createShardSink } from '../../../src/analytics/ingestion/shard-sink'
import { FUNCTIONS } from '../../../src/hogql/functions/catalogue'
import type { ScalarFunction } from '../../../src/hogql/functions/spec'
import { noRows } from '../../../src/outbox/ingestion-rows'
import { hogql } from '../../support/endpoints/endpoints'
import { createTenant, type Tenant } from '../../support/tenant'

const EVENTS = 1_500
const NAMES = ['$pageview', 'signed up', 'paid']
const two = (number: number) => String(number).padStart(2, '0')

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  await createShardSink(env.EVENTS).write(tenant.projectId, {
    ...noRows(),
    events: Array.from({ length: EVENTS }, (_, index) => ({
      uuid: crypto.randomUUID(),
      event: NAMES[index % 3]!,
      distinctId: `user-${index % 197}`,
      timestamp: `2026-03-${two(1 + (index % 28))}T12:${two(index % 60)}:00.${String(index).padStart(6, '0')}Z`,
      createdAt: '2026-03-28T13:00:00.000000Z',
      setsProperties: false,
      flagKey: null,
      flagResponse: null,
      properties: {
        $current_url: `https://acme.io/p${index % 5}/pricing/`,
        plan: `p${index % 4}`,
        notes: 'x'.repeat(300),
      },
    })),
  })
})

const ask = async (query: object) => {
  const { status, body } = await tenant.post(`/api/projects/${tenant.projectId}/query/`, { query })
  return { status, answer: status === 200 ? body.results : body.detail }
}

const onUrl = (operator: string, value: string) => ({ key: '$current_url', type: 'event', operator, value })
/** All events have it, as those of the filters that the Worker computes. */
const PLAIN = onUrl('icontains', 'pricing')
const COMPUTED = [
  onUrl('regex', 'p[0-9]/pricing/?$'),
  onUrl('not_regex', 'zz(a|b)+$'),
  { key: "extract(properties.$current_url, '/(pricing)') = 'pricing'", type: 'hogql' },
]
const dateRange = { date_from: '2026-03-01', date_to: '2026-03-29' }
const breakdownFilter = { breakdown: 'plan', breakdown_type: 'event' }
const pageview = { id: '$pageview', type: 'events' }

const retention = (retentionType: string, rest: object = {}) => ({
  kind: 'RetentionQuery',
  dateRange,
  retentionFilter: {
    period: 'Day',
    totalIntervals: 28,
    retentionType,
    targetEntity: pageview,
    returningEntity: pageview,
  },
  ...rest,
})

const funnel = (steps: number, rest: object = {}) => ({
  kind: 'FunnelsQuery',
  dateRange,
  series: Array.from({ length: steps }, (_, index) => ({ kind: 'EventsNode', event: NAMES[index % 3] })),
  breakdownFilter,
  funnelsFilter: { breakdownAttributionType: 'step', breakdownAttributionValue: 1, ...rest },
})

it.each([
  ['retention', retention('retention_recurring')],
  ['retention with a breakdown', retention('retention_recurring', { breakdownFilter })],
  ['retention of the first time, with a breakdown', retention('retention_first_time', { breakdownFilter })],
  ['a funnel of 2 steps', funnel(2)],
  ['a funnel of 3 steps', funnel(3)],
  ['a funnel of 4 steps', funnel(4)],
  ['trends of a funnel', funnel(2, { funnelVizType: 'trends' })],
])('%s has the same answer with filters that the Worker computes', async (_, query) => {
  const plain = await ask({ ...query, properties: [PLAIN] })
  expect(plain.status).toBe(200)
  for (const filter of COMPUTED) expect(await ask({ ...query, properties: [filter] })).toEqual(plain)
})

const A = 'a.properties.$current_url'
const B = 'b.properties.$current_url'
const PAIRS = 'FROM events AS a JOIN events AS b ON a.person_id = b.person_id'

/** Queries in which a function is applied to texts, or none. */
const JOINS: readonly ((apply: (text: string) => string) => string)[] = [
  (apply) => `WITH s AS (SELECT person_id, ${apply('properties.$current_url')} AS path FROM events)
    SELECT a.path, b.path, count() FROM s AS a JOIN s AS b ON a.person_id = b.person_id GROUP BY 1, 2 ORDER BY 1, 2`,
  (apply) => `SELECT ${apply(A)} AS path, ${apply(B)} AS next, count() ${PAIRS} GROUP BY 1, 2 ORDER BY 1, 2`,
  (apply) => `SELECT count() ${PAIRS} AND ${apply(A)} = ${apply(B)}`,
  (apply) => `SELECT count() ${PAIRS} WHERE ${apply(`concat(${A}, b.properties.plan)`)} LIKE '%p1%'`,
  (apply) =>
    `SELECT ${apply(`concat(${A}, ${B})`)} AS paths, count() ${PAIRS} AND ${apply(A)} != 'a' GROUP BY 1 ORDER BY 1`,
]

it.each(JOINS.map((write, index) => [index, write] as const))(
  'the join %i has the same rows with functions that the Worker computes',
  async (_, write) => {
    const plain = await ask(hogql(write((text) => text)))
    expect(plain.status).toBe(200)
    const extracted = (text: string) => `extract(${text}, '^.*$')`
    expect(await ask(hogql(write(extracted)))).toEqual(plain)
    expect(await ask(hogql(write((text) => extracted(`cutWWW(${text})`))))).toEqual(plain)
  },
)

type Computed = ScalarFunction & { computed: { operand: number } }

const COMPUTED_FUNCTIONS = FUNCTIONS.filter(
  (spec): spec is Computed => spec.kind === 'scalar' && spec.computed !== undefined,
)

const CONSTANTS: Readonly<Record<string, string>> = { string: "'(a)'", array: "['(a|b)']", integer: '1' }

/** Returns a call of a text, with constants for the other arguments. */
function callOf({ name, takes, computed }: Computed, text: string): string {
  const constants = name.startsWith('hasToken') ? { string: "'acme'" } : CONSTANTS
  const args = takes.map((kind, index) => (index === computed.operand ? text : constants[kind]))
  return `${name}(${args.join(', ')})`
}

it.each(COMPUTED_FUNCTIONS.map((spec) => [spec.name, spec] as const))(
  'a join of what %s returns is admitted',
  async (_, spec) => {
    for (const write of JOINS.slice(0, 2)) {
      const { status, answer } = await ask(hogql(write((text) => `toString(${callOf(spec, text)})`)))
      expect([status, status === 200 ? null : answer]).toEqual([200, null])
    }
  },
)
