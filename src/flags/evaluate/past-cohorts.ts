// Rebuilds the definitions of cohorts at a past time from their activity logs. Members have no history.
import { and } from 'drizzle-orm'
import { cohorts } from '../../../drizzle'
import { sameJson } from '../../json'
import type { ActivityVerb, Change } from '../../activity/entry'
import { MAX_LOG_BYTES, selectEntriesBack, since } from '../../activity/list'
import type { CohortDefinition } from '../../evaluation/compile/definitions'
import { sortByPlace } from '../../storage/byte-page'
import type { Database } from '../../storage/database'
import { belongsTo, isAmong } from '../../storage/id-predicates'
import { COHORT_COLUMNS, cohortFrom } from '../../snapshots/definitions'
import { nestedCohortIds } from '../filters/cohorts'
import { MAX_ENTRIES } from '../read/versions'
import { failure } from './evaluation-errors'
import { MAX_REACHABLE, MAX_ROUNDS, readReachable } from './read-reachable'

/**
 * Returns the cohorts that flags looked at then, directly or through others. A cohort that did not exist or was deleted is left out.
 * @param roots ids in the filters that the flags had
 * @param current ids that are read first, because the roots lead to them now
 * @param timestamp in the stored form
 * @throws 400 when they are too many, or the log of one has a gap
 */
export function cohortsAt(
  db: Database,
  projectId: number,
  roots: readonly number[],
  current: readonly number[],
  timestamp: string,
): Promise<CohortDefinition[]> {
  return readReachable(db, roots, current, {
    rowsOf: (ids) => selectCohorts(db, projectId, ids),
    logOf: (id, share) => selectLog(db, projectId, id, timestamp, share),
    stateAt: (row: CohortRow, entries: EntryRow[]) => cohortAt(row, sortByPlace(entries), timestamp),
    referencesOf: nestedIdsOf,
    malformed: UNREADABLE_COHORT,
    tooMany: TOO_MANY,
  })
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
    .where(and(belongsTo(projectId, cohorts.projectId), isAmong(ids, cohorts.id)))

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
