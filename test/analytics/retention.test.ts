import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { EventRow } from '../../src/outbox/ingestion-rows'
import { noRows } from '../../src/outbox/ingestion-rows'
import { createShardSink } from '../../src/analytics/ingestion/shard-sink'
import { firstKeptDay, pruneEvents } from '../../src/analytics/prune-events'
import { propertyRuns } from '../support/property-runs'

const shard = env.EVENTS
const sink = createShardSink(shard)

/** The first day that is kept. */
const BEFORE = '2026-03-05'

let lastProject = 7_000_000
const newProject = () => (lastProject += 1)

const eventOn = (day: number, fields: Partial<EventRow> = {}): EventRow => ({
  uuid: crypto.randomUUID(),
  event: 'opened',
  distinctId: 'ada',
  timestamp: `2026-03-${String(day).padStart(2, '0')}T23:59:59.999999Z`,
  createdAt: '2026-03-10T12:00:00.000000Z',
  setsProperties: false,
  flagKey: null,
  flagResponse: null,
  properties: {},
  ...fields,
})

const write = (projectId: number, events: EventRow[]) => sink.write(projectId, { ...noRows(), events })

const rows = async (sql: string, projectId: number) =>
  (await shard.prepare(sql).bind(projectId).all<Record<string, unknown>>()).results

const volumesOf = (projectId: number) =>
  rows(
    'SELECT day, event, events, bytes FROM event_volumes WHERE project_id = ?1 ORDER BY day, event',
    projectId,
  )

/** What `event_volumes` has to contain: a row for each name and day, and one for each day. */
const recount = (projectId: number) =>
  rows(
    `WITH e AS (SELECT substr(timestamp, 1, 10) AS day, event, octet_length(json(properties)) AS bytes FROM events WHERE project_id = ?1)
    SELECT day, event, count(*) AS events, sum(bytes) AS bytes FROM e GROUP BY day, event
    UNION ALL SELECT day, '', count(*), sum(bytes) FROM e GROUP BY day ORDER BY 1, 2`,
    projectId,
  )

const uuidsOf = async (projectId: number) =>
  (await rows('SELECT uuid FROM events WHERE project_id = ?1', projectId)).map(({ uuid }) => uuid)

const isKept = ({ timestamp, setsProperties }: EventRow) => setsProperties || timestamp >= BEFORE

/** Values whose JSON has escapes, numbers in other notations and bytes beyond ASCII. */
const properties = fc.dictionary(
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }),
  { maxKeys: 3 },
)

const anyEvent = fc
  .record({
    day: fc.integer({ min: 1, max: 8 }),
    event: fc.constantFrom('opened', 'closed', 'é"\\'),
    setsProperties: fc.boolean(),
    properties,
  })
  .map(({ day, ...fields }) => eventOn(day, fields as Partial<EventRow>))

/** Other test files use the same shard. */
const empty = () =>
  shard.batch([shard.prepare('DELETE FROM events'), shard.prepare('DELETE FROM event_volumes')])

