// Forward only: a database of an earlier migration, with data in every table, becomes the newest one, keeps everything, and serves.
import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../src/account/password/hash'
import { newApiKey } from '../../src/auth/api-keys'
import { secureValueOf } from '../../src/auth/secure-value'
import { hashToken } from '../../src/auth/sessions'
import { createIds } from '../../src/clock'
import { all, contentsOf, fill, schemaOf, tablesOf } from '../support/database/contents'
import { createHarness } from '../support/harness'
import { cookiesOf } from '../support/session'
import { type Hashes, PASSWORD, rowsOf, SESSION_TOKEN, shardRows } from './upgrade-rows'
import { PROJECT_TOKEN } from './upgrade-rows/accounts'
import { QUERY } from './upgrade-rows/endpoints'
import type { Row } from './upgrade-rows/row'

const { DB, EVENTS, MIGRATIONS } = env

/** An empty database, with the first migrations applied. */
async function migrateTo(database: D1Database, migrations: D1Migration[]): Promise<void> {
  const names = [...(await tablesOf(database)), 'd1_migrations']
  await database.batch([
    database.prepare('PRAGMA defer_foreign_keys = on'),
    database.prepare('DROP VIEW IF EXISTS session_events'),
    ...names.map((name) => database.prepare(`DROP TABLE IF EXISTS "${name}"`)),
  ])
  await applyD1Migrations(database, migrations)
}

/** Flags are counted by triggers, and once more by the number in the row. */
const countFlags = () =>
  DB.prepare(
    `UPDATE projects SET live_flag_count = (SELECT count(*) FROM feature_flags WHERE project_id = projects.id)`,
  ).run()

/** What triggers count and number, and migrations for what was there before. */
const keptNumbers = () =>
  all(
    DB,
    `SELECT p.archived_flag_count, p.endpoint_count, p.person_count, p.definition_bytes, o.member_count, o.project_count, t.group_count,
      d.total, a.scope_ordinal, a.item_ordinal, m.distinct_id_count
    FROM persons m JOIN projects p JOIN organizations o JOIN group_types t JOIN property_definition_counts d ON d.project_id = p.id JOIN activity_log a`,
  )

/** What the migration that began the table made of the events that were there. */
const session = () =>
  all(EVENTS, `SELECT * FROM event_sessions WHERE session_id = 'visit' ORDER BY distinct_id`)

/** What a client meets of that data, with what differs by itself made alike. */
async function meet(projectId: number) {
  const { send } = createHarness()
  const path = `/api/projects/${projectId}`
  const bearer = { Authorization: `Bearer ${key}` }
  const met: Record<string, { status: number; body: unknown }> = {}
  async function ask(
    name: string,
    method: string,
    at: string,
    body?: unknown,
    headers: Record<string, string> = bearer,
  ) {
    const response = await send(method, at, { body, headers })
    const text = JSON.stringify(response.body)
      .replaceAll(`${projectId}`, '90000')
      .replaceAll(/(?!0195a000)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'new')
    met[name] = { status: response.status, body: JSON.parse(text) as unknown }
  }
  await ask('flag', 'GET', `${path}/feature_flags/1/`)
  await ask('persons', 'GET', `${path}/persons/`)
  await ask('cohorts', 'GET', `${path}/cohorts/`)
  await ask('members', 'GET', '/api/organizations/@current/members/')
  await ask('keys', 'GET', '/api/personal_api_keys/', undefined, cookiesOf(SESSION_TOKEN))
  await ask('evaluation', 'POST', '/flags/?v=2', { token: PROJECT_TOKEN, distinct_id: 'mary' }, {})
  await ask('session', 'GET', '/api/users/@me/', undefined, cookiesOf(SESSION_TOKEN))
  await ask('sign-in', 'POST', '/api/login/', { email: 'ada@example.com', password: PASSWORD }, {})
  await ask('change', 'PATCH', `${path}/feature_flags/1/`, { name: 'Changed', version: 4 })
  await ask('new flag', 'POST', `${path}/feature_flags/`, {
    key: 'third',
    _should_create_usage_dashboard: false,
  })
  await ask('activity', 'GET', `${path}/feature_flags/1/activity/`)
  const event = { event: 'purchase', distinct_id: 'mary', uuid: NEW_EVENT, properties: { amount: 5 } }
  await ask('capture', 'POST', '/batch/', { api_key: PROJECT_TOKEN, batch: [event] })
  await ask('new endpoint', 'POST', `${path}/endpoints/`, {
    name: 'again',
    query: { kind: 'HogQLQuery', query: QUERY },
  })
  await ask('run of the new endpoint', 'GET', `${path}/endpoints/again/run`)
  await ask('endpoint', 'GET', `${path}/endpoints/purchases/`)
  await ask('run of the endpoint', 'GET', `${path}/endpoints/purchases/run`)
  return met
}

