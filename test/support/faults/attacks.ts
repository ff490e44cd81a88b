// Attacks on a served Worker, each of which once stopped it for all callers (the numbers of the findings are in test/hostile/README.md),
// and the ordinary calls of another organization. The conformance test and the bench use them.
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type SeedCredentials, seedDeployment } from '../../../src/account/provisioning'
import { createIds } from '../../../src/clock'
import { openDatabase } from '../../../src/storage/database'
import { createMeter } from '../../../src/storage/metered-d1'
import { runBatch } from '../../../src/storage/run-batch'
import type { ServedWorker } from '../server/served-worker'

export interface Attack {
  name: string
  /** Responses that show that its work is bounded: it is rejected, or handled within the limits. */
  allowed: readonly string[]
  /** How many requests are sent at once. */
  parallel: number
  /**
   * Sends the attack once.
   * @returns the status, and the code of an error
   */
  send(): Promise<string>
}

export interface OrdinaryCall {
  name: 'retrieve' | '/flags' | 'sign-in'
  /** @returns the status, and the code of an error */
  send(): Promise<string>
}

export interface Organization {
  credentials: SeedCredentials
  projectId: number
}

/** Events of the attacker, all of one person and session, which are the worst case of a self-join. */
const EVENTS = 4_000
const EVENTS_PER_REQUEST = 1_000

/** Creates another organization, with its own project, owner and key. */
export async function addOrganization(
  { database }: Pick<ServedWorker, 'database'>,
  email: string,
): Promise<Organization> {
  const db = openDatabase(database, createMeter())
  const { credentials, statements } = await seedDeployment(db, createIds(), new Date(), email)
  await runBatch(db, statements)
  const projectId = await database
    .prepare('SELECT id FROM projects WHERE api_token = ?')
    .bind(credentials.projectApiToken)
    .first<number>('id')
  return { credentials, projectId: projectId! }
}

interface Sent {
  method?: string
  body?: string | Uint8Array
  headers?: Record<string, string>
}

interface Received {
  status: number
  text: string
}

/**
 * Sends a request on its own connection, because the server may close a kept one at any moment.
 * @throws when the connection is lost
 */
