// What a merge of persons moves, and when, by the clock of the database: read in the batch that moves it, before it does.
import { sql } from 'drizzle-orm'
import type { Database } from '../../storage/database'
import { DATABASE_CLOCK } from './clock'

export interface Moves {
  /**
   * Epoch milliseconds of the database. Two batches that move the same distinct id are never in the wrong order by this clock: the
   * second was decided on what the first had written.
   */
  at: number
  distinctIds: { distinctId: string; intoUuid: string }[]
  cohorts: { cohortId: number; personId: number; intoUuid: string }[]
}

interface MovesRow {
  at: number
  distinctIds: string
  cohorts: string
}

/** The statement that reads what `merges` is about to move. */
export function selectMoves(db: Database, merges: readonly { personId: number; intoUuid: string }[]) {
  const merged = sql`json_each(${JSON.stringify(merges)}) m`
  return db
    .select({
      at: sql.raw(DATABASE_CLOCK).mapWith(Number).as('at'),
      distinctIds: sql<string>`(SELECT json_group_array(json_object(
        'distinctId', d.distinct_id, 'intoUuid', m.value ->> '$.intoUuid'))
        FROM ${merged} CROSS JOIN person_distinct_ids d ON d.person_id = (m.value ->> '$.personId'))`.as(
        'distinct_ids',
      ),
      cohorts: sql<string>`(SELECT json_group_array(json_object(
        'cohortId', c.cohort_id, 'personId', c.person_id, 'intoUuid', m.value ->> '$.intoUuid'))
        FROM ${merged} CROSS JOIN cohort_members c ON c.person_id = (m.value ->> '$.personId'))`.as(
        'cohorts',
      ),
    })
    .from(sql`(SELECT 1)`)
}

/** What the statement gave. */
export function movesIn(result: unknown): Moves {
  const [row] = result as MovesRow[]
  if (!row) throw new Error('the database did not say what was moved')
  return {
    at: row.at,
    distinctIds: JSON.parse(row.distinctIds) as Moves['distinctIds'],
    cohorts: JSON.parse(row.cohorts) as Moves['cohorts'],
  }
}
