// What wrangler.toml asks for, and what is said of one that cannot be deployed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Refusal } from '../../src/cli/deploy/refusal'
import { readWanted } from '../../src/cli/deploy/wanted'
import { stagingOf } from './staging'

const OURS = readFileSync('wrangler.toml', 'utf8')
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function wantedOf(config: string | null, environment: string | null = null) {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-wanted-'))
  folders.push(folder)
  mkdirSync(join(folder, 'migrations'))
  for (const file of ['0001_b.sql', '0000_a.sql']) writeFileSync(join(folder, 'migrations', file), '')
  if (config !== null) writeFileSync(join(folder, 'wrangler.toml'), config)
  return readWanted(environment, folder)
}

function refusalOf(config: string | null, environment: string | null = null): string {
  try {
    wantedOf(config, environment)
    return 'none'
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    return (error as Refusal).message
  }
}

const top = (lines: string) => `${lines}\n${OURS}`

const STAGING = stagingOf(OURS)

/** The file with a second environment, of which something may be otherwise. */
const withStaging = (edit: (staging: string) => string = (staging) => staging) =>
  `${OURS}\n[env.staging]\n${edit(STAGING)}`

describe('wrangler.toml', () => {
  it('as it is here asks for one of everything', () => {
    expect(wantedOf(OURS)).toEqual({
      worker: 'halyard',
      environment: null,
      accountId: null,
      database: { name: 'halyard', id: null },
      namespace: { title: 'halyard-snapshots', id: null },
      queues: ['halyard-warehouse', 'halyard-builds', 'halyard-warehouse-dead'],
      secrets: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'],
      vars: expect.objectContaining({ MAX_FLAGS_PER_PROJECT: '2000', THROTTLES: 'on' }),
      urls: [],
      onWorkersDev: true,
      migrations: ['0000_a.sql', '0001_b.sql'],
    })
  })

  it('may name account, database and namespace', () => {
    const config = top('account_id = "abc"')
      .replace('database_name = "halyard"', 'database_name = "halyard"\ndatabase_id = "d1"')
      .replace('binding = "SNAPSHOTS"', 'binding = "SNAPSHOTS"\nid = "kv1"')
    expect(wantedOf(config)).toMatchObject({
      accountId: 'abc',
      database: { name: 'halyard', id: 'd1' },
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
  ])('says where the service answers: %s', (lines, urls, onWorkersDev) => {
    expect(wantedOf(top(lines))).toMatchObject({ urls, onWorkersDev })
  })

  it('may hold another environment', () => {
    expect(wantedOf(withStaging(), 'staging')).toMatchObject({
      worker: 'halyard-staging',
      environment: 'staging',
      database: { name: 'halyard-staging', id: null },
      namespace: { title: 'halyard-staging-snapshots', id: null },
      queues: ['halyard-staging-warehouse', 'halyard-staging-builds', 'halyard-staging-warehouse-dead'],
      secrets: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'],
    })
  })
})

describe('what is said of a wrangler.toml that', () => {
  it.each([
    ['is not there', null, "There is no wrangler.toml here. Run the command in the project's folder."],
    ['is no TOML', 'name = "halyard', /^wrangler\.toml is not valid\. Invalid TOML document: /],
    [
      'has what wrangler does not take',
      OURS.replace('compatibility_date = "2026-08-04"', 'compatibility_date = 3'),
      /^wrangler\.toml is not valid\. Processing .*wrangler\.toml configuration:\n\s+- Expected "compatibility_date" to be of type string but got 3\.$/,
    ],
    [
      'has no name',
      OURS.replace('name = "halyard"', ''),
      'wrangler.toml has no `name`, which the Worker is to be called.',
    ],
    [
      'lacks bindings',
      OURS.replace('binding = "DB"', 'binding = "DATA"').replace('binding = "SNAPSHOTS"', 'binding = "KV"'),
      'wrangler.toml has no DB under `d1_databases`.\nwrangler.toml has no SNAPSHOTS under `kv_namespaces`.',
    ],
    [
      'does not name the database',
      OURS.replace('database_name = "halyard"', ''),
      'wrangler.toml has no `database_name` for the binding DB.',
    ],
  ])('%s', (_, config, message) => {
    expect(refusalOf(config)).toEqual(message instanceof RegExp ? expect.stringMatching(message) : message)
  })

  it('has no such environment', () => {
    expect(refusalOf(OURS, 'staging')).toBe('wrangler.toml has no [env.staging].')
    expect(refusalOf(`${OURS}\n[env.staging]\n`, 'production')).toMatch(
      /^wrangler\.toml is not valid\. Processing .*wrangler\.toml configuration:\n\s+- No environment found in configuration with name "production"\./,
    )
  })

  it('has an environment that lacks what it does not take over', () => {
    const config = `
name = "halyard"
main = "src/index.ts"
compatibility_date = "2026-08-04"
vars = { MAX_FLAGS_PER_PROJECT = "2000", THROTTLES = "on" }
secrets = { required = ["PAYLOAD_KEYS", "ACCOUNT_KEYS"] }
d1_databases = [{ binding = "DB", database_name = "halyard" }]
kv_namespaces = [{ binding = "SNAPSHOTS" }]
durable_objects = { bindings = [{ name = "PROJECTS", class_name = "ProjectObject" }] }
queues = { producers = [{ binding = "BUILDS", queue = "halyard-builds" }] }
ratelimits = [{ name = "KEY_RATE", namespace_id = "1001", simple = { limit = 480, period = 60 } }]
[env.staging]
d1_databases = [{ binding = "DB", database_name = "halyard" }]
`
    expect(refusalOf(config, 'staging')).toBe(`\
[env.staging] of wrangler.toml has no SNAPSHOTS under \`kv_namespaces\`.
[env.staging] of wrangler.toml has no PROJECTS under \`durable_objects.bindings\`.
[env.staging] of wrangler.toml has no BUILDS under \`queues.producers\`.
[env.staging] of wrangler.toml has no KEY_RATE under \`ratelimits\`.
[env.staging] of wrangler.toml has no MAX_FLAGS_PER_PROJECT, THROTTLES under \`vars\`.
[env.staging] of wrangler.toml has no PAYLOAD_KEYS, ACCOUNT_KEYS under \`secrets.required\`.
[env.staging] of wrangler.toml shares the database halyard with the top of the file: each environment needs its own.`)
  })

  it.each([
    [
      'has an environment that nobody builds for',
      withStaging((staging) => staging.replaceAll(/\[\[env\.staging\.queues\.consumers\]\][^[]*/g, '')),
      '[env.staging] of wrangler.toml has no consumer of halyard-staging-warehouse, halyard-staging-builds under `queues.consumers`.',
    ],
    [
      'consumes a queue on which nothing comes',
      withStaging((staging) =>
        staging.replace(/(consumers\]\]\n)queue = "[^"]+-builds"/, '$1queue = "halyard-building"'),
      ),
      '[env.staging] of wrangler.toml has no consumer of halyard-staging-builds under `queues.consumers`.\n' +
        '[env.staging] of wrangler.toml consumes halyard-building, where nothing comes from `queues.producers`.',
    ],
    [
      'has queues under names that the Worker does not know',
      withStaging((staging) =>
        staging
          .replaceAll('halyard-staging-builds', 'builds-of-staging')
          .replaceAll(/halyard-staging-warehouse\b/g, 'warehouse-of-staging'),
      ),
      '[env.staging] of wrangler.toml calls the queue of WAREHOUSE warehouse-of-staging: its name has to end in -warehouse.\n' +
        '[env.staging] of wrangler.toml calls the queue of BUILDS builds-of-staging: its name has to end in -builds.',
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
      'mirrors two environments to one place',
      withStaging((staging) =>
        staging.replace('CLICKHOUSE_URL = ""', 'CLICKHOUSE_URL = "https://rows.example"'),
      ).replace('CLICKHOUSE_URL = ""', 'CLICKHOUSE_URL = "https://rows.example"'),
      '[env.staging] of wrangler.toml shares the database default on https://rows.example with the top of the file: each environment needs ' +
        'its own.',
    ],
    [
      'has two environments that take from one queue',
      `${withStaging()}\n[env.preview]\n[[env.preview.queues.producers]]\nbinding = "BUILDS"\nqueue = "halyard-staging-builds"\n`,
      '[env.staging] of wrangler.toml shares the queue halyard-staging-builds with [env.preview]: each environment needs its own.',
    ],
  ])('%s', (_, config, message) => {
    expect(refusalOf(config, 'staging')).toBe(message)
  })
})
