// Faults of a deployment, by the check that finds them: at least one for each.
import { answers, changes, edits, type Fault, header, on, remembers } from './deployment'

/** What the check saw, as its line has it. */
type Row = readonly [saw: RegExp, fault: Fault]

const PROJECT = '^/api/projects/\\d+/'
const inProject = (method: string, path: string) => on(method, new RegExp(PROJECT + path))

/** The queue has no consumer. */
const lostEvents = answers(on('POST', /^\/batch\/$/), 200, { status: 1 })
const metric = (name: string, value: number) =>
  edits(on('GET', /^\/metrics$/), (text) =>
    text.replaceAll(new RegExp(`^(${name}(\\{.*\\})?) .*$`, 'gm'), `$1 ${value}`),
  )

/** A stream that is buffered. */
const buffered: Fault = async ({ url }, forward) =>
  url.pathname === '/flags/stream/' ? new Response(new ReadableStream({})) : forward()

const withoutKey = answers(
  (call) => call.url.pathname === '/api/projects/' && !call.headers.has('Authorization'),
  200,
  {},
)
const withKey = (key: RegExp) => (call: { url: URL; headers: Headers }) =>
  call.url.pathname.startsWith('/api/projects/') && key.test(call.headers.get('Authorization') ?? '')

export const FAULTS: Readonly<Record<string, readonly Row[]>> = {
  'The key creates a project for the checks': [
    [
      /answered 403: .*Only admins/,
      answers(on('POST', /^\/api\/projects\/$/), 403, { detail: 'Only admins' }),
    ],
  ],

  "The minute's trigger runs: a scheduled change is made": [
    [
      /the change was not made within 110 s/,
      answers(inProject('GET', 'scheduled_changes/\\d+/'), 200, { executed_at: null, failure_reason: null }),
    ],
    [
      /the change failed: gone/,
      changes<object>(inProject('GET', 'scheduled_changes/\\d+/'), (change) => ({
        ...change,
        failure_reason: 'gone',
      })),
    ],
    [
      /marked as made, and the flag is enabled/,
      changes<object>(inProject('GET', 'scheduled_changes/\\d+/'), (change) => ({
        ...change,
        executed_at: '2026-04-02T10:00:00Z',
      })),
    ],
  ],
  'A webhook is delivered': [
    [
      /no delivery was tried within 110 s/,
      changes<object>(inProject('GET', 'webhooks/.*/deliveries/'), () => ({ results: [{ attempts: 0 }] })),
    ],
    [
      /webhooks\/ answered 500/,
      answers(inProject('POST', 'webhooks/'), 500, { detail: 'ACCOUNT_KEYS is not set' }),
    ],
  ],

  'A person that is deleted is gone, with all events': [
    [/queries did not see the event within 40 s/, lostEvents],
    [/the person is listed after it was deleted/, answers(inProject('DELETE', 'persons/'), 202)],
    [
      /the events of a deleted person were not deleted within 100 s/,
      edits(inProject('POST', 'query/'), (text) =>
        text.replace('"results":[[0]]', '"results":[[1]]').replace('"results":[]', '"results":[[1]]'),
      ),
    ],
  ],
  'A captured event is queried': [
    [/queries did not see the event within 40 s/, lostEvents],
    [/\/batch\/ answered 503/, answers(on('POST', /^\/batch\/$/), 503)],
    [
      /the event was read as \[\[7\]\]/,
      edits(inProject('POST', 'query/'), (text) => text.replace('"results":[[42]]', '"results":[[7]]')),
    ],
  ],
  'An event sets a property of a person, which a flag reads': [
    [/did not read the person for verify-person within 70 s/, lostEvents],
    [
      /verify-person is .* for somebody without the property/,
      edits(on('POST', /^\/flags\/$/), (text) => text.replace('"enabled":false', '"enabled":true')),
    ],
  ],

  'The Worker answers': [
    [/GET \/health answered 503/, laterAnswers('/health', 503)],
    [/GET \/health answered 200 without JSON/, laterAnswers('/health', 200, '<p>Parked</p>')],
  ],
  'Databases, KV and project objects answer': [
    [
      /reports as failed: events/,
      changes<{ checks: object }>(on('GET', /^\/ready$/), (body) => ({
        ...body,
        checks: { ...body.checks, events: 'failed' },
      })),
    ],
    [
      /without events/,
      changes<{ checks: object }>(on('GET', /^\/ready$/), (body) => ({
        ...body,
        checks: { ...body.checks, events: undefined },
      })),
    ],
    [/GET \/ready answered 200 without JSON/, answers(on('GET', /^\/ready$/), 200, '<p>Parked</p>')],
  ],
  'The databases have room': [
    [
      /EVENTS holds 7.2 GB of 10.0 GB/,
      changes<object>(on('GET', /^\/ready$/), (body) => ({
        ...body,
        warnings: [{ detail: 'EVENTS holds 7.2 GB of 10.0 GB.' }],
      })),
    ],
  ],
  'The deployed version is that of this folder': [
    [
      /differs from that of this folder/,
      changes<{ info: object }>(on('GET', /^\/openapi\.json$/), (body) => ({ ...body, paths: {} })),
    ],
  ],
  'The clocks of this machine and of the service agree': [
    [/they are (59|60) s apart/, moves(60_000)],
    [/they are (60|61) s apart/, moves(-60_000)],
  ],
  'A request may use the processor time of a sign-in': [
    [/answered 503: error code: 1102/, answers(on('POST', /^\/api\/login\/$/), 503, 'error code: 1102')],
  ],
  'A body of 900 KiB arrives, and one above the limit is refused': [
    [/of 900 KiB answered 413/, answers(({ body }) => body.length > 512 * 1024, 413)],
    [/above 1 MiB answered 200/, answers(({ body }) => body.length > 1024 * 1024, 200, {})],
  ],
  'Every list of the API answers': [
    [
      /\/dashboards\/ answered 500; .*\/webhooks\/ answered 500/,
      answers(inProject('GET', '(dashboards|webhooks)/'), 500, { detail: 'no such table' }),
    ],
  ],

  'A write is read back at once': [
    [/was read as true after it was disabled/, remembers(inProject('GET', 'feature_flags/\\d+/'))],
    [
      /was read as false after it was created/,
      changes<object>(inProject('GET', 'feature_flags/\\d+/'), (flag) => ({ ...flag, active: false })),
    ],
    [
      /the list has 0 flags verify-read after it was created/,
      answers(inProject('GET', 'feature_flags/$'), 200, { results: [] }),
    ],
    [/the list has 1 flags verify-read after it was deleted/, remembers(inProject('GET', 'feature_flags/$'))],
  ],
  'A change of a flag is served, and definitions are confirmed': [
    [
      /did not have version 1 of verify-fresh within 10 s/,
      answers(on('POST', /^\/flags\/$/), 200, { flags: {} }),
    ],
    [/did not have verify-fresh disabled within 10 s/, remembers(on('POST', /^\/flags\/$/))],
    [/the definitions are 90 s old/, header(on('POST', /^\/flags\/$/), 'X-Stale-Seconds', '90')],
  ],
  'Of ten changes in a row, the last is served: KV takes one write a second': [
    [
      /did not have version 11 of verify-burst within 10 s/,
      edits(on('POST', /^\/flags\/$/), (text) => text.replaceAll('"version":11', '"version":5')),
    ],
    [/answered 503/, answers(inProject('PATCH', 'feature_flags/'), 503, { detail: 'KV' })],
    [
      /change 1 has version 1/,
      changes<object>(inProject('PATCH', 'feature_flags/'), (flag) => ({ ...flag, version: 1 })),
    ],
  ],
  'A flag of 400 KiB is published': [
    [/answered 413/, answers(({ body }) => body.length > 256 * 1024, 413)],
    [
      /did not have version 1 of verify-large within 10 s/,
      answers(on('POST', /^\/flags\/$/), 200, { flags: {} }),
    ],
  ],
  'Encrypted payloads can be stored and read': [
    [
      /answered 500/,
      answers(inProject('POST', 'feature_flags/'), 500, { detail: 'PAYLOAD_KEYS is not set' }),
    ],
    [
      /remote_config answered "\*+"/,
      answers(inProject('GET', 'feature_flags/.*remote_config/'), 200, '"********"'),
    ],
  ],
  'A stream announces a change': [
    [/no event came within 15 s/, buffered],
    [/the stream ended/, answers(on('GET', /^\/flags\/stream\/$/), 200, 'id: 4\ndata: {}\n\n')],
    [
      /answered 404: This deployment has no streams/,
      answers(on('GET', /^\/flags\/stream\/$/), 404, 'This deployment has no streams.'),
    ],
    [
      /the event after a change has the generation 4, the one before it 4/,
      answers(on('GET', /^\/flags\/stream\/$/), 200, 'id: 4\ndata: {}\n\nid: 4\ndata: {}\n\n'),
    ],
  ],

  'A query runs': [
    [
      /answered 503: .*query_engine_unavailable/,
      answers(inProject('POST', 'query/'), 503, { code: 'query_engine_unavailable' }),
    ],
    [
      /it answered \[\[42,"halyard",1]]/,
      answers(inProject('POST', 'query/'), 200, { results: [[42, 'halyard', 1]] }),
    ],
  ],
  'A statement of a million rows is not cut off': [
    [/it answered \[\[7]]/, answers(inProject('POST', 'query/'), 200, { results: [[7]] })],
  ],
  'A saved query runs, and its run is logged': [
    [
      /it answered \[\["other"]]/,
      answers(inProject('POST', 'endpoints/.*/run/'), 200, { results: [['other']] }),
    ],
    [/had no run within 30 s/, answers(inProject('GET', 'endpoints/.*/logs/'), 200, { results: [] })],
  ],
  'A saved query is materialized, and runs from its rows': [
    [
      /the rows were not built within 90 s/,
      answers(inProject('GET', '.*/materialization_status/'), 200, {
        ready: false,
        status: 'Pending',
        error: '',
      }),
    ],
    [
      /the build failed: disk full/,
      changes<object>(inProject('GET', '.*/materialization_status/'), (status) => ({
        ...status,
        status: 'Failed',
        error: 'disk full',
      })),
    ],
    [/it answered \[\[0,0]]/, answers(inProject('POST', 'endpoints/.*/run/'), 200, { results: [[0, 0]] })],
    [
      /no run was logged as one from materialized rows within 30 s/,
      edits(inProject('GET', '.*/logs/'), (text) => text.replaceAll('path=materialized', 'path=direct')),
    ],
  ],
  'The tools for language models are listed': [
    [/POST \/mcp answered 403/, answers(on('POST', /^\/mcp$/), 403, 'Blocked')],
    [/POST \/mcp answered 200/, answers(on('POST', /^\/mcp$/), 200, { result: { tools: [] } })],
  ],

  'Calls without a key are refused': [
    [/without a key answered 200/, withoutKey],
    [
      /GET \/api\/projects\/ answered 401/,
      answers((call) => call.url.pathname === '/api/projects/' && !call.headers.has('Authorization'), 401, {
        code: 'access',
      }),
    ],
  ],
  'A wrong key is refused': [
    [/with a wrong key answered 200/, answers(withKey(/phx_halyard_verify$/), 200, {})],
  ],
  'The project token, which is public, manages nothing': [
    [/with the project token answered 200/, answers(withKey(/phc_/), 200, {})],
  ],
  'An unknown path is a 404 in JSON': [
    [/answered 200/, answers(on('GET', /halyard-verify/), 200, '<!doctype html>')],
    [/answered 404 without JSON/, answers(on('GET', /halyard-verify/), 404, '<!doctype html>')],
    [/answered 404: {"code":"other"}/, answers(on('GET', /halyard-verify/), 404, { code: 'other' })],
  ],
  'Metrics and the state of the deployment are closed': [
    [
      /GET \/metrics without a token answered 200/,
      answers((call) => call.url.pathname === '/metrics' && !call.headers.has('Authorization'), 200),
    ],
    [
      /GET \/api\/instance_status\/ with a key answered 200/,
      answers(on('GET', /^\/api\/instance_status\/$/), 200, {}),
    ],
  ],
  'Webhooks to private hosts are refused': [
    [/with https:\/\/10\.0\.0\.1\/ answered 201/, answers(({ body }) => body.includes('10.0.0.1'), 201, {})],
    [/answered 500/, answers(({ body }) => body.includes('10.0.0.1'), 500, {})],
  ],

  'HTTP leads to HTTPS': [
    [
      /answered 200 without a redirect/,
      answers(({ url }) => url.protocol === 'http:', 200, { status: 'ok' }),
    ],
    [
      /answered 301 without a redirect/,
      answers(({ url }) => url.protocol === 'http:', 301, '', { Location: 'http://other.example.com/' }),
    ],
  ],
  'Answers of the API have the headers that protect them': [
    ...['X-Content-Type-Options', 'Cache-Control', 'Content-Security-Policy', 'X-Request-Id'].map(
      (name): Row => [new RegExp(`has no ${name}`), header(on('GET', /^\/api\/projects\/$/), name)],
    ),
    [
      /has Cache-Control: public, without "no-store"/,
      header(on('GET', /^\/api\/projects\/$/), 'Cache-Control', 'public'),
    ],
  ],
  'The sign-in page is served, with its policy': [
    [/GET \/ without a session answered 200/, answers(on('GET', /^\/$/), 200, 'Welcome')],
    [/\/login has no Content-Security-Policy/, header(on('GET', /^\/login$/), 'Content-Security-Policy')],
    [/GET \/login answered 404/, answers(on('GET', /^\/login$/), 404, 'Not found')],
    [/GET \/assets\/.*css answered 404/, answers(on('GET', /^\/assets\/.*css$/), 404, 'Not found')],
    [/names no style sheet/, edits(on('GET', /^\/login$/), (text) => text.replaceAll('.css', ''))],
  ],
  'The console is served, with its policy and scripts': [
    [/GET \/ answered 503/, answers((call) => call.headers.has('Cookie'), 503, 'The console is not built.')],
    [
      /without "script-src 'self'"/,
      header(
        (call) => call.headers.has('Cookie'),
        'Content-Security-Policy',
        "script-src *; frame-ancestors 'none'",
      ),
    ],
    [
      /does not have the nonce/,
      edits(
        (call) => call.headers.has('Cookie'),
        (text) => text.replaceAll(/nonce="[^"]*"/g, ''),
      ),
    ],
    [
      /names no script/,
      edits(
        (call) => call.headers.has('Cookie'),
        (text) => text.replaceAll('.js', ''),
      ),
    ],
    [/GET \/console\/assets\/.*js answered 404/, answers(on('GET', /^\/console\/assets\/.*js$/), 404)],
    [
      /has Content-Type: text\/html, without "javascript"/,
      header(on('GET', /^\/console\/assets\/.*js$/), 'Content-Type', 'text/html'),
    ],
  ],
  'The reference and the guides are served, with their policy': [
    [/GET \/docs answered 404/, answers(on('GET', /^\/docs$/), 404)],
    [/\/docs has no Content-Security-Policy/, header(on('GET', /^\/docs$/), 'Content-Security-Policy')],
    [/does not name its script/, edits(on('GET', /^\/docs$/), (text) => text.replaceAll('scalar', ''))],
    [/GET \/docs\/scalar\.js.* answered 404/, answers(on('GET', /^\/docs\/scalar\.js$/), 404)],
    [/GET \/docs\/guide\/ answered 404/, answers(on('GET', /^\/docs\/guide\/$/), 404)],
  ],
  'Pages of other origins evaluate flags, and manage nothing': [
    [/\/flags\/ has no Access-Control-Allow-Origin/, answers(on('OPTIONS', /^\/flags\/$/), 403, 'Blocked')],
    [
      /\/flags\/ has Access-Control-Allow-Methods: GET, without "POST"/,
      header(on('OPTIONS', /^\/flags\/$/), 'Access-Control-Allow-Methods', 'GET'),
    ],
    [
      /\/api\/projects\/ has Access-Control-Allow-Origin: \*/,
      header(on('OPTIONS', /^\/api\/projects\/$/), 'Access-Control-Allow-Origin', '*'),
    ],
  ],
  'The scripts and the settings of posthog-js are served': [
    [/GET \/static\/array\.js answered 404/, answers(on('GET', /^\/static\/array\.js$/), 404)],
    [
      /has no Access-Control-Allow-Origin/,
      header(on('GET', /^\/static\/array\.js$/), 'Access-Control-Allow-Origin'),
    ],
    [/has Content-Type: text\/html/, header(on('GET', /^\/static\/array\.js$/), 'Content-Type', 'text/html')],
    [/GET \/array\/.*\/config answered 404/, answers(on('GET', /^\/array\//), 404, {})],
    [/GET \/array\/…\/config answered 200/, answers(on('GET', /^\/array\//), 200, {})],
  ],

  'Every database reports its size': [
    [/halyard_database_up{database="DB",plane="main"} is 0/, metric('halyard_database_up', 0)],
    [/0 databases are reported/, answers(on('GET', /^\/metrics$/), 200, '')],
    [/GET \/metrics answered 401/, answers(on('GET', /^\/metrics$/), 401, '')],
  ],
  'Queues have no backlog of ten minutes': [
    [
      /queue_oldest_message_age_seconds{queue="BUILDS"} is 700, above 600/,
      edits(
        on('GET', /^\/metrics$/),
        (text) => `${text}halyard_queue_oldest_message_age_seconds{queue="BUILDS"} 700\n`,
      ),
    ],
  ],
  'No work in the background is ten minutes late': [
    [
      /materializations_due_age_seconds is 700, above 600/,
      metric('halyard_materializations_due_age_seconds', 700),
    ],
    [
      /scheduled_changes_overdue_age_seconds is 700/,
      metric('halyard_scheduled_changes_overdue_age_seconds', 700),
    ],
    [/webhook_deliveries_due_age_seconds is 700/, metric('halyard_webhook_deliveries_due_age_seconds', 700)],
  ],
  'The flags in KV are those of the database': [
    [/halyard_snapshots_behind has 0 values/, answers(on('GET', /^\/metrics$/), 200)],
    [/halyard_snapshots_behind was not 0 within 100 s/, metric('halyard_snapshots_behind', 2)],
  ],
  'The last scheduled backup is from yesterday or today': [
    [
      /no scheduled backup was finished yet/,
      edits(on('GET', /^\/metrics$/), (text) => text.replace(/halyard_backup_age_seconds \d+\n/, '')),
    ],
    [/the last scheduled backup failed/, metric('halyard_backup_failed', 1)],
    [/the last one is 50 hours old/, metric('halyard_backup_age_seconds', 180_000)],
  ],
}

/** The first call of all decides whether there is a service. */
function laterAnswers(path: string, status: number, body = ''): Fault {
  let calls = 0
  return async ({ url }, forward) =>
    url.pathname === path && ++calls > 1 ? new Response(body, { status }) : forward()
}

/** Moves the clock of the service. */
function moves(ms: number): Fault {
  return changes<{ created_at: string }>(inProject('POST', 'feature_flags/'), (flag) => ({
    ...flag,
    created_at: new Date(Date.parse(flag.created_at) + ms).toISOString(),
  }))
}
