// Paths, against those that are walked through the events in TypeScript.
import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../../support/tenant'
import { byPerson, dateOf, generate, type Happening, load, rejectionOf, resultsOf } from './generated-events'

const PAGES = ['https://a.test/', 'https://a.test/docs', 'https://a.test/docs/', 'https://a.test/buy', '/']
const EVENTS = generate({
  names: ['$pageview', '$pageview', '$pageview', '$screen', 'sign up', 'buy'],
  people: 6,
  count: 700,
  days: 1,
})
const urlOf = ({ amount }: Happening) => PAGES[amount % PAGES.length]!
const screenOf = ({ amount }: Happening) => `screen ${amount % 3}`

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  await load(tenant, EVENTS, (each) =>
    each.name === '$pageview'
      ? { $current_url: urlOf(each) }
      : each.name === '$screen'
        ? { $screen_name: screenOf(each) }
        : {},
  )
})

type Body = Record<string, unknown>
interface Step {
  item: string
  time: number
}

const query = (pathsFilter: Body = {}, more: Body = {}) => ({
  kind: 'PathsQuery',
  dateRange: { date_from: dateOf(0), date_to: dateOf(0) },
  pathsFilter: { edgeLimit: 1000, ...pathsFilter },
  ...more,
})

const itemOf = (each: Happening): string => {
  const url = urlOf(each)
  if (each.name === '$pageview') return url.length > 1 && url.endsWith('/') ? url.slice(0, -1) : url
  return each.name === '$screen' ? screenOf(each) : each.name
}

/** Paths of each person: a pause of half an hour ends one, and the last of equal items counts. */
function pathsOf(events: readonly Happening[], shown: (happening: Happening) => string = itemOf): Step[][] {
  return byPerson(events).flatMap((own) => {
    const paths: Step[][] = []
    for (const each of own) {
      const last = paths.at(-1)
      const step = { item: shown(each), time: each.time }
      const before = own[own.indexOf(each) - 1]
      if (!last || each.time - before!.time >= 1_800_000) paths.push([step])
      else if (last.at(-1)!.item === step.item) last[last.length - 1] = step
      else last.push(step)
    }
    return paths
  })
}

/** Edges as the service gives them. */
function edgesOf(paths: readonly Step[][]) {
  const edges = paths.flatMap((path) =>
    path.slice(1).map((step, index) => ({
      source: `${index + 1}_${path[index]!.item}`,
      target: `${index + 2}_${step.item}`,
      took: step.time - path[index]!.time,
    })),
  )
  return [...Map.groupBy(edges, ({ source, target }) => JSON.stringify([source, target])).values()]
    .map((same) => ({
      source: same[0]!.source,
      target: same[0]!.target,
      value: same.length,
      average_conversion_time: same.reduce((sum, { took }) => sum + took, 0) / same.length,
    }))
    .toSorted(
      (a, b) =>
        b.value - a.value ||
        (a.source < b.source ? -1 : a.source > b.source ? 1 : a.target < b.target ? -1 : 1),
    )
}

/** Edges to which others lead from a first step. */
function connected(edges: ReturnType<typeof edgesOf>) {
  const seen = new Set(edges.map(({ source }) => source).filter((source) => source.startsWith('1_')))
  for (const { source, target } of edges.toSorted((a, b) => (a.source < b.source ? -1 : 1))) {
    if (seen.has(source)) seen.add(target)
  }
  return edges.filter(({ source }) => seen.has(source))
}

const from = (paths: readonly Step[][], item: string) =>
  paths.flatMap((path) => {
    const index = path.findIndex((step) => step.item === item)
    return index < 0 ? [] : [path.slice(index)]
  })
const until = (paths: readonly Step[][], item: string) =>
  paths.flatMap((path) => {
    const index = path.findIndex((step) => step.item === item)
    return index < 0 ? [] : [path.slice(0, index + 1)]
  })

