// Measures flags at the edge: requests a second, how soon a change is visible, and the cost of the first request of an isolate. The production
// bundle runs in workerd without the development proxy, beside a Worker that does nothing; each ratio is within one run.
import { existsSync } from 'node:fs'
import autocannon from 'autocannon'
import type { RequestLine } from '../../../src/http/log/request-log'
import { serveWorker } from '../../support/server/served-worker'
import { processorTime } from '../processor-time'
import { serveBare, serveBound } from './bare'
import { send } from './send'

const SECONDS = 4
const CONNECTIONS = 10
const COUNTS = [50, 500]
const CHANGES = 20
/** Linux keeps what is in this folder in memory. */
const MEMORY_FOLDER = '/dev/shm'
/** The number of persons in requests; all are stored. */
const PEOPLE = 512

// Databases are in memory, because a local D1 writes each change to its disk before it responds.
if (existsSync(MEMORY_FOLDER)) process.env.TMPDIR = MEMORY_FOLDER

let lines: RequestLine[] = []
const bare = await serveBare()
const served = await serveWorker({ onLine: (line) => void lines.push(line) })
const management = `${served.url}/api/projects/${served.projectId}/feature_flags/`
const headers = {
  Authorization: `Bearer ${served.credentials.personalApiKey}`,
  'Content-Type': 'application/json',
}

const manage = (method: string, path: string, body: object) =>
  send<{ id: number }>(management + path, method, body, headers)

/** Returns flags as projects have them: some for all people, some by a property, some for a share, some with variants. */
function filtersOf(number: number): object {
  const properties = [
    [],
    [{ key: 'email', type: 'person', operator: 'icontains', value: '@example.com' }],
    [{ key: 'plan', type: 'person', operator: 'exact', value: ['paid', 'trial'] }],
  ][number % 3]
  const variants = ['control', 'test'].map((key) => ({ key, rollout_percentage: 50 }))
  return {
    groups: [{ properties, rollout_percentage: number % 2 ? 50 : 100 }],
    ...(number % 5 === 0 ? { multivariate: { variants } } : {}),
  }
}

const askFor = (distinctId: string) => ({
  token: served.credentials.projectApiToken,
  distinct_id: distinctId,
  person_properties: { email: `${distinctId}@example.com`, plan: 'paid', country: 'FR' },
})

async function valueOf(key: string): Promise<unknown> {
  const body = { ...askFor('observer'), flag_keys: [key] }
  const { featureFlags } = await send<{ featureFlags: Record<string, unknown> }>(
    `${served.url}/flags/?v=1`,
    'POST',
    body,
  )
  return featureFlags[key]
}

/** Waits until a flag has the value that it was set to. */
async function awaitValue(key: string, wanted: unknown): Promise<void> {
  while ((await valueOf(key)) !== wanted) await new Promise((resolve) => setTimeout(resolve, 1))
}

const medianOf = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

interface Load {
  name: string
  url: string
  path: string
  bodyOf(distinctId: string): object
}

/** The requests of `/flags` in its forms. Without properties, as browsers send it, the person is looked up. */
const LOADS: readonly Load[] = [
  { name: '`/flags/?v=2`', url: served.url, path: '/flags/?v=2', bodyOf: askFor },
  { name: '`/flags/?v=1`', url: served.url, path: '/flags/?v=1', bodyOf: askFor },
  {
    name: '`/flags/?v=2`, person looked up',
    url: served.url,
    path: '/flags/?v=2',
    bodyOf: (distinctId) => ({ ...askFor(distinctId), person_properties: {} }),
  },
]

/** Returns a row of figures beside those of the bare Worker, which runs before and after. */
async function measure(count: number, load: Load): Promise<string[]> {
  const limit: Load = { ...load, url: bare.url }
  const before = await shoot(limit)
  lines = []
  const own = await shoot(load)
  const after = await shoot(limit)
  const roundTrips = Math.max(...lines.map((line) => line.d1_round_trips))
  return [
    String(count),
    load.name,
    String(Math.round(own.perSecond)),
    (own.perSecond / ((before.perSecond + after.perSecond) / 2)).toFixed(2),
    own.processorMs.toFixed(2),
    ((before.processorMs + after.processorMs) / 2 / own.processorMs).toFixed(2),
    String(own.p50),
    String(own.p99),
    String(roundTrips),
    own.kilobytes.toFixed(1),
    String(own.failed),
  ]
}

async function shoot({ url, path, bodyOf }: Load) {
  let asked = 0
  const before = processorTime()
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: [
      {
        method: 'POST',
        path,
        headers: { 'Content-Type': 'application/json' },
        setupRequest: (request) => ({
          ...request,
          body: JSON.stringify(bodyOf(`user-${(asked += 1) % PEOPLE}`)),
        }),
      },
    ],
  })
  return {
    perSecond: result.requests.average,
    processorMs: (processorTime() - before) / result.requests.total,
    p50: result.latency.p50,
    p99: result.latency.p99,
    kilobytes: result.throughput.average / result.requests.average / 1024,
    failed: result.errors + result.non2xx,
  }
}

