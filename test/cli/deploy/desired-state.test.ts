// What wrangler.toml asks for, and the problems of one that cannot be deployed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'

import { readDesiredState } from '../../../src/cli/deploy/desired-state'
import { PreflightError } from '../../../src/cli/command'
import { QUEUES } from '../cloudflare/server'
import { stagingOf } from '../staging'

const OURS = readFileSync('wrangler.toml', 'utf8')
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function desiredStateOf(config: string | null, environment: string | null = null) {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-desired-'))
  folders.push(folder)
  for (const file of ['main/0001_b.sql', 'main/0000_a.sql', 'events/0000_c.sql']) {
    mkdirSync(join(folder, 'migrations', dirname(file)), { recursive: true })
    writeFileSync(join(folder, 'migrations', file), '')
  }
  if (config !== null) writeFileSync(join(folder, 'wrangler.toml'), config)
  const before = process.cwd()
  process.chdir(folder)
  try {
    return readDesiredState(environment)
  } finally {
    process.chdir(before)
  }
}

function problemOf(config: string | null, environment: string | null = null): string {
  try {
    desiredStateOf(config, environment)
    return 'none'
  } catch (error) {
    expect(error).toBeInstanceOf(PreflightError)
    return (error as PreflightError).message
  }
}

const MAIN_MIGRATIONS = [
  { file: '0000_a.sql', sql: '' },
  { file: '0001_b.sql', sql: '' },
]
const SHARD_MIGRATIONS = [{ file: '0000_c.sql', sql: '' }]

/** Lines that bind another database. */
const binding = (name: string, databaseName: string) =>
  `\n[[d1_databases]]\nbinding = "${name}"\ndatabase_name = "${databaseName}"\n`

const top = (lines: string) => `${lines}\n${OURS}`

const STAGING = stagingOf(OURS)

/** The file with a second environment, of which something may be otherwise. */
const withStaging = (edit: (staging: string) => string = (staging) => staging) =>
  `${OURS}\n[env.staging]\n${edit(STAGING)}`

describe('wrangler.toml', () => {
  it("the repository's configuration wants one of each resource", () => {
    expect(desiredStateOf(OURS)).toEqual({
      worker: 'halyard',
      environment: null,
      accountId: null,
      databases: [
        { binding: 'DB', name: 'halyard', id: null, migrations: MAIN_MIGRATIONS },
        { binding: 'EVENTS', name: 'halyard-events', id: null, migrations: SHARD_MIGRATIONS },
      ],
      namespace: { title: 'halyard-snapshots', id: null },
      queues: QUEUES,
      secrets: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'],
      vars: expect.objectContaining({ MAX_FLAGS_PER_PROJECT: '2000', THROTTLES: 'on' }),
      urls: [],
      onWorkersDev: true,
    })
  })

  it('may name account, databases and namespace', () => {
    const config = top('account_id = "abc"')
      .replace('database_name = "halyard"', 'database_name = "halyard"\ndatabase_id = "d1"')
      .replace('database_name = "halyard-events"', 'database_name = "halyard-events"\ndatabase_id = "e1"')
      .replace('binding = "SNAPSHOTS"', 'binding = "SNAPSHOTS"\nid = "kv1"')
    expect(desiredStateOf(config)).toMatchObject({
      accountId: 'abc',
      databases: [
        { name: 'halyard', id: 'd1' },
        { name: 'halyard-events', id: 'e1' },
      ],
      namespace: { title: 'halyard-snapshots', id: 'kv1' },
    })
  })

  it.each([
    ['route = "flags.example.com/*"', ['https://flags.example.com'], false],
    [
      'routes = [{ pattern = "flags.example.com", custom_domain = true }, "*.example.com/*"]',
      ['https://flags.example.com'],
      false,
    ],
    [
      'workers_dev = true\nroutes = [{ pattern = "https://flags.example.com/*", zone_name = "example.com" }]',
      ['https://flags.example.com'],
      true,
    ],
    ['workers_dev = false', [], false],
  ])('prints the address of the service: %s', (lines, urls, onWorkersDev) => {
    expect(desiredStateOf(top(lines))).toMatchObject({ urls, onWorkersDev })
  })

  it('may bind more shards, in any order', () => {
    const config = OURS + binding('EVENTS_10', 'j') + binding('OTHER', 'o') + binding('EVENTS_2', 'b')
    expect(desiredStateOf(config).databases).toMatchObject([
      { binding: 'DB' },
      { binding: 'EVENTS' },
      { binding: 'EVENTS_2', name: 'b', migrations: SHARD_MIGRATIONS },
      { binding: 'EVENTS_10', name: 'j', migrations: SHARD_MIGRATIONS },
    ])
  })

  it('may hold another environment', () => {
    expect(desiredStateOf(withStaging(), 'staging')).toMatchObject({
      worker: 'halyard-staging',
      environment: 'staging',
      databases: [{ name: 'halyard-staging' }, { name: 'halyard-staging-events' }],
      namespace: { title: 'halyard-staging-snapshots', id: null },
      queues: QUEUES.map((name) => name.replace('halyard', 'halyard-staging')),
      secrets: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'],
    })
  })
})

