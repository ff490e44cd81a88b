// Measures the processor time of the heaviest requests within the limits, for `limits.cpu_ms` (src/docs/guide/operations.md#processor-time). It is that of
// workerd, which runs the Worker, both databases and the objects: on Cloudflare, what they take does not count for the request.
import { gzipSync } from 'node:zlib'
import { serveWorker } from '../../support/server/served-worker'
import { processorTime } from '../processor-time'

const FLAGS = 2_000
const WRITERS = 20
const RUNS = 3

const served = await serveWorker()
const { credentials, projectId } = served
const { email, password, personalApiKey: key, projectApiToken: token } = credentials
const project = `/api/projects/${projectId}`

async function send(method: string, path: string, body?: unknown, isZipped = false): Promise<number> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const response = await fetch(served.url + path, {
    method,
    headers: {
      'Content-Type': 'application/json',
      // A connection that is kept alive may be closed at any moment.
      Connection: 'close',
      Authorization: `Bearer ${key}`,
      'CF-Connecting-IP': '192.0.2.1',
      ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
    },
    ...(text === undefined ? {} : { body: isZipped ? gzipSync(text) : text }),
  })
  await response.arrayBuffer()
  return response.status
}

const conditions = (flag: number) =>
  Array.from({ length: 5 }, (_, index) => ({
    properties: [{ key: `p${index}`, type: 'person', operator: 'icontains', value: `value ${flag}` }],
    rollout_percentage: 50,
  }))
for (let from = 0; from < FLAGS; from += WRITERS)
  await Promise.all(
    Array.from({ length: WRITERS }, (_, index) =>
      send('POST', `${project}/feature_flags/`, {
        key: `flag-${from + index}`,
        filters: { groups: conditions(from + index) },
      }),
    ),
  )

const series = (length: number) =>
  Array.from({ length }, (_, index) => ({
    kind: 'EventsNode',
    event: `event ${index}`,
    properties: Array.from({ length: 20 }, (__, property) => ({
      key: `p${property}`,
      type: 'event',
      operator: 'icontains',
      value: `value ${property}`,
    })),
  }))
const event = (index: number) => ({
  event: `event ${index % 50}`,
  distinct_id: `person ${index}`,
  properties: { $set: { plan: `plan ${index}` }, text: 'x'.repeat(1_800) },
})
const ids = Array.from({ length: 10_000 }, (_, index) => 1_000_000 + index)
const personProperties = Object.fromEntries(
  Array.from({ length: 5 }, (_, index) => [`p${index}`, 'a value '.repeat(1_000)]),
)
const evaluate = () =>
  send('POST', '/flags/?v=2', { token, distinct_id: 'ada', person_properties: personProperties })

const REQUESTS: Record<string, { isCold?: boolean; send(): Promise<number> }> = {
  [`\`/flags\` of ${FLAGS} flags, in a new isolate`]: { isCold: true, send: evaluate },
  [`\`/flags\` of ${FLAGS} flags`]: { send: evaluate },
  [`local evaluation of ${FLAGS} flags`]: {
    send: () => send('GET', '/api/feature_flag/local_evaluation/?send_cohorts'),
  },
  'sign-in': { send: () => send('POST', '/api/login/', { email, password }) },
  'bulk delete of 10,000 ids': {
    send: () => send('POST', `${project}/feature_flags/bulk_delete/`, { ids }),
  },
  '`bulk_keys` of 8 MiB of ids': {
    send: () =>
      send('POST', `${project}/feature_flags/bulk_keys/`, {
        ids: Array.from({ length: 900_000 }, (_, index) => 1_000_000 + index),
      }),
  },
  'an insight of 26 series with 20 filters each': {
    send: () =>
      send('POST', `${project}/query/`, {
        query: { kind: 'TrendsQuery', series: series(26), dateRange: { date_from: '-90d' } },
      }),
  },
  'a query of 90 KB, checked': {
    send: () =>
      send('POST', `${project}/query/`, {
        query: {
          kind: 'HogQLMetadata',
          language: 'hogQL',
          query: `SELECT ${Array.from({ length: 90 }, (_, index) => `'${'x'.repeat(980)}' AS c${index}`).join(',')} FROM events`,
        },
      }),
  },
  '`/batch/` of 1 MiB, 500 new people': {
    send: () =>
      send('POST', '/batch/', { api_key: token, batch: Array.from({ length: 500 }, (_, i) => event(i)) }),
  },
  '`/batch/` of 20 MB, 10,000 new people': {
    send: () =>
      send(
        'POST',
        '/batch/',
        { api_key: token, batch: Array.from({ length: 10_000 }, (_, i) => event(i)) },
        true,
      ),
  },
}

process.stdout.write('| request | status | CPU ms, most of 3 |\n|---|---:|---:|\n')
for (const [name, { isCold, send: run }] of Object.entries(REQUESTS)) {
  let most = 0
  let status = 0
  for (let count = 0; count < RUNS; count += 1) {
    if (isCold) {
      await served.restart()
      await send('GET', '/health')
    }
    const before = processorTime()
    status = await run()
    most = Math.max(most, processorTime() - before)
  }
  process.stdout.write(`| ${name} | ${status} | ${most.toFixed(0)} |\n`)
}
await served.stop()
