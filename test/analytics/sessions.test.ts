// Sessions of a shard, which triggers write: the same as a computation from the events, whatever adds and deletes these.
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteFromShard } from '../../src/analytics/delete-person-data'
import { createShardSink } from '../../src/analytics/ingestion/shard-sink'
import { pruneEvents } from '../../src/analytics/prune-events'
import { type EventRow, noRows } from '../../src/outbox/ingestion-rows'
import { compileQuestion, forD1, rowsOnD1 } from '../hogql/corpus/ask'
import { emptyStorage } from '../support/databases'
import { propertyRuns } from '../support/property-runs'

beforeAll(emptyStorage)

const shard = env.EVENTS
let lastProject = 870_000
const newProject = () => (lastProject += 1)

const write = (projectId: number, events: EventRow[]) =>
  createShardSink(shard).write(projectId, { ...noRows(), events })

const eventAt = (timestamp: string, properties: object, more: Partial<EventRow> = {}): EventRow => ({
  uuid: crypto.randomUUID(),
  event: '$pageview',
  distinctId: 'ada',
  timestamp,
  createdAt: timestamp,
  setsProperties: false,
  flagKey: null,
  flagResponse: null,
  properties: { $session_id: 's', ...properties },
  ...more,
})

const rows = async (sql: string, projectId: number) =>
  (await shard.prepare(sql).bind(projectId).all()).results

const stored = (projectId: number) =>
  rows('SELECT * FROM event_sessions WHERE project_id = ? ORDER BY session_id, distinct_id', projectId)

const computed = (projectId: number) =>
  rows(
    `SELECT project_id, session_id, distinct_id, min(start_timestamp) AS start_timestamp, max(end_timestamp) AS end_timestamp,
      sum(pageviews) AS pageviews, sum(autocaptures) AS autocaptures, sum(screens) AS screens, max(newest) AS newest, min(first) AS first,
      max(last) AS last, max(click) AS click, min(lcp) AS lcp
    FROM session_events WHERE project_id = ? GROUP BY 1, 2, 3 ORDER BY session_id, distinct_id`,
    projectId,
  )

const counted = async (projectId: number) =>
  (
    await rows(`SELECT rows FROM people_volumes WHERE project_id = ? AND name = 'event_sessions'`, projectId)
  )[0]?.rows ?? 0

const sessionsOf = async (projectId: number, columns: string) => {
  const sql = `SELECT ${columns} FROM sessions ORDER BY session_id`
  return rowsOnD1(forD1(await compileQuestion({ sql })), { sql }, projectId)
}

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const anyEvent = fc
  .record({
    hour: fc.integer({ min: 10, max: 19 }),
    name: fc.constantFrom('$pageview', '$screen', '$autocapture', 'order'),
    distinctId: fc.constantFrom('ada', 'visitor'),
    session: fc.constantFrom('s', 't', '', 7, null),
    url: optional(fc.constantFrom<unknown>('https://x.test/', 'é"\\', 3, null)),
    click: optional(fc.constantFrom<unknown>('https://y.test/', false)),
    lcp: optional(fc.constantFrom<unknown>(1.5, 2, 'slow')),
  })
  .map(({ hour, name, distinctId, session, url, click, lcp }) =>
    eventAt(
      `2026-03-01T${hour}:00:00.000000Z`,
      {
        $session_id: session,
        $current_url: url,
        $external_click_url: click,
        $web_vitals_LCP_value: lcp,
      },
      { event: name, distinctId },
    ),
  )

describe('sessions in a shard', () => {
  it('are what a computation from the events gives, whatever order they come in, and after a deletion', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(anyEvent, { maxLength: 6 }), { maxLength: 4 }), async (batches) => {
        const projectId = newProject()
        // Messages may come again.
        for (const events of [...batches, ...batches.slice(0, 1)]) await write(projectId, events)
        expect(await stored(projectId)).toEqual(await computed(projectId))
        const deletion = {
          kind: 'delete_person_data' as const,
          person: crypto.randomUUID(),
          distinctIds: ['ada'],
          cohortIds: [],
          deleteEvents: true,
          version: 1,
          before: '2026-03-01T14:00:00.000000Z',
        }
        expect(await deleteFromShard(shard, projectId, deletion, { batches: 10 })).toBe(true)
        const left = await computed(projectId)
        expect(await stored(projectId)).toEqual(left)
        expect(await counted(projectId)).toBe(left.length)
      }),
      { numRuns: propertyRuns(15, 300) },
    )
  })

  it('stay whole until retention deletes their newest event', async () => {
    const projectId = newProject()
    await write(projectId, [
      eventAt('2026-03-01T23:59:00.000000Z', { $current_url: 'https://x.test/first' }),
      eventAt('2026-03-02T00:01:00.000000Z', { $current_url: 'https://x.test/last' }),
    ])
    const prune = (before: string) => pruneEvents(shard, { before, maxBatches: 10 })
    await prune('2026-03-02')
    const columns = '$start_timestamp, $pageview_count, $entry_current_url, $exit_current_url'
    expect(await sessionsOf(projectId, columns)).toEqual([
      ['2026-03-01T23:59:00Z', 2, 'https://x.test/first', 'https://x.test/last'],
    ])
    await prune('2026-03-03')
    expect(await stored(projectId)).toEqual([])
  })

  it('have no text over 64 KB, and no id over 200 bytes', async () => {
    const projectId = newProject()
    const url = `https://x.test/${'x'.repeat(70_000)}`
    await write(projectId, [
      eventAt('2026-03-01T10:00:00.000000Z', {
        $current_url: url,
        $external_click_url: url,
        utm_source: 'news',
      }),
      eventAt('2026-03-01T10:00:00.000000Z', { $session_id: 's'.repeat(201) }),
      eventAt('2026-03-01T10:00:00.000000Z', { $session_id: 't'.repeat(200), utm_source: 'mail' }),
    ])
    const columns =
      'length(session_id), $entry_current_url, $exit_current_url, $last_external_click_url, $entry_utm_source, $pageview_count'
    expect(await sessionsOf(projectId, columns)).toEqual([
      [1, null, null, null, null, 1],
      [200, null, null, null, 'mail', 1],
    ])
  })
})