/** Returns the milliseconds from sending a change until `/flags` reflects it, for each of many changes. */
async function propagation(id: number, key: string): Promise<number[]> {
  const spans: number[] = []
  for (let count = 0; count < CHANGES; count += 1) {
    const isOn = count % 2 === 1
    const started = performance.now()
    await manage('PATCH', `${id}/`, {
      filters: { groups: [{ properties: [], rollout_percentage: isOn ? 100 : 0 }] },
    })
    await awaitValue(key, isOn)
    spans.push(performance.now() - started)
  }
  return spans
}

/** Returns the milliseconds from sending a change until a stream reports it, for each of many changes. */
async function announcement(id: number): Promise<number[]> {
  const { body } = await fetch(`${served.url}/flags/stream/?token=${served.credentials.projectApiToken}`)
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  let told = 0
  let heard = () => {}
  void (async () => {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const events = chunk.value.match(/^id: /gm)?.length ?? 0
      told += events
      if (events > 0) heard()
    }
  })().catch(() => undefined)
  const next = (count: number) =>
    new Promise<void>((resolve) => {
      heard = () => told >= count && resolve()
      heard()
    })
  await next(1)
  const spans: number[] = []
  for (let count = 0; count < CHANGES; count += 1) {
    const started = performance.now()
    const event = next(told + 1)
    await manage('PATCH', `${id}/`, {
      filters: { groups: [{ properties: [], rollout_percentage: count % 2 === 1 ? 100 : 0 }] },
    })
    await event
    spans.push(performance.now() - started)
  }
  await reader.cancel()
  return spans
}

/** Returns a person as browsers make them, with the properties that flags use among others. */
async function storePeople(): Promise<void> {
  const others = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`$property_${at}`, `value ${at}`]))
  const statements = Array.from({ length: PEOPLE }, (_, at) => {
    const { distinct_id: distinctId, person_properties: known } = askFor(`user-${at}`)
    return [
      served.database
        .prepare(
          `INSERT INTO persons (project_id, uuid, properties, is_identified, created_at) VALUES (?, ?, ?, 1, ?)`,
        )
        .bind(
          served.projectId,
          crypto.randomUUID(),
          JSON.stringify({ ...others, ...known }),
          '2026-01-01T00:00:00.000000Z',
        ),
      served.database
        .prepare(
          `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id) SELECT ?, ?, max(id) FROM persons`,
        )
        .bind(served.projectId, distinctId),
    ]
  })
  await served.database.batch(statements.flat())
}

const table = (rows: string[][]) => rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('')

const loads = [
  [
    'flags',
    'response',
    'requests/s',
    'of bare',
    'CPU ms',
    'of bare',
    'p50 ms',
    'p99 ms',
    'D1 round trips',
    'KB a response',
    'failed',
  ],
  ['---:', '---', '---:', '---:', '---:', '---:', '---:', '---:', '---:', '---:', '---:'],
]
const starts = [
  ['first request', 'CPU ms'],
  ['---', '---:'],
]
const changes = [
  ['flags', 'until', 'median ms', 'max ms'],
  ['---:', '---', '---:', '---:'],
]
await storePeople()
let made = 0
for (const count of COUNTS) {
  for (; made < count - 1; made += 1) {
    await manage('POST', '', {
      key: `bench-${made}`,
      _should_create_usage_dashboard: false,
      filters: filtersOf(made),
    })
  }
  const key = `moving-${count}`
  const { id } = await manage('POST', '', {
    key,
    _should_create_usage_dashboard: false,
    filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
  })
  made += 1
  await awaitValue(key, true)
  for (const load of LOADS) loads.push(await measure(count, load))
  for (const [until, spans] of [
    ['`/flags` reflects it', await propagation(id, key)],
    ['a stream reports it', await announcement(id)],
  ] as const)
    changes.push([String(count), until, medianOf(spans).toFixed(1), Math.max(...spans).toFixed(1)])
}
// One runtime runs at a time, because `processorTime` adds up all.
const first = (url: string) =>
  fetch(`${url}/flags/?v=2`, { method: 'POST', body: JSON.stringify(askFor('user-1')) }).then((response) =>
    response.text(),
  )
await bare.stop()
await served.restart()
await first(served.url)
starts.push([`\`/flags\` with ${made} flags`, processorTime().toFixed(0)])
await served.stop()
for (const [name, serve] of [
  ['bare Worker with the same bindings', serveBound],
  ['bare Worker', serveBare],
] as const) {
  const fresh = await serve()
  await first(fresh.url)
  starts.push([name, processorTime().toFixed(0)])
  await fresh.stop()
}

process.stdout.write(
  `${table(loads)}\nFrom sending a PATCH:\n\n${table(changes)}\n` +
    `Processor time of a new runtime until it has responded once:\n\n${table(starts)}`,
)
