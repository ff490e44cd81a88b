// Throughput and latency of the management API: the production bundle in workerd, without the development proxy, one core for it and one
// for the load.
import autocannon from 'autocannon'
import type { RequestLine } from '../../../src/http/request-log'
import { serveWorker } from '../../support/served-worker'

const SECONDS = 8
const CONNECTIONS = 10
const FLAGS = 1_000

interface Row {
  name: string
  perSecond: number
  p50: number
  p99: number
  roundTrips: string
  rowsRead: string
  errors: number
}

let lines: RequestLine[] = []
const served = await serveWorker({
  bindings: { MAX_FLAGS_PER_PROJECT: '1000000' },
  onLine: (line) => void lines.push(line),
})
const headers = {
  Authorization: `Bearer ${served.credentials.personalApiKey}`,
  'Content-Type': 'application/json',
}
const flags = `${served.url}/api/projects/${served.projectId}/feature_flags/`
const bodyOf = (key: string) => ({
  key,
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

async function load(name: string, options: Partial<autocannon.Options>): Promise<Row> {
  lines = []
  const result = await autocannon({
    url: flags,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers,
    ...options,
  })
  // Lines of the first requests tell about a cold key cache; the median about the rest.
  const median = (pick: (line: RequestLine) => number) =>
    lines.map(pick).sort((a, b) => a - b)[Math.floor(lines.length / 2)] ?? NaN
  return {
    name,
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    roundTrips: String(median((line) => line.d1_round_trips)),
    rowsRead: String(median((line) => line.d1_rows_read)),
    errors: result.errors + result.non2xx,
  }
}

const first = (await (
  await fetch(flags, { method: 'POST', headers, body: JSON.stringify(bodyOf('bench-0')) })
).json()) as { id: number }
for (let count = 1; count < FLAGS; count += 1) {
  await fetch(flags, { method: 'POST', headers, body: JSON.stringify(bodyOf(`bench-${count}`)) })
}

let made = FLAGS
const rows = [
  await load('retrieve', { url: `${flags}${first.id}/` }),
  await load(`list 100 of ${FLAGS}`, { url: `${flags}?limit=100` }),
  await load('patch', {
    url: `${flags}${first.id}/`,
    method: 'PATCH',
    body: JSON.stringify({ name: 'patched' }),
  }),
  await load('create', {
    method: 'POST',
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => ({ ...request, body: JSON.stringify(bodyOf(`bench-${(made += 1)}`)) }),
      },
    ],
  }),
]
await served.stop()

process.stdout.write('| operation | requests/s | p50 ms | p99 ms | D1 round trips | rows read | failed |\n')
process.stdout.write('|---|---:|---:|---:|---:|---:|---:|\n')
for (const row of rows) {
  const { name, perSecond, p50, p99, roundTrips, rowsRead, errors } = row
  process.stdout.write(
    `| ${name} | ${Math.round(perSecond)} | ${p50} | ${p99} | ${roundTrips} | ${rowsRead} | ${errors} |\n`,
  )
}
