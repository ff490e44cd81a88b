// Rebuilds the definitions of cohorts at a past time from their activity logs. Members have no history.
import { sql } from 'drizzle-orm'
import { cohorts } from '../../../drizzle'
import { sameJson } from '../../json'
import type { ActivityVerb, Change } from '../../activity/entry'
import { MAX_LOG_BYTES, selectEntriesBack, since } from '../../activity/list'
import type { CohortDefinition } from '../../evaluation/compile/definitions'
import { sortByPlace } from '../../storage/byte-page'
import type { Database } from '../../storage/database'
import { belongsTo } from '../../storage/id-predicates'
import { runBatch } from '../../storage/run-batch'
import { COHORT_COLUMNS, cohortFrom } from '../../snapshots/definitions'
import { nestedCohortIds } from '../filters/cohorts'
import { MAX_ENTRIES } from '../read/versions'
import { failure, readStore } from './evaluation-errors'
import { MAX_REACHABLE, MAX_ROUNDS, readReachable } from './read-reachable'

/**
 * Returns the cohorts that flags looked at then, directly or through others. A cohort that did not exist or was deleted is left out.
 * @param roots ids in the filters that the flags had
 * @param current ids that are read first, because the roots lead to them now
 * @param timestamp in the stored form
 * @throws 400 when they are too many, or the log of one has a gap
 */
export async function cohortsAt(
  db: Database,
  projectId: number,
  roots: readonly number[],
  current: readonly number[],
  timestamp: string,
): Promise<CohortDefinition[]> {
  const found = await readReachable(
    roots,
    current,
    (ids) => readCohorts(db, projectId, ids, timestamp),
    nestedIdsOf,
    () => failure(400, TOO_MANY),
  )
  return [...found.values()]
}

const TOO_MANY =
  'The history of the cohorts that this flag looks at is too long to evaluate it at this timestamp: ' +
  `at most ${MAX_REACHABLE} cohorts, of which ${MAX_ROUNDS} in a row look at other cohorts now.`

/** The cohorts that a cohort refers to. A static cohort is a list, and refers to none. */
const nestedIdsOf = ({ is_static: isStatic, filters }: CohortDefinition): number[] =>
  isStatic ? [] : nestedCohortIds({ filters: filters as Record<string, unknown> | null })

const UNREADABLE_COHORT = 'Failed to reconstruct cohort at specified timestamp.'

const VERBS: ActivityVerb[] = ['created', 'updated', 'deleted', 'restored']

const selectCohorts = (db: Database, projectId: number, ids: readonly number[]) =>
  db
    .select({
      ...COHORT_COLUMNS,
      // Deleted cohorts are read, because they may have existed then.
      deleted: cohorts.deleted,
      created_at: cohorts.createdAt,
    })
    .from(cohorts)
    .where(
      sql`${belongsTo(projectId, cohorts.projectId)} AND ${cohorts.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    )

/** Selects the log of a cohort, which may be as long as the limit for all logs together. */
const selectLog = (db: Database, projectId: number, id: number, timestamp: string, share: number) =>
  selectEntriesBack(
    db,
    { projectId, scope: 'Cohort', itemId: String(id) },
    VERBS,
    since(timestamp),
    Math.floor(MAX_ENTRIES / share),
    Math.floor(MAX_LOG_BYTES / share),
  )

type CohortRow = Awaited<ReturnType<typeof selectCohorts>>[number]
type EntryRow = Awaited<ReturnType<typeof selectLog>>[number]

async function readCohorts(db: Database, projectId: number, ids: readonly number[], timestamp: string) {
  const [rows, ...logs] = (await readStore(
    () =>
      runBatch(db, [
        selectCohorts(db, projectId, ids),
        ...ids.map((id) => selectLog(db, projectId, id, timestamp, ids.length)),
      ]),
    { malformed: UNREADABLE_COHORT },
  )) as [CohortRow[], ...EntryRow[][]]
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id, index) => {
    const row = byId.get(id)
    return [id, row ? cohortAt(row, sortByPlace(logs[index]!), timestamp) : null] as const
  })
}

/** Returns a cohort at the time. One without entries has not changed since its log began. @param entries newest first */
function cohortAt(
  { deleted, created_at: createdAt, ...row }: CohortRow,
  entries: readonly EntryRow[],
  timestamp: string,
): CohortDefinition | null {
  if (createdAt > timestamp) return null
  const current = cohortFrom(row)
  const state: Record<string, unknown> = { filters: current.filters, deleted }
  for (const { detail, createdAt: changedAt } of entries) {
    if (changedAt <= timestamp) return asDefinition(current, state)
    for (const change of detail.changes) undo(state, change)
  }
  if (entries.length > 0) throw INCOMPLETE()
  return asDefinition(current, state)
}

function undo(state: Record<string, unknown>, { field, before, after }: Change): void {
  if (!Object.hasOwn(state, field)) return
  if (!sameJson(state[field], after)) throw INCOMPLETE()
  state[field] = before
}

const INCOMPLETE = () => failure(400, 'Could not reconstruct cohort at timestamp due to incomplete history.')

const asDefinition = (
  current: CohortDefinition,
  { filters, deleted }: Record<string, unknown>,
): CohortDefinition | null => (deleted ? null : { ...current, filters })
