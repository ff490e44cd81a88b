// Measures throughput and latency of the management API beside Unleash's, as the production bundle in workerd without the development proxy. Both
// servers run on the same machine, and the load comes in turns from ten callers, so that other work on the machine slows both. Reads have the
// platform's limit beside them: a Worker without authentication, which reads as many finished texts with one statement and joins them.
import autocannon from 'autocannon'
import type { RequestLine } from '../../../src/http/log/request-log'
import { serveWorker } from '../../support/server/served-worker'
import { serveBare } from '../flags/bare'
import { startUnleash, type Unleash } from './unleash'

const SECONDS = 3
const TURNS = 3
const CONNECTIONS = 10
const FLAGS = 1_000
const LIST = `list 100 of ${FLAGS}`

interface Load {
  path: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** The latency of each request. */
  body?(): object
}

interface Target {
  url: string
  headers: Record<string, string>
  loads: Record<string, Load>
}

interface Figures {
  perSecond: number
  p50: number
  p99: number
  failed: number
}

let lines: RequestLine[] = []
const served = await serveWorker({
  bindings: { MAX_FLAGS_PER_PROJECT: '1000000' },
  onLine: (line) => void lines.push(line),
})
const unleash = await startUnleash()
const stops = [() => served.stop(), async () => void (await unleash?.stop())]

let made = 0
const nextKey = () => `bench-${made++}`
const description = () => `patched ${(made += 1)}`

const flagBody = () => ({
  key: nextKey(),
  _should_create_usage_dashboard: false,
  tags: ['bench'],
  filters: {
    groups: [
      {
        properties: [{ key: 'email', type: 'person', operator: 'icontains', value: '@example.com' }],
        rollout_percentage: 50,
      },
    ],
  },
})
/** The flags have no conditions, because in Unleash each condition is a request of its own. */
const featureBody = () => ({ name: nextKey(), type: 'release', tags: [{ type: 'simple', value: 'bench' }] })

async function post<T>({ url, headers }: Omit<Target, 'loads'>, path: string, body: object): Promise<T> {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

async function targetOfHalyard(): Promise<Target> {
  const target = {
    url: served.url,
    headers: {
      Authorization: `Bearer ${served.credentials.personalApiKey}`,
      'Content-Type': 'application/json',
    },
  }
  const flags = `/api/projects/${served.projectId}/feature_flags/`
  const { id } = await post<{ id: number }>(target, flags, flagBody())
  for (let count = 1; count < FLAGS; count += 1) await post(target, flags, flagBody())
  return {
    ...target,
    loads: {
      retrieve: { path: `${flags}${id}/` },
      [LIST]: { path: `${flags}?limit=100` },
      update: { path: `${flags}${id}/`, method: 'PATCH', body: () => ({ name: description() }) },
      create: { path: flags, method: 'POST', body: flagBody },
    },
  }
}

async function targetOfUnleash({ url, headers, analyze }: Unleash): Promise<Target> {
  const target = { url, headers }
  const features = '/api/admin/projects/default/features'
  await post(target, '/api/admin/tags', { type: 'simple', value: 'bench' })
  const { name } = await post<{ name: string }>(target, features, featureBody())
  for (let count = 1; count < FLAGS; count += 1) await post(target, features, featureBody())
  analyze()
  return {
    ...target,
    loads: {
      retrieve: { path: `${features}/${name}` },
      [LIST]: { path: '/api/admin/search/features?limit=100&offset=0' },
      update: {
        path: `${features}/${name}`,
        method: 'PUT',
        body: () => ({ type: 'release', description: description() }),
      },
      create: { path: features, method: 'POST', body: featureBody },
    },
  }
}

/** Measures the same reads of a bare Worker, whose texts have the size of a flag. */
async function serveTexts({ url, headers, loads }: Target): Promise<Target & { stop(): Promise<void> }> {
  const response = await fetch(url + loads.retrieve!.path, { headers })
  const bare = await serveBare(Array.from({ length: FLAGS }, () => '').fill(await response.text()))
  const reads = { retrieve: { path: '/?limit=1' }, [LIST]: { path: '/?limit=100' } }
  return { ...bare, headers: {}, loads: reads }
}

async function send({ url, headers, loads }: Target, name: string): Promise<Figures> {
  const { path, method = 'GET', body } = loads[name]!
  const { requests, latency, errors, non2xx } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: [
      {
        path,
        method,
        headers,
        ...(body && { setupRequest: (request) => ({ ...request, body: JSON.stringify(body()) }) }),
      },
    ],
  })
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, failed: errors + non2xx }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
/** Combines all turns into means, the worst p99, and the sum of failures. */
const together = (turns: readonly Figures[]): Figures => ({
  perSecond: sum(turns.map(({ perSecond }) => perSecond)) / turns.length,
  p50: sum(turns.map(({ p50 }) => p50)) / turns.length,
  p99: Math.max(...turns.map(({ p99 }) => p99)),
  failed: sum(turns.map(({ failed }) => failed)),
})
/** The first requests find cold caches, so the median describes the others. */
const median = (pick: (line: RequestLine) => number) =>
  lines.map(pick).sort((a, b) => a - b)[Math.floor(lines.length / 2)] ?? NaN

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`
const shown = ({ perSecond, p50, p99, failed }: Figures) => [
  Math.round(perSecond),
  Math.round(p50),
  Math.round(p99),
  failed,
]

try {
  const halyard = await targetOfHalyard()
  const peer = unleash && (await targetOfUnleash(unleash))
  const figures = ['requests/s', 'p50 ms', 'p99 ms', 'failed']
  const peerFigures = peer ? [...figures.map((name) => `Unleash: ${name}`), 'ratio'] : []
  const bare = await serveTexts(halyard)
  stops.push(bare.stop)
  const head = ['operation', ...figures, 'D1 round trips', 'rows read', 'of bare', ...peerFigures]
  process.stdout.write(row(head) + row(head.map((_, index) => (index === 0 ? '---' : '---:'))))
  for (const name of Object.keys(halyard.loads)) {
    const [ours, limits, theirs]: [Figures[], Figures[], Figures[]] = [[], [], []]
    const isBare = name in bare.loads
    await send(halyard, name)
    if (isBare) await send(bare, name)
    if (peer) await send(peer, name)
    lines = []
    for (let turn = 0; turn < TURNS; turn += 1) {
      ours.push(await send(halyard, name))
      if (isBare) limits.push(await send(bare, name))
      if (peer) theirs.push(await send(peer, name))
    }
    const own = together(ours)
    const other = together(theirs)
    const cost = [median((line) => line.d1_round_trips), median((line) => line.d1_rows_read)]
    const share = isBare ? (own.perSecond / together(limits).perSecond).toFixed(2) : ''
    const beside = peer ? [...shown(other), (own.perSecond / other.perSecond).toFixed(2)] : []
    process.stdout.write(row([name, ...shown(own), ...cost, share, ...beside]))
  }
  if (!peer) process.stdout.write('\nUnleash was not measured: PostgreSQL is not installed.\n')
} finally {
  for (const stop of stops) await stop()
}