/** What needs rows of a table that an early database did not have. */
const NEEDS: Record<string, string> = {
  members: 'sso_identities',
  session: 'sso_identities',
  endpoint: 'endpoint_materializations',
  'run of the endpoint': 'endpoint_versions',
}

const NEW_EVENT = '0195a000-0000-7000-8000-00000000000a'

let newest: { schemas: Row[][]; numbers: Row[]; session: Row[]; met: Awaited<ReturnType<typeof meet>> }
let hashes: Hashes
let key: string

/** A project has a number of its own in each database: project objects outlive the tables. */
const projectOf = (count: number) => 90_000 + count

const schemas = () => Promise.all([DB, EVENTS].map(schemaOf))

beforeAll(async () => {
  key = newApiKey(createIds())
  hashes = {
    password: await hashPassword(PASSWORD),
    apiKey: await secureValueOf(key),
    session: hashToken(SESSION_TOKEN),
  }
  const projectId = projectOf(0)
  await migrateTo(DB, MIGRATIONS.main)
  await migrateTo(EVENTS, MIGRATIONS.events)
  await fill(DB, rowsOf(projectId, hashes))
  await countFlags()
  await fill(EVENTS, shardRows(projectId))
  newest = {
    schemas: await schemas(),
    numbers: await keptNumbers(),
    session: await session(),
    met: await meet(projectId),
  }
}, 60_000)

describe('a database of the newest migration', () => {
  it('serves its rows', () => {
    const { met } = newest
    expect(Object.entries(met).map(([name, { status }]) => [name, status])).toEqual([
      ['flag', 200],
      ['persons', 200],
      ['cohorts', 200],
      ['members', 200],
      ['keys', 200],
      ['evaluation', 200],
      ['session', 200],
      ['sign-in', 200],
      ['change', 200],
      ['new flag', 201],
      ['activity', 200],
      ['capture', 200],
      ['new endpoint', 201],
      ['run of the new endpoint', 200],
      ['endpoint', 200],
      ['run of the endpoint', 200],
    ])
    expect(met.flag!.body).toMatchObject({
      key: 'checkout',
      version: 4,
      tags: ['shop'],
      evaluation_contexts: ['web'],
    })
    for (const list of ['persons', 'cohorts', 'members'])
      expect(met[list]!.body, list).not.toMatchObject({ results: [] })
    expect(met.evaluation!.body).toMatchObject({
      errorsWhileComputingFlags: false,
      flags: { checkout: { enabled: true }, beta: { enabled: true, reason: { code: 'condition_match' } } },
    })
    expect(met.session!.body).toMatchObject({ email: 'ada@example.com', team: { name: 'Shop' } })
    expect(met['sign-in']!.body).toEqual({ success: true })
    expect(met.activity!.body).toMatchObject({ results: [{ activity: 'updated' }, { activity: 'created' }] })
    // Three purchases, all of one person who is known by two names.
    for (const name of ['run of the new endpoint', 'run of the endpoint']) {
      expect(met[name]!.body).toMatchObject({ results: [[3, 1, 26]] })
    }
  })
})

