// Breakdowns by cohort on the real ClickHouse engine, against numbers that are counted in TypeScript.
import { beforeAll, expect, it } from 'vitest'
import { createClickhouseEngine } from '../../src/analytics/engine/clickhouse-engine'
import { bindVariables } from '../../src/endpoints/values/bind-variables'
import { printClickhouse } from '../../src/hogql/clickhouse/print'
import { prepare } from '../endpoints/insights/reference-insights'
import { NOW, PROJECT } from '../hogql/corpus/dataset'
import { COHORT, loadIntoClickhouse } from './support/load-corpus'
import { makeWarehouse, type Warehouse } from './support/warehouse'

const PROJECT_ID = 22
const RANGE = { date_from: '2026-01-01', date_to: '2026-03-20' }
const WINDOW_MS = 14 * 86_400_000
const breakdownFilter = { breakdown: [COHORT, 'all', 77], breakdown_type: 'cohort' }

let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await makeWarehouse('cohort_breakdowns')
  await loadIntoClickhouse(warehouse.server, PROJECT_ID, PROJECT)
})

async function resultOf(sent: Record<string, unknown>): Promise<unknown> {
  const { resolved, values, page, tell } = await prepare(sent)
  const query = printClickhouse(resolved, { timezone: 'UTC' })
  const { rows } = await createClickhouseEngine(warehouse.server).run(query, {
    projectId: PROJECT_ID,
    timezone: 'UTC',
    now: NOW,
    variables: bindVariables(query, values, 'UTC'),
    ...page,
    queryId: null,
  })
  return tell(rows)
}

interface Happening {
  who: string
  event: string
  time: number
}

const personOf = (distinctId: string) =>
  PROJECT.persons.find(({ distinctIds }) => distinctIds.includes(distinctId))

const EVENTS: readonly Happening[] = PROJECT.events
  .filter(({ timestamp }) => timestamp >= '2026-01-01' && timestamp < '2026-03-21')
  .map(({ distinctId, event, timestamp }) => ({
    who: personOf(distinctId)?.uuid ?? distinctId,
    event,
    time: Date.parse(timestamp),
  }))

const MEMBERS = new Set(PROJECT.persons.filter(({ inCohort }) => inCohort).map(({ uuid }) => uuid))
const OF_MEMBERS = EVENTS.filter(({ who }) => MEMBERS.has(who))

const monthly = (events: readonly Happening[], numberOf: (own: readonly Happening[]) => number) =>
  [0, 1, 2].map((month) => numberOf(events.filter(({ time }) => new Date(time).getUTCMonth() === month)))

const visits = (events: readonly Happening[]) => events.filter(({ event }) => event === '$pageview')
const people = (events: readonly Happening[]) => new Set(events.map(({ who }) => who)).size

it.each([
  ['total', undefined, (events: readonly Happening[]) => events.length],
  ['of people', 'dau', people],
])('counts visits a month, %s', async (_, math, numberOf) => {
  const series = [{ kind: 'EventsNode', event: '$pageview', ...(math ? { math } : {}) }]
  const [of, all] = [monthly(visits(OF_MEMBERS), numberOf), monthly(visits(EVENTS), numberOf)]
  expect(of).not.toEqual(all)
  const found = (await resultOf({
    kind: 'TrendsQuery',
    series,
    interval: 'month',
    dateRange: RANGE,
    breakdownFilter,
  })) as [string, number[]][]
  expect(Object.fromEntries(found)).toEqual({
    [`cohort ${COHORT}`]: of,
    'all users': all,
    'cohort 77': [0, 0, 0],
  })
})

it('counts who visits again in a later month', async () => {
  const returns = (events: readonly Happening[]) => {
    const months = monthly(visits(events), () => 0).map(
      (_, month) =>
        new Set(
          visits(events)
            .filter(({ time }) => new Date(time).getUTCMonth() === month)
            .map(({ who }) => who),
        ),
    )
    return months.map((own, start) => months.slice(start).map((later) => own.intersection(later).size))
  }
  const [of, all] = [returns(OF_MEMBERS), returns(EVENTS)]
  expect(of).not.toEqual(all)
  const entity = { id: '$pageview', type: 'events' }
  const ask = async (more: object, filter = breakdownFilter) => {
    const rows = (await resultOf({
      kind: 'RetentionQuery',
      dateRange: RANGE,
      retentionFilter: { period: 'Month', targetEntity: entity, returningEntity: entity, ...more },
      breakdownFilter: filter,
    })) as [label: string, counts: number[]][]
    return rows.map(([, counts]) => counts)
  }
  expect(await ask({})).toEqual([...all, ...of])
  const first = await ask({ retentionType: 'retention_first_time' })
  const ofMembers = await ask(
    { retentionType: 'retention_first_time' },
    { ...breakdownFilter, breakdown: [COHORT] },
  )
  expect(first.slice(3)).toEqual(ofMembers)
  expect(first.slice(0, 3)).not.toEqual(ofMembers)
})

it('counts the steps of a funnel', async () => {
  const steps = ['$pageview', 'purchase']
  const counts = (events: readonly Happening[]) => {
    const reached = [...Map.groupBy(events, ({ who }) => who).values()].map((own) => {
      const first = own.filter(({ event }) => event === steps[0])
      const isConverted = first.some(({ time }) =>
        own.some((each) => each.event === steps[1] && each.time >= time && each.time <= time + WINDOW_MS),
      )
      return first.length === 0 ? 0 : isConverted ? 2 : 1
    })
    return steps.map((_, step) => reached.filter((count) => count > step).length)
  }
  const [of, all] = [counts(OF_MEMBERS), counts(EVENTS)]
  expect(of).not.toEqual(all)
  const found = (await resultOf({
    kind: 'FunnelsQuery',
    series: steps.map((event) => ({ kind: 'EventsNode', event })),
    dateRange: RANGE,
    breakdownFilter,
  })) as [unknown, [string, number][]][]
  expect(found.map(([value, own]) => [value, own.map(([, count]) => count)])).toEqual([
    ['all', all],
    [COHORT, of],
  ])
})