describe('pruning events', () => {
  beforeEach(empty)

  it('keeps event_volumes equal to a recount during inserts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyEvent, { maxLength: 30 }),
        fc.array(fc.array(anyEvent, { maxLength: 6 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 7 }),
        async (first, later, window) => {
          await empty()
          const projectId = newProject()
          await write(projectId, first)
          const prune = () => pruneEvents(shard, { before: BEFORE, maxBatches: 100, window })
          await Promise.all([prune(), ...later.map((events) => write(projectId, events)), prune()])
          expect(await volumesOf(projectId)).toEqual(await recount(projectId))

          await prune()
          expect(await volumesOf(projectId)).toEqual(await recount(projectId))
          const kept = [...first, ...later.flat()].filter(isKept).map(({ uuid }) => uuid)
          expect((await uuidsOf(projectId)).sort()).toEqual(kept.sort())
        },
      ),
      { numRuns: propertyRuns(15, 40) },
    )
  })

  it('deletes the newest events first, and leaves the rest for the next run', async () => {
    const projectId = newProject()
    await write(
      projectId,
      [3, 1, 4, 2, 1].map((day) => eventOn(day)),
    )
    await pruneEvents(shard, { before: BEFORE, maxBatches: 1, window: 3 })
    expect(await volumesOf(projectId)).toEqual([
      { day: '2026-03-01', event: '', events: 2, bytes: 4 },
      { day: '2026-03-01', event: 'opened', events: 2, bytes: 4 },
    ])
    await pruneEvents(shard, { before: BEFORE, maxBatches: 1, window: 3 })
    expect(await uuidsOf(projectId)).toEqual([])
  })

  it('deletes all old events of a project on ClickHouse after days of its own, and keeps the volumes exact', async () => {
    const [onShard, onClickhouse] = [newProject(), newProject()]
    const days = [1, 2, 3, 6]
    for (const project of [onShard, onClickhouse]) {
      await write(
        project,
        days.flatMap((day) => [eventOn(day), eventOn(day, { setsProperties: true })]),
      )
    }
    const moved = { projectIds: new Set([onClickhouse]), before: '2026-03-03' }
    await pruneEvents(shard, { before: null, moved, maxBatches: 10, window: 3 })
    const kept = async (project: number) =>
      rows(
        `SELECT substr(timestamp, 10, 1) AS day, count(*) AS events FROM events WHERE project_id = ?1 GROUP BY day`,
        project,
      )
    expect(await kept(onShard)).toEqual(['1', '2', '3', '6'].map((day) => ({ day, events: 2 })))
    expect(await kept(onClickhouse)).toEqual(['3', '6'].map((day) => ({ day, events: 2 })))
    expect(await volumesOf(onClickhouse)).toEqual(await recount(onClickhouse))
    await pruneEvents(shard, { before: BEFORE, moved: { ...moved, before: null }, maxBatches: 10, window: 3 })
    expect(await kept(onClickhouse)).toEqual([
      { day: '3', events: 1 },
      { day: '6', events: 2 },
    ])
  })

  it('gives every project a turn', async () => {
    const [large, small] = [newProject(), newProject()]
    await write(
      large,
      Array.from({ length: 20 }, () => eventOn(2)),
    )
    await write(small, [eventOn(1), eventOn(1)])
    // Projects of other tests keep events that set properties.
    const [{ projects } = { projects: 0 }] = (
      await shard
        .prepare(
          `SELECT count(DISTINCT project_id) AS projects FROM event_volumes WHERE event = '' AND day < ?1`,
        )
        .bind(BEFORE)
        .all<{ projects: number }>()
    ).results
    await pruneEvents(shard, { before: BEFORE, maxBatches: projects, window: 2 })
    expect([(await uuidsOf(large)).length, (await uuidsOf(small)).length]).toEqual([18, 0])
  })

  it('looks at a limited number of events in a batch, those that stay among them', async () => {
    const projectId = newProject()
    await write(
      projectId,
      Array.from({ length: 400 }, (_, i) =>
        eventOn(1, { setsProperties: true, timestamp: `2026-03-01T00:00:00.${String(i).padStart(6, '0')}Z` }),
      ),
    )
    const rowsRead: number[] = []
    const counted = {
      prepare: (sql: string) => shard.prepare(sql),
      async batch<T>(statements: D1PreparedStatement[]) {
        const results = await shard.batch<T>(statements)
        rowsRead.push(results.reduce((sum, { meta }) => sum + meta.rows_read, 0))
        return results
      },
    } as D1Database
    await pruneEvents(counted, { before: BEFORE, maxBatches: 100, window: 10 })
    expect(rowsRead).toHaveLength(41)
    expect(Math.max(...rowsRead)).toBeLessThan(80)
    expect(await uuidsOf(projectId)).toHaveLength(400)
  })
})

describe('the first day that is kept', () => {
  const now = new Date('2026-03-10T03:17:00Z')

  it.each([
    ['5', '2026-03-05'],
    ['1', '2026-03-09'],
    ['', null],
    [undefined, null],
    ['0', null],
    ['-1', null],
    ['1.5', null],
    ['all', null],
  ])('with EVENTS_RETENTION_DAYS = %j is %j', (EVENTS_RETENTION_DAYS, day) => {
    expect(firstKeptDay({ EVENTS_RETENTION_DAYS }, 'EVENTS_RETENTION_DAYS', now)).toBe(day)
  })
})
