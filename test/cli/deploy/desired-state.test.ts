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

const bucket = (name: string) => `\n[[r2_buckets]]\nbinding = "${name}"\nbucket_name = "halyard-backups"\n`

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
    const config = OURS + binding('EVENTS_10', 'j') + binding('EVENTS_2', 'b')
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
      'wrangler.toml has no DB, EVENTS under `d1_databases`.\n' +
        'The Worker does not read DATA under `d1_databases` in wrangler.toml: remove it.\n' +
        'The Worker does not read OTHER under `d1_databases` in wrangler.toml: remove it.\n' +
        'wrangler.toml has no SNAPSHOTS under `kv_namespaces`.\n' +
        'The Worker does not read KV under `kv_namespaces` in wrangler.toml: remove it.',
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
      'The Worker does not read EVENTS_1 under `d1_databases` in wrangler.toml. Did you mean EVENTS_2?\n' +
        'The Worker does not read EVENTS2 under `d1_databases` in wrangler.toml. Did you mean EVENTS_2?',
    ],
    [
      'has misspelt bindings that a deployment may lack',
      `${OURS}${bucket('BACKUP')}\n[[analytics_engine_datasets]]\nbinding = "REQEUSTS"\n[ai]\nbinding = "WORKERS_AI"\n`,
      'The Worker does not read BACKUP under `r2_buckets` in wrangler.toml. Did you mean BACKUPS?\n' +
        'The Worker does not read REQEUSTS under `analytics_engine_datasets` in wrangler.toml. Did you mean REQUESTS?\n' +
        'The Worker does not read WORKERS_AI under `ai` in wrangler.toml: remove it.',
    ],
    [
      'has a misspelt section',
      OURS + bucket('BACKUPS').replace('r2_buckets', 'r2_bucket'),
      'The Worker does not read r2_bucket in wrangler.toml. Did you mean r2_buckets?',
    ],
    [
      'requires a misspelt secret',
      OURS.replace('[vars]', '[secrets]\nrequired = ["METRIC_TOKEN", "PAYLOAD_KEYS"]\n[vars]'),
      'The Worker does not read METRIC_TOKEN under `secrets.required` in wrangler.toml. Did you mean METRICS_TOKEN?',
    ],
    [
      'serves files before the Worker',
      OURS.replace('run_worker_first = true', ''),
      'wrangler.toml has no `run_worker_first = true` under `assets`: files would lack the headers of other responses.',
    ],
    [
      'loses what the queue of events gives up',
      OURS.replace(/dead_letter_queue = .*/, ''),
      'wrangler.toml has no `dead_letter_queue` for halyard-ingestion: events that cannot be stored would be lost.',
    ],
  ])('%s', (_, config, message) => {
    expect(problemOf(config)).toEqual(message instanceof RegExp ? expect.stringMatching(message) : message)
  })

  it.each(
    [...OURS.matchAll(/^(?:(?:binding|name) = ")?([A-Z][A-Z_]+)\b.*$/gm)].map(([line, name]) => [
      name!,
      line,
    ]),
  )('misspells %s', (name, line) => {
    const misspelt = name.slice(0, -1)
    expect(problemOf(OURS.replace(line, line.replace(name, misspelt)))).toContain(
      `The Worker does not read ${misspelt} under \``,
    )
  })

  it.each([
    ['FRESHNESS_SECONDS', '"61"', 'a whole number from 1 to 60, or be empty'],
    ['MAX_FLAGS_PER_PROJECT', '"many"', 'a whole number, 1 or more'],
    ['EVENTS_RETENTION_DAYS', '"0"', 'a whole number of days, 1 or more, or be empty'],
    ['ACTIVITY_RETENTION_DAYS', '"ten"', 'a whole number of days, 1 or more, or be empty'],
    ['DELETED_RETENTION_DAYS', '"-90"', 'a whole number of days, 1 or more, or be empty'],
    ['VERSION_RETENTION_COUNT', '"1e3"', 'a whole number from 1 to 99999, or be empty'],
    ['DATABASE_MAX_BYTES', '"10 GB"', 'a whole number of bytes, 1 or more, or be empty'],
    ['PERSON_READS', '"anywhere"', '"nearest", "primary" or empty'],
    ['THROTTLES', '"yes"', '"on" or "off"'],
    ['ALLOW_PRIVATE_HOSTS', '"on"', '"off" or empty: it is for npm start'],
    ['STREAMS_PER_PROJECT', '"many"', 'a whole number, or be empty'],
    ['STREAMS_PER_PROJECT', '0', 'a text, in quotation marks'],
    ['CHAT_CLIENT_ID', 'true', 'a text, in quotation marks'],
    ['CAPTURE_STORES', '"yes"', '"on", "off" or empty'],
    ['DNS_RESOLVER', '"cloudflare"', 'an address that begins with https://, or be empty'],
    ['CHAT_ISSUER', '"slack.com"', 'an address that begins with https://, or be empty'],
    ['CLICKHOUSE_URL', '"clickhouse.example.com:8443"', 'an address that begins with https://, or be empty'],
  ])('sets %s to %s', (name, value, want) => {
    const config = OURS.replace(new RegExp(`^${name} = .*\n`, 'm'), '').replace(
      '[vars]',
      `[vars]\n${name} = ${value}`,
    )
    expect(problemOf(config)).toBe(`${name} in wrangler.toml has to be ${want}; it is ${value}.`)
  })

  it('sets a secret to a value that it cannot have, which the message does not contain', () => {
    expect(problemOf(OURS.replace('[vars]', '[vars]\nMETRICS_TOKEN = "short"'))).toBe(
      'METRICS_TOKEN in wrangler.toml has to be 16 characters or more, or be empty.',
    )
  })

  it('sets AI_BASE_URL without AI_MODEL', () => {
    expect(problemOf(OURS.replace('AI_BASE_URL = ""', 'AI_BASE_URL = "https://ai.example.com/v1"'))).toBe(
      'AI_BASE_URL is set in wrangler.toml, and AI_MODEL is not: name the model that is to be asked there.',
    )
  })

  it('has no such environment', () => {
    expect(problemOf(OURS, 'staging')).toBe('wrangler.toml has no [env.staging].')
    expect(problemOf(`${OURS}\n[env.staging]\n`, 'production')).toMatch(
      /^wrangler\.toml is not valid\. Processing .*wrangler\.toml configuration:\n\s+- No environment found in configuration with name "production"\./,
    )
  })

  it('has an environment without the settings that it does not inherit', () => {
    const config = `${OURS}\n[env.staging]\nd1_databases = [{ binding = "DB", database_name = "halyard" }]\n`
    expect(problemOf(config, 'staging')).toBe(`\
[env.staging] of wrangler.toml has no EVENTS under \`d1_databases\`.
[env.staging] of wrangler.toml has no SNAPSHOTS under \`kv_namespaces\`.
[env.staging] of wrangler.toml has no PROJECTS, QUERY_GATES, STREAMS under \`durable_objects.bindings\`.
[env.staging] of wrangler.toml has no INGESTION, BUILDS, WEBHOOKS under \`queues.producers\`.
[env.staging] of wrangler.toml has no KEY_RATE, TEST_EVALUATION_RATE, REMOTE_CONFIG_RATE, RUN_RATE, MATERIALIZED_RUN_RATE under \`ratelimits\`.
[env.staging] of wrangler.toml has no FRESHNESS_SECONDS, MAX_FLAGS_PER_PROJECT, EVENTS_RETENTION_DAYS, MOVED_EVENTS_RETENTION_DAYS, ACTIVITY_RETENTION_DAYS, DELETED_RETENTION_DAYS, VERSION_RETENTION_COUNT, BACKUP_GENERATIONS, DATABASE_MAX_BYTES, PERSON_READS, THROTTLES, STREAMS_PER_PROJECT under \`vars\`.
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