const send = (url: string, { method = 'POST', body, headers = {} }: Sent): Promise<Received> =>
  new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      agent: false,
      headers: { 'Content-Type': 'application/json', ...headers },
    })
    sent.on('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })

/**
 * Sends a request.
 * @returns the status, and the code of an error, such as `400 invalid_input`
 */
async function outcomeOf(url: string, sent: Sent): Promise<string> {
  const { status, text } = await send(url, sent)
  if (status < 400) return String(status)
  return `${status} ${(JSON.parse(text) as { code?: string }).code}`
}

const postJson = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<string> =>
  outcomeOf(url, { body: JSON.stringify(body), headers })

/** Returns the API of an organization's project, with its key. */
function clientOf({ url }: Pick<ServedWorker, 'url'>, { credentials, projectId }: Organization) {
  const headers = { Authorization: `Bearer ${credentials.personalApiKey}` }
  const project = `${url}/api/projects/${projectId}`
  return {
    create: async (path: string, body: unknown) => {
      const { status, text } = await send(`${project}/${path}/`, { body: JSON.stringify(body), headers })
      return { status, body: JSON.parse(text) as { id: number; detail?: string } }
    },
    post: (path: string, body: unknown) => postJson(`${project}/${path}/`, body, headers),
    get: (path: string) => outcomeOf(`${project}/${path}`, { method: 'GET', headers }),
  }
}

/** The requests of an ordinary caller: retrieve a flag, evaluate flags, sign in. */
export async function ordinaryCalls(
  served: Pick<ServedWorker, 'url'>,
  organization: Organization,
): Promise<OrdinaryCall[]> {
  const { url } = served
  const { email, password, projectApiToken: token } = organization.credentials
  const client = clientOf(served, organization)
  const groups = [{ properties: [], rollout_percentage: 100 }]
  const { body } = await client.create('feature_flags', { key: 'ordinary', filters: { groups } })
  const from = { 'CF-Connecting-IP': '192.0.2.1' }
  return [
    { name: 'retrieve', send: () => client.get(`feature_flags/${body.id}/`) },
    { name: '/flags', send: () => postJson(`${url}/flags/?v=2`, { token, distinct_id: 'ada' }) },
    { name: 'sign-in', send: () => postJson(`${url}/api/login/`, { email, password }, from) },
  ]
}

/** Queries that are rejected by their cost, and one that is heavy and within its limits. */
const QUERIES: readonly [name: string, query: string, isAdmitted?: true][] = [
  ['repeat over numbers', "SELECT repeat('x', 100000) FROM numbers(20000) LIMIT 20000"],
  [
    'sorted repeat over numbers',
    "SELECT repeat('x', 100000) AS x FROM numbers(10000) ORDER BY x LIMIT 10000",
  ],
  ['a cross join of generators', 'SELECT count() FROM numbers(1000000) AS a CROSS JOIN numbers(1000) AS b'],
  ['arrayStringConcat', "SELECT length(arrayStringConcat(range(100000), repeat('x', 100000)))"],
  [
    'a self-join on person_id',
    'SELECT count() FROM events AS a JOIN events AS b ON a.person_id = b.person_id WHERE a.timestamp < b.timestamp',
  ],
  [
    'a self-join on a property',
    'SELECT count() FROM events AS a JOIN events AS b ON a.properties.$session_id = b.properties.$session_id WHERE a.uuid < b.uuid',
  ],
  ['a cross join of events', 'SELECT count() FROM events AS a CROSS JOIN events AS b CROSS JOIN events AS c'],
  [
    'a million pairs',
    'SELECT count() FROM numbers(1000) AS a CROSS JOIN numbers(1000) AS b WHERE a.number < b.number',
    true,
  ],
  [
    'an aggregate of all documents',
    'SELECT groupArray(a.properties) FROM events AS a CROSS JOIN events AS b',
  ],
]

/** JSON that inflates from some tens of kilobytes to a hundred megabytes. */
const bomb = (token: string) =>
  gzipSync(
    Buffer.concat([
      Buffer.from(`{"token":"${token}","distinct_id":"a","x":["`),
      Buffer.alloc(100_000_000, 'x'),
      Buffer.from('"]}'),
    ]),
  )

/** JSON of many values: 20 KB of gzip, some hundred megabytes of heap. */
const manyValues = (token: string) =>
  gzipSync(Buffer.from(`{"token":"${token}","distinct_id":"a","batch":[${'[],'.repeat(6_000_000)}[]]}`))

/** Heavy queries take turns. */
const BUSY = ['429 throttled', '503 query_capacity']

/** Prepares the attacker's organization, and returns the attacks. */
export async function prepareAttacks(
  served: Pick<ServedWorker, 'url'>,
  organization: Organization,
): Promise<Attack[]> {
  const { url } = served
  const { email, projectApiToken: token } = organization.credentials
  const client = clientOf(served, organization)
  await captureEvents(url, token)

  let tries = 0
  const signIn = (password: string) =>
    postJson(
      `${url}/api/login/`,
      { email, password },
      { 'CF-Connecting-IP': `2001:db8:0:${((tries += 1) % 4).toString(16)}::1` },
    )
  const queries = await Promise.all(
    QUERIES.map(async ([name, text, isAdmitted], index): Promise<Attack> => {
      const query = { kind: 'HogQLQuery', query: text }
      const created = await client.create('endpoints', { name: `attack-${index}`, query })
      const common = { name: `query: ${name}`, parallel: 2 }
      if (created.status !== 201) {
        // The cost of this query does not depend on the events, so that it is rejected when it is saved.
        if (!created.body.detail?.includes('This query is too large')) throw new Error(created.body.detail)
        const saveAgain = () => client.post('endpoints', { name: `again-${index}`, query })
        return { ...common, allowed: ['400 query_too_expensive'], send: saveAgain }
      }
      return {
        ...common,
        allowed: [isAdmitted ? '200' : '400 query_too_expensive', ...BUSY],
        send: () => client.post(`endpoints/attack-${index}/run`, { refresh: 'force', limit: 20_000 }),
      }
    }),
  )

  for (let flag = 0; flag < 40; flag += 1)
    await client.create('feature_flags', {
      key: `long-${flag}`,
      name: 'x-'.repeat(5_000),
      evaluation_contexts: ['docs'],
    })
  let patterns = 0
  const pattern = (value: string) => ({
    key: `pattern-${(patterns += 1)}`,
    filters: { groups: [{ properties: [{ key: 'plan', type: 'person', operator: 'regex', value }] }] },
  })
  for (const value of ['(a|b)*a(a|b){12}', '(a?){300}a{300}', '.*'.repeat(500)])
    await client.create('feature_flags', pattern(value))
  const words = new URLSearchParams({ search: [...Array.from({ length: 99 }, () => 'x'), 'y'].join(' ') })
  const flags = (body: unknown) => postJson(`${url}/flags/?v=2`, body)
  const sdk = (path: string, body: Uint8Array) =>
    outcomeOf(`${url}${path}`, { body, headers: { 'Content-Encoding': 'gzip' } })
  const [bigBomb, unknownBomb, values] = [bomb(token), bomb('phc_unknown'), manyValues(token)]
  const contexts = JSON.stringify({
    token,
    distinct_id: 'a',
    evaluation_contexts: Array.from({ length: 4_000_000 }, () => 'x'),
  })
  const compressedContexts = gzipSync(contexts)

  const attack = (
    name: string,
    allowed: readonly string[],
    one: () => Promise<string>,
    parallel = 1,
  ): Attack => ({
    name,
    allowed,
    parallel,
    send: one,
  })
  // A busy machine takes longer for a hash than the last of six callers may wait.
  const wrong = ['400 invalid_credentials', '503 password_capacity']
  const tooLarge = ['413 request_too_large', '503 overloaded']
  return [
    attack('sign-in: 160 KB of combining marks', wrong, () => signIn(`a${'\u0300\u0316'.repeat(40_000)}`)),
    attack('sign-in: 400 KB of combining marks', wrong, () => signIn(`a${'\u0300\u0316'.repeat(100_000)}`)),
    attack('sign-in: wrong passwords', wrong, () => signIn('wrong'), 4),
    ...queries,
    attack('search: 100 words', ['200'], () => client.get(`feature_flags/?${words}`), 2),
    attack('bomb: /flags', tooLarge, () => sdk('/flags/?v=2', bigBomb), 2),
    attack('bomb: /flags, unknown token', ['401 invalid_api_key'], () => sdk('/flags/?v=2', unknownBomb), 2),
    attack('bomb: /batch', tooLarge, () => sdk('/batch/', bigBomb), 2),
    attack('bomb: /batch, 6,000,000 values', tooLarge, () => sdk('/batch/', values), 2),
    attack('contexts: 4,000,000', tooLarge, () => sdk('/flags/?v=2', compressedContexts), 2),
    attack('regex: a huge program', ['400 invalid_input'], () =>
      client.post('feature_flags', pattern('x{1000}'.repeat(1_000))),
    ),
    attack('regex: slow matches', ['200'], () =>
      flags({ token, distinct_id: 'a', person_properties: { plan: 'ab'.repeat(10_000) } }),
    ),
  ]
}

async function captureEvents(url: string, token: string): Promise<void> {
  for (let sent = 0; sent < EVENTS; sent += EVENTS_PER_REQUEST) {
    const batch = Array.from({ length: EVENTS_PER_REQUEST }, (_, index) => ({
      event: 'opened',
      distinct_id: 'one',
      timestamp: new Date(Date.now() - (sent + index) * 1_000).toISOString(),
      properties: { $session_id: 'one', page: `/${index}` },
    }))
    const status = await postJson(`${url}/batch/`, { api_key: token, batch }, { Prefer: 'wait=10' })
    if (status !== '200') throw new Error(`events were not taken: ${status}`)
  }
}
