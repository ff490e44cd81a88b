// A deleted project leaves nothing, and takes nothing of others: afterwards the databases are as if it had never been. Which tables there are
// comes from the schema.
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as schema from '../../drizzle'
import * as shardSchema from '../../drizzle/events'
import { newApiKey } from '../../src/auth/api-keys'
import { secureValueOf } from '../../src/auth/secure-value'
import { createIds } from '../../src/clock'
import { performDueTasks } from '../../src/jobs/outbox-tasks'
import { MAIN_ROWS, SHARD_ROWS } from '../../src/retention/project-rows'
import { openDatabase } from '../../src/storage/database'
import { createMeter } from '../../src/storage/metered-d1'
import { type Hashes, rowsOf, shardRows } from '../storage/upgrade-rows'
import { PROJECT_TOKEN } from '../storage/upgrade-rows/accounts'
import { id, ORGANIZATION, type Row, type Rows } from '../storage/upgrade-rows/row'
import { all, contentsOf, fill, tablesOf } from '../support/database/contents'
import { testClock } from '../support/clock'
import { atEveryCall, CRASHES } from '../support/faults/crash'
import { createHarness } from '../support/harness'

const { DB, EVENTS, SNAPSHOTS } = env

/** The project that is deleted, and what is added to make another one of the same organization. */
const PROJECT = 91_000
const SHIFT = 1_000

/** Names of the tables of a schema that have a column for the project. */
const withProject = (tables: Record<string, unknown>): string[] =>
  Object.values(tables).flatMap((table) => {
    if (!is(table, SQLiteTable)) return []
    const { name, columns } = getTableConfig(table as SQLiteTable)
    return columns.some((column) => column.name === 'project_id') ? [name] : []
  })

/** Tables of the main database whose rows are deleted with a row of these, or in the batch that deletes the project. */
const ROWS_THAT_FOLLOW: Readonly<Record<string, string>> = {
  flag_tags: 'feature_flags',
  flag_evaluation_contexts: 'feature_flags',
  endpoint_materializations: 'endpoint_versions',
  endpoint_tags: 'endpoints',
  dashboard_tiles: 'dashboards',
  flag_hash_key_overrides: 'persons',
  workspace_integrations: 'projects',
  scene_personalisations: 'projects',
}

/** Ids of things that belong to a project. */
const IDS = new Set([
  'id',
  'sequence',
  'project_id',
  'flag_id',
  'depends_on_id',
  'cohort_id',
  'person_id',
  'dashboard_id',
  'usage_dashboard_id',
  'linked_flag_id',
  'session_recording_linked_flag_id',
])

/** The same row of another project. */
const shifted = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (typeof value === 'number') return [column, IDS.has(column) ? value + SHIFT : value]
      if (typeof value !== 'string' || column === 'organization_id') return [column, value]
      return [column, value.replaceAll('0195a000', '0195b000').replaceAll(PROJECT_TOKEN, 'phc_other')]
    }),
  )

/** Tables without a column for the project, whose rows are those of one. */
const PARTS = [
  'projects',
  'cohort_members',
  'flag_cohorts',
  'flag_dashboards',
  'flag_dependencies',
  'webhook_deliveries',
]

/** Written by triggers for each project. */
const COUNTED = new Set(['property_definition_counts', 'people_volumes', 'write_guards'])

/** Rows with a second project, and with the first one or without it. */
function rowsWith(rows: Rows, own: readonly string[], hasFirst: boolean): Rows {
  const isOwn = (table: string) => own.includes(table) && !COUNTED.has(table)
  return Object.fromEntries(
    Object.entries(rows).map(([table, found]) => [
      table,
      isOwn(table) ? [...(hasFirst ? found : []), ...found.map(shifted)] : found,
    ]),
  )
}

const key = newApiKey(createIds())
let hashes: Hashes

beforeAll(async () => {
  hashes = { password: 'none', apiKey: await secureValueOf(key), session: 'none' }
})

async function clear(database: D1Database): Promise<void> {
  const tables = await tablesOf(database)
  const built = tables.filter((name) => name.startsWith('mat_'))
  await database.batch([
    database.prepare('PRAGMA defer_foreign_keys = on'),
    ...built.map((name) => database.prepare(`DROP TABLE "${name}"`)),
    // A trigger may have written to one again.
    ...[...tables, ...tables]
      .filter((name) => !built.includes(name))
      .map((name) => database.prepare(`DELETE FROM "${name}"`)),
  ])
}

const MATERIALIZED = `mat_${id(4).replaceAll('-', '')}_1`

async function makeWorld({ hasFirst = true } = {}): Promise<void> {
  await clear(DB)
  await clear(EVENTS)
  await fill(DB, rowsWith(rowsOf(PROJECT, hashes), [...withProject(schema), ...PARTS], hasFirst))
  await fill(EVENTS, rowsWith(shardRows(PROJECT), withProject(shardSchema), hasFirst))
  if (hasFirst) await EVENTS.prepare(`CREATE TABLE "${MATERIALIZED}" (a)`).run()
}

