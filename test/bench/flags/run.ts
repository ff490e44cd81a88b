// Flags at the edge: requests a second for all of them, and how soon a change is visible. The production bundle in
// workerd, without the development proxy, one core for it and one for the load.
import autocannon from 'autocannon'
import type { RequestLine } from '../../../src/http/request-log'
import { serveWorker } from '../../support/served-worker'

const SECONDS = 8
const CONNECTIONS = 10
const COUNTS = [50, 500]
const CHANGES = 20

let lines: RequestLine[] = []
const served = await serveWorker({ onLine: (line) => void lines.push(line) })
const management = `${served.url}/api/projects/${served.projectId}/feature_flags/`
const headers = {
  Authorization: `Bearer ${served.credentials.personalApiKey}`,
  'Content-Type': 'application/json',
}

async function manage(method: string, path: string, body: object): Promise<{ id: number }> {
  const response = await fetch(management + path, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { id: number }
}

/** Flags as projects have them: some for everybody, some by a property, some for a share, some with variants. */
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
  const body = JSON.stringify({ ...askFor('observer'), flag_keys: [key] })
  const response = await fetch(`${served.url}/flags/?v=1`, { method: 'POST', body })
  return ((await response.json()) as { featureFlags: Record<string, unknown> }).featureFlags[key]
}

/** Waits until a flag answers what it was set to. */
async function awaitValue(key: string, wanted: unknown): Promise<void> {
  while ((await valueOf(key)) !== wanted) await new Promise((resolve) => setTimeout(resolve, 1))
}

const medianOf = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

async function load(path: string): Promise<string[]> {
  lines = []
  let asked = 0
  const result = await autocannon({
    url: served.url,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: [
      {
        method: 'POST',
        path,
        headers: { 'Content-Type': 'application/json' },
        setupRequest: (request) => ({ ...request, body: JSON.stringify(askFor(`user-${(asked += 1)}`)) }),
      },
    ],
  })
  const kilobytes = result.throughput.average / result.requests.average / 1024
  return [
    String(Math.round(result.requests.average)),
    String(result.latency.p50),
    String(result.latency.p99),
    String(Math.max(...lines.map((line) => line.d1_round_trips))),
    kilobytes.toFixed(1),
    String(result.errors + result.non2xx),
  ]
}

/** Milliseconds from sending a change until `/flags` reflects it, for each of many changes. */
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

const table = (rows: string[][]) => rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('')

const loads = [
  ['flags', 'response', 'requests/s', 'p50 ms', 'p99 ms', 'D1 round trips', 'KB a response', 'failed'],
  ['---:', '---', '---:', '---:', '---:', '---:', '---:', '---:'],
]
const changes = [
  ['flags', 'median ms', 'max ms'],
  ['---:', '---:', '---:'],
]
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
  for (const path of ['/flags/?v=2', '/flags/?v=1']) {
    loads.push([String(count), path, ...(await load(path))])
  }
  const spans = await propagation(id, key)
  changes.push([String(count), medianOf(spans).toFixed(1), Math.max(...spans).toFixed(1)])
}
await served.stop()

process.stdout.write(
  `${table(loads)}\nFrom sending a PATCH until \`/flags\` reflects it:\n\n${table(changes)}`,
)