describe('a PathsQuery', () => {
  it('has the edges of the first five steps', async () => {
    const expected = edgesOf(pathsOf(EVENTS).map((path) => path.slice(0, 5)))
    expect(expected.length).toBeGreaterThan(50)
    expect(await resultsOf(tenant, query())).toEqual(expected)
  })

  it('takes pages, screens and other events, and leaves some out', async () => {
    const only = (names: string[]) => EVENTS.filter(({ name }) => names.includes(name))
    const edges = (events: readonly Happening[]) => edgesOf(pathsOf(events).map((path) => path.slice(0, 5)))
    expect(await resultsOf(tenant, query({ includeEventTypes: ['$pageview'] }))).toEqual(
      edges(only(['$pageview'])),
    )
    expect(await resultsOf(tenant, query({ includeEventTypes: ['$screen', 'custom_event'] }))).toEqual(
      edges(only(['$screen', 'sign up', 'buy'])),
    )
    expect(await resultsOf(tenant, query({ excludeEvents: ['buy', 'https://a.test/docs'] }))).toEqual(
      edges(EVENTS.filter((each) => !['buy', 'https://a.test/docs'].includes(itemOf(each)))),
    )
    const properties = [{ key: 'plan', value: 'pro', type: 'event' }]
    expect(await resultsOf(tenant, query({}, { properties }))).toEqual(
      edges(EVENTS.filter(({ plan }) => plan === 'pro')),
    )
  })

  it('groups items by parts of them', async () => {
    const paths = pathsOf(EVENTS, (each) => {
      const item = itemOf(each)
      if (/a\.test.*o/.test(item)) return 'a.test/*o'
      return item.includes('screen 1') ? '*screen 1*' : item.includes('_') ? '_' : item
    })
    const pathGroupings = ['a.test/*o', '*screen 1*', '_']
    expect(await resultsOf(tenant, query({ pathGroupings }))).toEqual(
      edgesOf(paths.map((path) => path.slice(0, 5))),
    )
    const grouped = edgesOf(from(paths, 'a.test/*o').map((path) => path.slice(0, 5)))
    expect(await resultsOf(tenant, query({ pathGroupings, startPoint: 'a.test/*o' }))).toEqual(grouped)
  })

  it('takes an expression', async () => {
    const paths = pathsOf(
      EVENTS.filter(({ name }) => !name.startsWith('$')),
      ({ plan, name }) => `${plan} ${name}`,
    )
    const filter = {
      includeEventTypes: ['custom_event', 'hogql'],
      pathsHogQLExpression: "concat(properties.plan, ' ', event)",
    }
    expect(await resultsOf(tenant, query(filter))).toEqual(edgesOf(paths.map((path) => path.slice(0, 5))))
  })

  it('starts and ends where it should', async () => {
    const all = pathsOf(EVENTS)
    expect(await resultsOf(tenant, query({ startPoint: 'https://a.test/', stepLimit: 3 }))).toEqual(
      edgesOf(from(all, 'https://a.test').map((path) => path.slice(0, 3))),
    )
    expect(await resultsOf(tenant, query({ endPoint: 'buy', stepLimit: 3 }))).toEqual(
      edgesOf(until(all, 'buy').map((path) => path.slice(-3))),
    )
    const between = until(from(all, 'https://a.test'), 'buy')
    expect(between.some(({ length }) => length > 4)).toBe(true)
    const shortened = between.map((path) =>
      path.length <= 4
        ? path
        : [...path.slice(0, 2), { item: '...', time: path[2]!.time }, ...path.slice(-2)],
    )
    expect(
      await resultsOf(tenant, query({ startPoint: 'https://a.test', endPoint: 'buy', stepLimit: 4 })),
    ).toEqual(edgesOf(shortened))
  })

  it('keeps edges of some weight, and no edge that nothing leads to', async () => {
    const edges = edgesOf(pathsOf(EVENTS).map((path) => path.slice(0, 5)))
    const weighed = edges.filter(({ value }) => value >= 2 && value <= 3)
    const expected = connected(weighed)
    expect(expected.length).toBeLessThan(weighed.length)
    expect(await resultsOf(tenant, query({ minEdgeWeight: 2, maxEdgeWeight: 3 }))).toEqual(expected)
    const few = connected(edges.slice(0, 20))
    expect(few.length).toBeLessThan(20)
    expect(await resultsOf(tenant, query({ edgeLimit: 20 }))).toEqual(few)
  })

  it.each([
    [{ pathReplacements: true }, 'pathsFilter.pathReplacements is not supported in a PathsQuery.'],
    [
      { pathsHogQLExpression: 'event) FROM persons' },
      expect.stringMatching(/^pathsFilter\.pathsHogQLExpression is not a HogQL expression: /),
    ],
  ])('rejects %j', async (filter, detail) => {
    expect(await rejectionOf(tenant, query(filter))).toEqual([400, 'query', detail])
  })
})
