// Measures how soon a change is visible everywhere, and what that costs: `npm run bench -- freshness`. Time is simulated; readers and the object
// are the code of the service.
import { createWorld, type Isolate, type World } from './world'
import { installVirtualTime } from './virtual-time'

const LOCATIONS = 300
const ISOLATES = 5
/** The prices of Workers Paid for a million, in dollars. */
const OBJECT_PRICE = 0.15
const KV_READ_PRICE = 0.5
const KV_WRITE_PRICE = 5
const MONTH_S = 30 * 86_400

interface Scenario {
  name: string
  /** The requests of the whole world each second. */
  requests: number
  seconds: number
  /** The seconds of the run at which changes begin, and how many follow each other within ten seconds. */
  changes: { at: number; count: number }[]
  /** The seconds of the run in which the object is lost. */
  lost?: [number, number]
  freshnessMs?: number
}

const every = (seconds: number, until: number) =>
  Array.from({ length: Math.floor((until - 1) / seconds) }, (_, index) => ({
    at: (index + 1) * seconds,
    count: 1,
  }))

const SCENARIOS: Scenario[] = [
  { name: '1 request a second', requests: 1, seconds: 3_600, changes: every(300, 3_600) },
  { name: '100 requests a second', requests: 100, seconds: 600, changes: every(60, 600) },
  { name: '1,000 requests a second', requests: 1_000, seconds: 240, changes: every(60, 240) },
  { name: '10,000 requests a second', requests: 10_000, seconds: 60, changes: every(20, 60) },
  {
    name: '1,000, bursts of 100 changes',
    requests: 1_000,
    seconds: 240,
    changes: [
      { at: 60, count: 100 },
      { at: 150, count: 100 },
    ],
  },
  {
    name: '1,000, object lost for 30 s after a change',
    requests: 1_000,
    seconds: 240,
    changes: every(60, 240),
    lost: [121, 151],
  },
  {
    name: '1,000, FRESHNESS_SECONDS 60',
    requests: 1_000,
    seconds: 400,
    changes: every(100, 400),
    freshnessMs: 60_000,
  },
]

/** Returns Marsaglia's xorshift, which gives the same numbers in each run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

const START = Date.UTC(2026, 0, 1)
const time = installVirtualTime(START)

interface Change {
  generation: number
  at: number
}

/** Returns the delays in milliseconds, for each change and isolate, until its last request that did not see the change. */
function delaysOf(changes: readonly Change[], lastServed: readonly Map<number, number>[]): number[] {
  return changes.flatMap(({ generation, at }) =>
    lastServed.flatMap((served) => {
      if (served.size === 0) return []
      // Requests that began before the change was acknowledged need not see it.
      const last = Math.max(
        at,
        ...[...served].filter(([known]) => known < generation).map(([, when]) => when),
      )
      return [last - at]
    }),
  )
}

async function simulate({ requests, seconds, changes, lost, freshnessMs = 5_000 }: Scenario) {
  const begin = time.now()
  const end = begin + seconds * 1_000
  const random = randomFrom(20_260_101)
  const world: World = createWorld({
    time,
    locations: LOCATIONS,
    isolatesPerLocation: ISOLATES,
    freshnessMs,
    random,
  })
  // For each generation, when the last request that was served it began.
  const lastServed = world.isolates.map(() => new Map<number, number>())
  const committed: Change[] = []

  async function serve(index: number): Promise<void> {
    const at = time.now()
    const generation = await world.isolates[index]!.serve()
    if (generation !== null)
      lastServed[index]!.set(generation, Math.max(at, lastServed[index]!.get(generation) ?? 0))
  }
  const interval = 1_000 / requests
  const next = (at: number): void =>
    time.at(at, () => {
      void serve(Math.floor(random() * world.isolates.length))
      const after = at - Math.log(1 - random()) * interval
      if (after < end) next(after)
    })
  next(begin)
  const writer: Isolate = world.isolates[Math.floor(world.isolates.length / 2)]!
  for (const { at, count } of changes)
    for (let index = 0; index < count; index += 1)
      time.at(
        begin + at * 1_000 + (index * 10_000) / count,
        () => void writer.write().then((change) => committed.push(change)),
      )
  if (lost)
    for (const [index, at] of lost.entries()) time.at(begin + at * 1_000, () => world.setLost(index === 0))
  await time.runUntil(end)
  const { object, kvReads, kvWrites, failedRequests } = { ...world.calls }
  await time.runUntil(end + 120_000)
  const delays = delaysOf(committed, lastServed).toSorted((a, b) => a - b)
  const monthly = (count: number) => (count * MONTH_S) / seconds
  const price =
    (monthly(object) * OBJECT_PRICE + monthly(kvReads) * KV_READ_PRICE + monthly(kvWrites) * KV_WRITE_PRICE) /
    1e6
  return { delays, object: monthly(object), kv: monthly(kvReads + kvWrites), price, failedRequests }
}

const print = (cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
const secondsOf = (ms: number | undefined) => ((ms ?? 0) / 1_000).toFixed(1)
const millions = (count: number) => (count / 1e6).toFixed(1)

print([
  '',
  'p50, s',
  'p99, s',
  'worst, s',
  'object, million a month',
  'KV, million a month',
  '$ a month',
  'failed',
])
print(['---', ...Array.from({ length: 7 }, () => '---:')])
for (const scenario of SCENARIOS) {
  const { delays, object, kv, price, failedRequests } = await simulate(scenario)
  const at = (share: number) =>
    secondsOf(delays[Math.min(delays.length - 1, Math.floor(share * delays.length))])
  print([
    scenario.name,
    at(0.5),
    at(0.99),
    secondsOf(delays.at(-1)),
    millions(object),
    millions(kv),
    price.toFixed(2),
    failedRequests,
  ])
}