/** What is stored, without what a request of the key's user leaves. */
async function world() {
  const main = await contentsOf(DB)
  return {
    shard: await contentsOf(EVENTS),
    main: {
      ...main,
      personal_api_keys: main.personal_api_keys!.map((row) => ({ ...row, last_used_at: null })),
      activity_log: main.activity_log!.filter(({ organization_id }) => organization_id === null),
    },
  }
}

const bearer = { Authorization: `Bearer ${key}` }

function setUp() {
  const clock = testClock()
  const harness = createHarness({ clock })
  const faults: string[] = []
  return {
    clock,
    faults,
    send: harness.send,
    destroy: (path = `/api/projects/${PROJECT}/`) => harness.send('DELETE', path, { headers: bearer }),
    /** What the minute's trigger does then. */
    async trigger(later: Partial<Record<'minutes' | 'days', number>>, bindings: Partial<Env> = {}) {
      clock.advance(later)
      const own = { ...harness.env, ...bindings }
      const meter = createMeter()
      const deps = { db: openDatabase(own.DB, meter), env: own, meter }
      await performDueTasks(deps, clock.now(), (line) => void faults.push(JSON.stringify(line))).catch(
        () => undefined,
      )
    },
  }
}

const tasks = () => all(DB, `SELECT task ->> '$.kind' AS kind FROM outbox WHERE project_id = ${PROJECT}`)

/** Rows of the project by table, where there are some. */
async function remains(): Promise<string[]> {
  const left: string[] = []
  for (const [database, tables] of [
    [DB, withProject(schema)],
    [EVENTS, withProject(shardSchema)],
  ] as const) {
    for (const table of tables) {
      const [row] = await all(database, `SELECT count(*) AS n FROM "${table}" WHERE project_id = ${PROJECT}`)
      if (row!.n) left.push(table)
    }
  }
  return left
}

describe('the tables of a project', () => {
  it('are all among those of its deletion', () => {
    const deleted = new Set([...MAIN_ROWS.map(({ table }) => table), ...Object.keys(ROWS_THAT_FOLLOW)])
    expect(withProject(schema).filter((table) => !deleted.has(table))).toEqual([])
    const inShard = new Set([...SHARD_ROWS.map(({ table }) => table), 'materialized_tables'])
    expect(withProject(shardSchema).filter((table) => !inShard.has(table))).toEqual([])
  })
})