describe('rejects a wrangler.toml that', () => {
  it.each([
    ['is not there', null, "There is no wrangler.toml here. Run the command in the project's folder."],
    ['is no TOML', 'name = "halyard', /^wrangler\.toml is not valid\. Invalid TOML document: /],
    [
      'has what wrangler does not take',
      OURS.replace('compatibility_date = "2026-08-04"', 'compatibility_date = 3'),
      /^wrangler\.toml is not valid\. Processing .*wrangler\.toml configuration:\n\s+- Expected "compatibility_date" to be of type string but got 3\.$/,
    ],
    ['has no name', OURS.replace('name = "halyard"', ''), 'wrangler.toml has no `name` for the Worker.'],
    [
      'lacks bindings',
      OURS.replace('binding = "DB"', 'binding = "DATA"')
        .replace('binding = "EVENTS"', 'binding = "OTHER"')
        .replace('binding = "SNAPSHOTS"', 'binding = "KV"'),
      'wrangler.toml has no DB, EVENTS under `d1_databases`.\nwrangler.toml has no SNAPSHOTS under `kv_namespaces`.',
    ],
    [
      'does not name the databases',
      OURS.replace('database_name = "halyard"', '').replace('database_name = "halyard-events"', ''),
      'wrangler.toml has no `database_name` for the binding DB.\nwrangler.toml has no `database_name` for the binding EVENTS.',
    ],
    [
      'binds one database twice',
      OURS.replace('database_name = "halyard-events"', 'database_name = "halyard"'),
      'wrangler.toml binds DB and EVENTS to the same database halyard.',
    ],
    [
      'has a shard under a name that the Worker ignores',
      OURS + binding('EVENTS_1', 'one') + binding('EVENTS2', 'two'),
      'wrangler.toml binds EVENTS_1: analytics shards are called EVENTS, EVENTS_2 … EVENTS_99.\n' +
        'wrangler.toml binds EVENTS2: analytics shards are called EVENTS, EVENTS_2 … EVENTS_99.',
    ],
  ])('%s', (_, config, message) => {
    expect(problemOf(config)).toEqual(message instanceof RegExp ? expect.stringMatching(message) : message)
  })

  it('has no such environment', () => {
    expect(problemOf(OURS, 'staging')).toBe('wrangler.toml has no [env.staging].')
    expect(problemOf(`${OURS}\n[env.staging]\n`, 'production')).toMatch(
      /^wrangler\.toml is not valid\. Processing .*wrangler\.toml configuration:\n\s+- No environment found in configuration with name "production"\./,
    )
  })

  it('has an environment without the settings that it does not inherit', () => {
    const config = `
name = "halyard"
main = "src/index.ts"
compatibility_date = "2026-08-04"
vars = { MAX_FLAGS_PER_PROJECT = "2000", THROTTLES = "on" }
secrets = { required = ["PAYLOAD_KEYS", "ACCOUNT_KEYS"] }
d1_databases = [{ binding = "DB", database_name = "halyard" }, { binding = "EVENTS", database_name = "halyard-events" }]
kv_namespaces = [{ binding = "SNAPSHOTS" }]
durable_objects = { bindings = [{ name = "PROJECTS", class_name = "ProjectObject" }] }
queues = { producers = [{ binding = "BUILDS", queue = "halyard-builds" }] }
ratelimits = [{ name = "KEY_RATE", namespace_id = "1001", simple = { limit = 480, period = 60 } }]
[env.staging]
d1_databases = [{ binding = "DB", database_name = "halyard" }]
`
    expect(problemOf(config, 'staging')).toBe(`\
[env.staging] of wrangler.toml has no EVENTS under \`d1_databases\`.
[env.staging] of wrangler.toml has no SNAPSHOTS under \`kv_namespaces\`.
[env.staging] of wrangler.toml has no PROJECTS under \`durable_objects.bindings\`.
[env.staging] of wrangler.toml has no BUILDS under \`queues.producers\`.
[env.staging] of wrangler.toml has no KEY_RATE under \`ratelimits\`.
[env.staging] of wrangler.toml has no MAX_FLAGS_PER_PROJECT, THROTTLES under \`vars\`.
[env.staging] of wrangler.toml has no PAYLOAD_KEYS, ACCOUNT_KEYS under \`secrets.required\`.
[env.staging] of wrangler.toml has no "* * * * *", "17 3 * * *" under \`triggers.crons\`: keep it as it was.
[env.staging] of wrangler.toml shares the database halyard with the top of the file: each environment needs its own.`)
  })

  it.each([
    [
      'has another hour for the daily trigger',
      withStaging().replaceAll('17 3 * * *', '0 4 * * *'),
      '[env.staging] of wrangler.toml has no "17 3 * * *" under `triggers.crons`: keep it as it was.',
    ],
    [
      'has an environment without consumers',
      withStaging((staging) => staging.replaceAll(/\[\[env\.staging\.queues\.consumers\]\][^[]*/g, '')),
      '[env.staging] of wrangler.toml has no consumer of halyard-staging-ingestion, halyard-staging-builds, halyard-staging-webhooks under `queues.consumers`.',
    ],
    [
      'consumes a queue without a producer',
      withStaging((staging) =>
        staging.replace(/(consumers\]\]\n)queue = "[^"]+-builds"/, '$1queue = "halyard-building"'),
      ),
      '[env.staging] of wrangler.toml has no consumer of halyard-staging-builds under `queues.consumers`.\n' +
        '[env.staging] of wrangler.toml consumes halyard-building, which is not under `queues.producers`.',
    ],
    [
      'has queues under names that the Worker does not recognize',
      withStaging((staging) =>
        staging
          .replaceAll('halyard-staging-builds', 'builds-of-staging')
          .replaceAll(/halyard-staging-ingestion\b/g, 'ingestion-of-staging'),
      ),
      '[env.staging] of wrangler.toml calls the queue of INGESTION ingestion-of-staging: its name must end in -ingestion.\n' +
        '[env.staging] of wrangler.toml calls the queue of BUILDS builds-of-staging: its name must end in -builds.',
    ],
    [
      'counts calls of two environments together',
      withStaging((staging) => staging.replace('"2001"', '"1001"').replace('"2002"', '"1003"')),
      '[env.staging] of wrangler.toml counts KEY_RATE, RUN_RATE together with the top of the file: give each of these `ratelimits` a ' +
        '`namespace_id` of its own.',
    ],
    [
      'has an environment under the name of the other',
      withStaging((staging) => `name = "halyard"\n${staging}`),
      '[env.staging] of wrangler.toml shares the Worker halyard with the top of the file: each environment needs its own.',
    ],
    [
      'stores the events of two environments in one ClickHouse database',
      withStaging((staging) =>
        staging.replace('CLICKHOUSE_URL = ""', 'CLICKHOUSE_URL = "https://rows.example"'),
      ).replace('CLICKHOUSE_URL = ""', 'CLICKHOUSE_URL = "https://rows.example"'),
      '[env.staging] of wrangler.toml shares the database default on https://rows.example with the top of the file: each environment needs ' +
        'its own.',
    ],
    [
      'has two environments that share a shard',
      withStaging((staging) => staging.replace('"halyard-staging-events"', '"halyard-events"')),
      '[env.staging] of wrangler.toml shares the database halyard-events with the top of the file: each environment needs its own.',
    ],
    [
      'has two environments that take from one queue',
      `${withStaging()}\n[env.preview]\n[[env.preview.queues.producers]]\nbinding = "BUILDS"\nqueue = "halyard-staging-builds"\n`,
      '[env.staging] of wrangler.toml shares the queue halyard-staging-builds with [env.preview]: each environment needs its own.',
    ],
  ])('%s', (_, config, message) => {
    expect(problemOf(config, 'staging')).toBe(message)
  })
})