/** The first migration, after which all others run, and the newest ones: those between do not change any more. */
const NEWEST = 5
const earlierOf = (name: 'main' | 'events') =>
  MIGRATIONS[name]
    .slice(0, -1)
    .map((migration, index) => ({ database: name, ...migration, count: index + 1 }))
    .filter(({ count }) => count === 1 || count >= MIGRATIONS[name].length - NEWEST)

const EARLIER = [...earlierOf('main'), ...earlierOf('events')].map((each, index) => ({ ...each, index }))

describe.each(EARLIER)('the $database database of $name', ({ database: name, count, index }) => {
  it('becomes the newest one, keeps every value, and serves the same', async () => {
    const projectId = projectOf(index + 1)
    const database = name === 'main' ? DB : EVENTS
    await migrateTo(DB, name === 'main' ? MIGRATIONS.main.slice(0, count) : MIGRATIONS.main)
    await migrateTo(EVENTS, name === 'events' ? MIGRATIONS.events.slice(0, count) : MIGRATIONS.events)
    const had = new Set([...(await tablesOf(DB)), ...(await tablesOf(EVENTS))])
    await fill(DB, rowsOf(projectId, hashes))
    await countFlags()
    await fill(EVENTS, shardRows(projectId))
    const before = await contentsOf(database)

    await applyD1Migrations(DB, MIGRATIONS.main)
    await applyD1Migrations(EVENTS, MIGRATIONS.events)
    expect(await schemas()).toEqual(newest.schemas)
    expect(await all(database, 'PRAGMA foreign_key_check')).toEqual([])
    const after = await contentsOf(database)
    for (const [table, rows] of Object.entries(before)) {
      // The migration that begins to count rows of a table adds their number.
      const kept =
        table === 'people_volumes'
          ? after[table]!.filter((row) => rows.some(({ name: counted }) => counted === row.name))
          : after[table]
      expect(kept, table).toEqual(rows.map((row) => expect.objectContaining(row)))
    }

    expect(await keptNumbers()).toEqual(newest.numbers)
    expect(await session()).toEqual(newest.session.map((row) => ({ ...row, project_id: projectId })))
    const met = await meet(projectId)
    for (const [part, response] of Object.entries(newest.met)) {
      if (had.has(NEEDS[part] ?? 'projects')) expect(met[part], part).toEqual(response)
    }
    expect(await all(DB, 'SELECT live_flag_count FROM projects')).toEqual([{ live_flag_count: 3 }])
  })
})

describe('what a later migration must bring along', () => {
  it('is data for its tables and columns', async () => {
    const rows = rowsOf(projectOf(0), hashes)
    await migrateTo(DB, MIGRATIONS.main)
    await DB.exec('CREATE TABLE forgotten (id integer)')
    await expect(fill(DB, rows)).rejects.toThrow(
      'The table forgotten has no row in test/storage/upgrade-rows/: add one, so that upgrades are tried with it.',
    )
    await DB.batch(
      ['DROP TABLE forgotten', 'ALTER TABLE surveys ADD forgotten text'].map((sql) => DB.prepare(sql)),
    )
    await expect(fill(DB, rows)).rejects.toThrow(
      'A row of surveys in test/storage/upgrade-rows/ has no forgotten: say what stands there.',
    )
  })

  it.each([...MIGRATIONS.main, ...MIGRATIONS.events])(
    '$name only adds, or replaces triggers, so that the previous code works while the new one is deployed',
    ({ queries }) => {
      const isReplaced = queries.some((query) => query.includes('CREATE TRIGGER'))
      const allowed = [
        /^CREATE (TABLE|VIEW|TRIGGER|(UNIQUE )?INDEX) /,
        isReplaced ? /^DROP (INDEX|TRIGGER) / : /^DROP INDEX /,
        /^ALTER TABLE \S+ ADD /,
        /^UPDATE /,
        /^INSERT INTO \S+ \([^)]+\) SELECT /,
      ]
      for (const query of queries) {
        const text = query.replaceAll(/^\s*--.*$/gm, '').trim()
        expect(
          allowed.some((pattern) => pattern.test(text)),
          text,
        ).toBe(true)
      }
    },
  )
})