describe('DELETE projects/:id', () => {
  it('closes every way in at once, and leaves the databases as if the project had never been', async () => {
    await makeWorld({ hasFirst: false })
    const without = await world()
    await makeWorld()
    const { send, destroy, trigger, faults } = setUp()
    await send('POST', '/flags/?v=2', { body: { token: PROJECT_TOKEN, distinct_id: 'mary' } })
    const published = () =>
      Promise.all([`flags:${PROJECT}`, `token:${PROJECT_TOKEN}`].map((each) => SNAPSHOTS.get(each)))
    await vi.waitFor(async () => expect(await published()).not.toContain(null))

    const { status, text } = await destroy()
    expect({ status, text }).toEqual({ status: 204, text: '' })
    // Another isolate, which has not served the project.
    const other = createHarness()
    const body = { token: PROJECT_TOKEN, api_key: PROJECT_TOKEN, event: 'late', distinct_id: 'mary' }
    const statuses: Record<string, number> = {}
    for (const [method, path] of [
      ['POST', '/flags/?v=2'],
      ['POST', '/i/v0/e/'],
      ['POST', '/batch/'],
      ['GET', `/api/projects/${PROJECT}/`],
      ['PATCH', `/api/projects/${PROJECT}/`],
      ['DELETE', `/api/projects/${PROJECT}/`],
      ['GET', `/api/projects/${PROJECT}/feature_flags/`],
      ['GET', `/api/projects/${PROJECT}/feature_flags/1/`],
      ['GET', `/api/projects/${PROJECT}/endpoints/purchases/run/`],
      ['GET', `/api/projects/${PROJECT}/activity_log/?scope=Project`],
      ['GET', `/api/organizations/${ORGANIZATION}/projects/${PROJECT}/`],
      ['GET', `/api/projects/${PROJECT + SHIFT}/`],
      ['GET', '/api/users/@me/'],
    ] as const) {
      const sent = method === 'GET' || method === 'DELETE' ? {} : { body }
      statuses[`${method} ${path}`] = (await other.send(method, path, { ...sent, headers: bearer })).status
    }
    expect(statuses).toEqual({
      'POST /flags/?v=2': 401,
      'POST /i/v0/e/': 401,
      'POST /batch/': 401,
      [`GET /api/projects/${PROJECT}/`]: 404,
      [`PATCH /api/projects/${PROJECT}/`]: 404,
      [`DELETE /api/projects/${PROJECT}/`]: 404,
      [`GET /api/projects/${PROJECT}/feature_flags/`]: 404,
      [`GET /api/projects/${PROJECT}/feature_flags/1/`]: 404,
      [`GET /api/projects/${PROJECT}/endpoints/purchases/run/`]: 404,
      [`GET /api/projects/${PROJECT}/activity_log/?scope=Project`]: 404,
      [`GET /api/organizations/${ORGANIZATION}/projects/${PROJECT}/`]: 404,
      [`GET /api/projects/${PROJECT + SHIFT}/`]: 200,
      'GET /api/users/@me/': 200,
    })

    await trigger({ minutes: 1 })
    expect(await remains()).toEqual(['outbox'])
    expect(await published()).toEqual([null, null])
    // What another isolate wrote that still knew the token, and a message that was late.
    const late = (number: number) =>
      EVENTS.prepare(
        `INSERT INTO events (project_id, uuid, event, distinct_id, properties, timestamp, created_at, sets_properties)
        VALUES (?1, ?2, 'late', 'mary', jsonb('{}'), '2026-03-10', '2026-03-10', 0)`,
      ).bind(PROJECT, id(number))
    await late(90).run()
    await trigger({ minutes: 3 })
    expect(await remains()).toEqual(['outbox'])
    await late(91).run()
    await trigger({ days: 1 })
    expect(await remains()).toEqual(['outbox', 'events'])
    await trigger({ days: 4 })
    expect(faults).toEqual([])
    expect(await remains()).toEqual([])
    expect(await tablesOf(EVENTS)).not.toContain(MATERIALIZED)
    expect(await world()).toEqual(without)
  })

  it('is in the log of the organization', async () => {
    await makeWorld()
    const { send, destroy } = setUp()
    await destroy(`/api/organizations/${ORGANIZATION}/projects/${PROJECT}/`)
    const path = `/api/projects/${PROJECT + SHIFT}/activity_log/?scope=Project&item_id=${PROJECT}`
    const { body } = await send('GET', path, { headers: bearer })
    expect(body.results).toMatchObject([
      {
        activity: 'deleted',
        scope: 'Project',
        item_id: String(PROJECT),
        detail: { name: 'Shop', changes: [] },
      },
    ])
  })

  it('deletes the last project of an organization; another can be created', async () => {
    await makeWorld()
    const { send, destroy } = setUp()
    await destroy()
    expect((await destroy(`/api/projects/${PROJECT + SHIFT}/`)).status).toBe(204)
    const { body: organization } = await send('GET', `/api/organizations/${ORGANIZATION}/`, {
      headers: bearer,
    })
    expect(organization).toMatchObject({ teams: [], projects: [] })
    const me = await send('GET', '/api/users/@me/', { headers: bearer })
    expect({ status: me.status, team: me.body.team }).toEqual({ status: 200, team: null })
    const created = await send('POST', '/api/projects/', { headers: bearer, body: {} })
    expect(created.status).toBe(201)
    expect(created.body.id).toBeGreaterThan(PROJECT + SHIFT)
  })

  it.each([
    ['?keep_events=true', 'keep_events'],
    ['?force=1', 'force'],
  ])('rejects %s, and deletes nothing', async (query, attr) => {
    await makeWorld()
    const { destroy, send } = setUp()
    const { status, body } = await destroy(`/api/projects/${PROJECT}/${query}`)
    expect({ status, attr: body.attr, code: body.code }).toEqual({ status: 400, attr, code: 'unknown_field' })
    expect((await send('GET', `/api/projects/${PROJECT}/`, { headers: bearer })).status).toBe(200)
  })

  it('continues where the budget of a run ended', async () => {
    await makeWorld()
    const { destroy, trigger } = setUp()
    const insert = EVENTS.prepare(
      `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 130000)
      INSERT INTO events (project_id, uuid, event, distinct_id, properties, timestamp, created_at, sets_properties)
      SELECT ${PROJECT}, i, 'bulk', 'mary', jsonb('{}'), '2026-03-10', '2026-03-10', 0 FROM n`,
    )
    await insert.run()
    await destroy()
    await trigger({ minutes: 1 })
    expect(await remains()).toContain('events')
    expect(await tasks()).toEqual([{ kind: 'delete_project' }])
    for (let minute = 0; minute < 3; minute += 1) await trigger({ minutes: 1 })
    expect(await remains()).toEqual(['outbox'])
  }, 60_000)
})

describe.each(CRASHES)('a Worker that %s', (crash) => {
  beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue())
  afterEach(() => vi.restoreAllMocks())

  it('finishes a deletion in a later run', async () => {
    await makeWorld({ hasFirst: false })
    const without = await world()
    const calls = await atEveryCall(crash, async (crashAt) => {
      await makeWorld()
      const { destroy, trigger } = setUp()
      await destroy()
      await trigger({ minutes: 1 }, crashAt().bindings)
      await trigger({ minutes: 3 })
      await trigger({ days: 6 })
      expect(await tasks()).toEqual([])
      expect(await world()).toEqual(without)
    })
    expect(calls).toBeGreaterThan(MAIN_ROWS.length + SHARD_ROWS.length)
  }, 120_000)
})
