// Rows that are hard to carry: the largest that the limits allow, numbers that JSON cannot hold, and more than a page.
import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

/** Characters that JSON escapes, that split lines elsewhere, and of several bytes. */
const TEXT = `"quoted" \\ a\nline\u2028 of \u0001 and 🚩 `
const AT = '2026-03-01T08:00:00.000000Z'
const MANY = 2_500

const repeated = (bytes: number) => TEXT.repeat(Math.floor(bytes / Buffer.byteLength(TEXT)))

/** `many` has more rows of a table than a page or a statement has; `large` also rows that are as large as they can be. */
export type Size = 'small' | 'many' | 'large'

export function hostileRows(main: DatabaseSync, shard: DatabaseSync, size: Size): void {
  const isLarge = size === 'large'
  const log = main.prepare(
    `INSERT INTO activity_log (id, project_id, activity, scope, item_id, detail, created_at)
      VALUES (?, 1, 'updated', 'FeatureFlag', '1', ?, '${AT}')`,
  )
  for (const [place, detail] of [
    ...(isLarge ? [repeated(1_900_000), repeated(600_000)] : []),
    'before\0behind',
    '',
    '007',
  ].entries()) {
    log.run(`hostile-${place}`, detail)
  }
  const cohort = main.prepare(
    `INSERT INTO cohorts (project_id, name, count, created_at) VALUES (1, 'numbers', ?, '${AT}')`,
  )
  for (const count of [
    9_007_199_254_740_993n,
    -9_223_372_036_854_775_808n,
    9_223_372_036_854_775_807n,
    0.1 + 0.2,
    1.149_901_907_201_766_5e-209,
    1e300,
    'text',
  ]) {
    cohort.run(count)
  }
  // The last id that was given is gone.
  main.exec(`INSERT INTO cohorts (id, project_id, name, created_at) VALUES (7000, 1, 'deleted', '${AT}')`)
  main.exec('DELETE FROM cohorts WHERE id = 7000')

  main.exec('BEGIN')
  const person = main.prepare(
    `INSERT INTO persons (project_id, uuid, properties, created_at) VALUES (1, ?, '{}', '${AT}')`,
  )
  const distinctId = main.prepare(
    'INSERT INTO person_distinct_ids (project_id, distinct_id, person_id) VALUES (1, ?, ?)',
  )
  for (let count = 0; count < (size === 'small' ? 5 : MANY); count += 1) {
    const { lastInsertRowid } = person.run(`many-${count}`)
    distinctId.run(`many-${count}`, lastInsertRowid)
  }
  main.exec('COMMIT')

  const event = shard.prepare(
    `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, created_at, properties)
      VALUES (1, ?, 'hostile', 'ada', '${AT}', '${AT}', ?)`,
  )
  for (let count = 0; count < (isLarge ? 5 : 0); count += 1) {
    const properties = JSON.stringify({ text: 'x'.repeat(780_000), count })
    event.run(
      `large-${count}`,
      shard.prepare('SELECT jsonb(?) AS bytes').get(properties)!.bytes as Uint8Array,
    )
  }
  event.run('empty', Buffer.alloc(0))
  event.run('random', randomBytes(isLarge ? 1_200_000 : 1_000))
  shard.exec(`CREATE TEMP VIEW sizes AS SELECT event, substr(timestamp, 1, 10) AS day,
      octet_length(iif(json_valid(properties, 8), json(properties), properties)) AS bytes FROM events WHERE project_id = 1;
    INSERT OR REPLACE INTO event_volumes (project_id, event, day, events, bytes, largest)
      SELECT 1, event, day, count(*), sum(bytes), max(bytes) FROM sizes GROUP BY event, day
      UNION ALL SELECT 1, '', day, count(*), sum(bytes), max(bytes) FROM sizes GROUP BY day;
    DROP VIEW sizes`)
  // Nobody's, which no trigger wrote.
  shard.exec('DELETE FROM people_volumes WHERE project_id <> 1')
}
