// `npm run clickhouse:setup`: the real command, against a ClickHouse server and a Cloudflare account of the test.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Cloudflare, prepare, serveCloudflare, TOKEN } from './cloudflare/server'
import { createProject, type Project } from './project'
import { stagingOf } from './staging'

let cloudflare: Cloudflare
let clickhouse: Server
let project: Project
/** What the server was asked, as `database: statement`, with the rows behind it. */
let asked: string[]
/** Whether the server answers as ClickHouse does; else with an empty 200. */
let isConfirming: boolean
/** Statements that the user of the server has no right to. */
let forbidden: RegExp | null

beforeEach(async () => {
  asked = []
  isConfirming = true
  forbidden = null
  clickhouse = createServer(async (request, response) => {
    const { searchParams: search } = new URL(request.url!, 'http://clickhouse')
    let body = ''
    for await (const chunk of request) body += String(chunk)
    asked.push(`${search.get('database')}: ${[search.get('query'), body].filter(Boolean).join(' ')}`)
    if (forbidden?.test(body)) {
      response.writeHead(403, { 'X-ClickHouse-Exception-Code': '497' })
      return response.end('Code: 497. DB::Exception: default: Not enough privileges. (ACCESS_DENIED)')
    }
    if (isConfirming) response.setHeader('X-ClickHouse-Summary', '{"written_rows":"1"}')
    if (!body.startsWith('SELECT')) return response.end()
    // It confirms what it is sent, and stores nothing.
    const data = body.startsWith('SELECT count()') ? [['0', '0']] : []
    response.end(JSON.stringify({ data, rows: data.length }))
  })
  await new Promise<void>((resolve) => clickhouse.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(clickhouse.address() as AddressInfo).port}`

  cloudflare = await serveCloudflare()
  prepare(cloudflare)
  for (const database of cloudflare.databases.values())
    database.name = database.name.replace('halyard', 'halyard-staging')
  deployWith({ CLICKHOUSE_URL: url, CLICKHOUSE_USER: 'default', CLICKHOUSE_DATABASE: 'staging' })
  project = createProject(
    {
      CLOUDFLARE_API_BASE_URL: cloudflare.url,
      CLOUDFLARE_API_TOKEN: TOKEN,
      CLOUDFLARE_ACCOUNT_ID: 'account-1',
    },
    (config) => `${config}\n[env.staging]\n${withServer(stagingOf(config), url)}`,
  )
})

afterEach(async () => {
  project.remove()
  await cloudflare.stop()
  await new Promise((resolve) => clickhouse.close(resolve))
})

/** Makes the account have a Worker of the environment with these variables. */
function deployWith(vars: Record<string, string>): void {
  cloudflare.workers.set('halyard-staging', {
    bindings: Object.entries(vars).map(([name, text]) => ({ type: 'plain_text', name, text })),
    secrets: {},
    migrationTag: 'v1',
    crons: [],
  })
}

/** An environment that alone has a server. */
const withServer = (staging: string, url: string) =>
  staging
    .replace('CLICKHOUSE_URL = ""', `CLICKHOUSE_URL = "${url}"`)
    .replace('CLICKHOUSE_DATABASE = "default"', 'CLICKHOUSE_DATABASE = "staging"')

it(
  'copies the projects of an environment to its server, and leaves them on D1 where the server has not all rows',
  { timeout: 240_000 },
  async () => {
    const [main, shard] = [...cloudflare.databases.values()].map(({ sql }) => sql)
    main!.exec(`PRAGMA foreign_keys = OFF;
      INSERT INTO projects (id, uuid, organization_id, name, api_token, created_at)
        VALUES (7, '7', 'o', 'a', 'phc_7', '2026-01-01');
      INSERT INTO persons (id, project_id, uuid, properties, is_identified, created_at, version)
        VALUES (1, 7, 'the-person-of-staging', '{}', 1, '2026-03-10T12:00:00.000000Z', 0)`)
    shard!.exec(`INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, created_at, properties)
      VALUES (7, 'the-event-of-staging', 'opened', 'ada', '2026-03-10T12:00:00.000000Z', '2026-03-10T12:00:00.000000Z', jsonb('{}'))`)

    const args = ['--env', 'staging', '--move', '--project', '7', '--remote', '--settle', '0']
    const { code, stdout, stderr } = await project.run('clickhouse', args)
    expect({ code, stderr, unknown: cloudflare.unknown }).toEqual({
      code: 1,
      stderr:
        'Project 7 stays on D1: what was copied is not what ClickHouse has.\n' +
        '  persons: 1 rows copied, 0 on ClickHouse\n' +
        '  1 events in the shard, 0 copied\n' +
        'Run the command with --restart to copy it again.\n',
      unknown: [],
    })
    expect(asked[0]).toBe('null: CREATE DATABASE IF NOT EXISTS `staging`')
    expect(asked.slice(1).filter((each) => !each.startsWith('staging: '))).toEqual([])
    const inserts = asked.flatMap(
      (each) => /^staging: (INSERT INTO \w+) .*"(the-[\w-]+)"/s.exec(each)?.slice(1).join(' ') ?? [],
    )
    expect(inserts).toEqual([
      'INSERT INTO persons the-person-of-staging',
      'INSERT INTO events the-event-of-staging',
    ])
    expect(main!.prepare('SELECT shard, query_engine FROM projects').all()).toEqual([
      { shard: 'EVENTS', query_engine: 'd1' },
    ])
    expect(stdout).toContain('The tables are in the database staging on 127.0.0.1:')
    expect(stdout).toContain('Project 7, people: 1\n')
  },
)

it('names the missing setting without a server', async () => {
  expect(await project.run('clickhouse', [])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Set CLICKHOUSE_URL in wrangler.toml, and CLICKHOUSE_PASSWORD in the environment.\n',
  })
  expect(await project.run('clickhouse', ['--env', 'nowhere'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No environment found in configuration with name "nowhere"'),
  })
  expect(asked).toEqual([])
})

it.each([
  [['--project', '7'], '--project belongs to --move.'],
  [['--move', '--project', 'website'], '--project must be the id of a project, got "website"'],
  [['--move', '--settle', 'soon'], '--settle must be a number of seconds, got "soon"'],
])('names what is wrong with %j', async (args, message) => {
  expect(await project.run('clickhouse', args)).toEqual({ code: 2, stdout: '', stderr: `${message}\n` })
})

it.each([
  [{}, 'CLICKHOUSE_URL', '(http[^"]+)', ''],
  [{ CLICKHOUSE_DATABASE: 'old' }, 'CLICKHOUSE_DATABASE', 'staging', 'old'],
])(
  'moves nothing to a server that the deployed service does not read: %j',
  { timeout: 240_000 },
  async (other, setting, desired, deployed) => {
    const known = cloudflare.workers.get('halyard-staging')!.bindings.map(({ name, text }) => [name, text])
    deployWith(Object.keys(other).length > 0 ? { ...Object.fromEntries(known), ...other } : {})
    const args = ['--env', 'staging', '--move', '--remote', '--settle', '0']
    const { code, stdout, stderr } = await project.run('clickhouse', args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      new RegExp(
        `^${setting} is "${desired}" in wrangler.toml, and "${deployed}" in the deployed service. Deploy first: npm run deploy\\n$`,
      ),
    )
    expect(asked).toEqual([])
  },
)

it('takes the server from wrangler.toml, whatever the environment names', async () => {
  const others = {
    CLICKHOUSE_URL: 'http://127.0.0.1:1',
    CLICKHOUSE_USER: 'me',
    CLICKHOUSE_DATABASE: 'analytics',
  }
  const { code, stdout } = await project.run('clickhouse', ['--env', 'staging'], others)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('The tables are in the database staging on 127.0.0.1:'),
  })
})

it('moves nothing to a server that does not confirm writes', { timeout: 240_000 }, async () => {
  isConfirming = false
  const args = ['--env', 'staging', '--move', '--remote', '--settle', '0']
  const { code, stdout, stderr } = await project.run('clickhouse', args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^127\.0\.0\.1:\d+ as default: responded without X-ClickHouse-Summary/)
  expect(asked).toEqual(['null: CREATE DATABASE IF NOT EXISTS `staging`'])
})

it('names the missing grant for deletions of persons', { timeout: 240_000 }, async () => {
  forbidden = /^DELETE FROM events/
  const { code, stdout, stderr } = await project.run('clickhouse', ['--env', 'staging'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('497')
  expect(stderr).toContain('  GRANT ALTER DELETE ON `staging`.* TO `default`\n')
  expect(asked.filter((each) => each.includes('DELETE FROM'))).toEqual(
    ['persons', 'cohort_people', 'person_distinct_ids', 'events'].map(
      (table) => `staging: DELETE FROM ${table} WHERE project_id = 0`,
    ),
  )
})
