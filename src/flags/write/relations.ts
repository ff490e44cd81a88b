// Tags, contexts, dashboards and references of a flag: statements for the batch that writes it.
import { eq, type SQL, sql } from 'drizzle-orm'
import {
  flagCohorts,
  flagDashboards,
  flagDependencies,
  flagEvaluationContexts,
  flagTags,
} from '../../../drizzle'
import type { Database } from '../../storage/database'
import type { References } from '../filters/analysis'

/** The id of a flag, or SQL for it when the same batch inserts the flag. */
export type FlagReference = number | SQL

// A set is one JSON parameter, so that one statement writes a set of any size. Columns come in the table's order.
const members = (values: readonly (string | number)[]) => sql`json_each(${JSON.stringify(values)})`

/** Replaces the stored rows of a set. A flag that the same batch inserts has none. */
const replace = (
  db: Database,
  table:
    | typeof flagTags
    | typeof flagEvaluationContexts
    | typeof flagDashboards
    | typeof flagDependencies
    | typeof flagCohorts,
  flag: FlagReference,
  rows: SQL,
) => [
  ...(typeof flag === 'number' ? [db.delete(table).where(eq(table.flagId, flag))] : []),
  db.insert(table).select(rows),
]

type Names = readonly string[]

export const replaceTags = (db: Database, projectId: number, flag: FlagReference, names: Names) =>
  replace(db, flagTags, flag, sql`SELECT ${flag}, ${projectId}, value FROM ${members(names)}`)

export const replaceContexts = (db: Database, projectId: number, flag: FlagReference, names: Names) =>
  replace(db, flagEvaluationContexts, flag, sql`SELECT ${flag}, ${projectId}, value FROM ${members(names)}`)

export const replaceDashboards = (db: Database, flag: FlagReference, ids: readonly number[]) =>
  replace(db, flagDashboards, flag, sql`SELECT DISTINCT ${flag}, value FROM ${members(ids)}`)

/** @param before the stored relations; null for a flag that the same batch inserts */
export const replaceReferences = (
  db: Database,
  flag: FlagReference,
  before: References | null,
  { flagIds, cohortIds }: References,
) => [
  ...(isSame(before?.flagIds, flagIds)
    ? []
    : replace(db, flagDependencies, flag, sql`SELECT ${flag}, value FROM ${members(flagIds)}`)),
  ...(isSame(before?.cohortIds, cohortIds)
    ? []
    : replace(db, flagCohorts, flag, sql`SELECT ${flag}, value FROM ${members(cohortIds)}`)),
]

function isSame(before: readonly number[] = [], after: readonly number[]): boolean {
  const known = new Set(before)
  return before.length === after.length && after.every((id) => known.has(id))
}
