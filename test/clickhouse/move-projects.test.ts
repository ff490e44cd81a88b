// The move of projects from their shard to ClickHouse: stopped, continued, and checked before the switch.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type MoveOptions, moveProjects } from '../../src/cli/clickhouse/move-projects'
import { run as runStatement } from '../../src/cli/clickhouse/warehouse'
import type { SqlDatabase } from '../../src/cli/sql-database'
import { commandDatabase } from '../support/database/command-database'
import { type ServedWorker, serveWorker } from '../support/server/served-worker'
import { event, PEOPLE_TABLES, type Sent } from './support/captured'
import { makeWarehouse, type Warehouse } from './support/warehouse'

let served: ServedWorker
let moved: Warehouse
let options: MoveOptions

beforeAll(async () => {
  // The progress of the moves.
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true)
  moved = await makeWarehouse('moved')
  served = await serveWorker({ bindings: moved.settings })
  await served.database.prepare(`UPDATE projects SET query_engine = 'd1'`).run()
  const shard = commandDatabase('EVENTS', served.events)
  options = {
    main: commandDatabase('DB', served.database),
    shardOf: () => shard,
    server: moved.server,
    projectIds: null,
    restarts: false,
    settleMs: 0,
    pageSize: 400,
  }
  await send(
    ...Array.from({ length: 1_500 }, (_, index) => ({
      ...event(`person-${index % 20}`, 'opened', { index, text: "it's \\ ‰ 🎈", $set: { index } }),
      timestamp: `2026-03-0${1 + (index % 3)}T10:00:00.123Z`,
    })),
    event('ben', '$groupidentify', {
      $group_type: 'company',
      $group_key: 'acme',
      $group_set: { seats: 3 },
    }),
  )
})
afterAll(async () => {
  vi.restoreAllMocks()
  await served.stop()
})

const send = async (...batch: Sent[]) => {
  const response = await fetch(`${served.url}/batch/`, {
    method: 'POST',
    headers: { Prefer: 'wait=10' },
    body: JSON.stringify({ api_key: served.credentials.projectApiToken, batch }),
  })
  expect(response.status).toBe(200)
}
const engineOf = async () => (await served.database.prepare('SELECT query_engine FROM projects').raw()).flat()
const countStored = async () =>
  (await moved.rows('SELECT count(), uniqExact(uuid) FROM events FINAL WHERE project_id = 1')).flat()

/** A shard that is lost after some pages. */
const lostAfter = (pages: number): SqlDatabase => {
  const shard = options.shardOf('EVENTS')!
  let left = pages
  return {
    ...shard,
    query: (sql, params) => {
      if (sql.includes('page AS MATERIALIZED') && left-- === 0) throw new Error('the connection is lost')
      return shard.query(sql, params)
    },
  }
}

it('continues after the last page of a run that was stopped', async () => {
  const lost = lostAfter(2)
  await expect(moveProjects({ ...options, shardOf: () => lost })).rejects.toThrow('the connection is lost')
  expect(await countStored()).toEqual([800, 800])
  expect(await engineOf()).toEqual(['d1'])
  // A second connection has two pages left, and looks for anserved.
  const rest = lostAfter(3)
  await expect(moveProjects({ ...options, shardOf: () => rest })).resolves.toBe(1)
  expect(await countStored()).toEqual([1_501, 1_501])
  expect(await engineOf()).toEqual(['clickhouse'])
  for (const [d1, clickhouse] of PEOPLE_TABLES)
    expect(await moved.rows(clickhouse)).toEqual(await served.database.prepare(d1).raw())
  expect(await moveProjects(options)).toBe(0)
})

it('copies what reached the shard before all isolates had heard of the switch', async () => {
  for (const log of ['moves', 'moved_events'])
    await runStatement(moved.server, `DELETE FROM ${log} WHERE project_id = 1`)
  await served.database.prepare(`UPDATE projects SET query_engine = 'd1'`).run()
  const { main } = options
  const late = async (sql: string, params?: readonly (string | number)[]) => {
    const rows = await main.query(sql, params)
    if (sql.startsWith('UPDATE projects')) {
      await served.events
        .prepare(
          `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, created_at, properties)
            VALUES (1, 'late', 'opened', 'late', '2026-03-02T10:00:00.000000Z', '2026-03-02T10:00:00.000000Z', jsonb('{}'))`,
        )
        .run()
    }
    return rows
  }
  expect(await moveProjects({ ...options, main: { ...main, query: late } })).toBe(1)
  expect(await countStored()).toEqual([1_502, 1_502])
})

it('switches no project whose rows differ, names the day, and copies it again with --restart', async () => {
  for (const log of ['moves', 'moved_events'])
    await runStatement(moved.server, `DELETE FROM ${log} WHERE project_id = 1`)
  await served.database.prepare(`UPDATE projects SET query_engine = 'd1'`).run()
  const lost = lostAfter(4)
  await expect(moveProjects({ ...options, shardOf: () => lost })).rejects.toThrow('the connection is lost')
  await runStatement(
    moved.server,
    `INSERT INTO events SELECT * REPLACE ('{"index":-1}' AS properties) FROM events FINAL
      WHERE project_id = 1 AND toDate(timestamp) = '2026-03-02' ORDER BY uuid LIMIT 1`,
  )
  await expect(moveProjects(options)).rejects.toThrow(
    /^Project 1 stays on D1: what was copied is not what ClickHouse has\.\n {2}2026-03-02: 501 events, with other content on ClickHouse\n/,
  )
  expect(await engineOf()).toEqual(['d1'])
  expect(await moveProjects({ ...options, restarts: true })).toBe(1)
  expect(await countStored()).toEqual([1_502, 1_502])
  expect(await engineOf()).toEqual(['clickhouse'])
})

it('names a project that does not exist', async () => {
  await expect(moveProjects({ ...options, projectIds: [1, 77] })).rejects.toThrow('There is no project 77.')
})
