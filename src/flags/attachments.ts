// Rows that hang on a flag: each function gives the statements for the batch that writes the flag.
import { eq, type SQL, sql } from 'drizzle-orm'
import {
  flagCohorts,
  flagDashboards,
  flagDependencies,
  flagEvaluationContexts,
  flagTags,
} from '../../drizzle'
import type { Database } from '../storage/database'
import { cohortIdsOf, dependencyIdsOf, type FlagFilters } from './filters/shape'

/** A flag's id, or SQL for it while the flag is inserted in the same batch. */
export type FlagReference = number | SQL

// The members travel as one JSON parameter, so a set of any size is one statement. Columns come in the table's order.
const members = (values: readonly (string | number)[]) => sql`json_each(${JSON.stringify(values)})`

/** A flag that is inserted in the same batch has nothing to clear yet. */
const onlyIfStored = <Statement>(flag: FlagReference, ...statements: Statement[]): Statement[] =>
  typeof flag === 'number' ? statements : []

/** The statements that replace the tags of a flag. */
export const replaceTags = (
  db: Database,
  projectId: number,
  flag: FlagReference,
  names: readonly string[],
) => [
  ...onlyIfStored(flag, db.delete(flagTags).where(eq(flagTags.flagId, flag))),
  db.insert(flagTags).select(sql`SELECT ${flag}, ${projectId}, value FROM ${members(names)}`),
]

/** The statements that replace the evaluation contexts of a flag. */
export const replaceContexts = (
  db: Database,
  projectId: number,
  flag: FlagReference,
  names: readonly string[],
) => [
  ...onlyIfStored(flag, db.delete(flagEvaluationContexts).where(eq(flagEvaluationContexts.flagId, flag))),
  db.insert(flagEvaluationContexts).select(sql`SELECT ${flag}, ${projectId}, value FROM ${members(names)}`),
]

/** The statements that replace the dashboards that a flag is shown on. */
export const replaceDashboards = (db: Database, flag: FlagReference, ids: readonly number[]) => [
  ...onlyIfStored(flag, db.delete(flagDashboards).where(eq(flagDashboards.flagId, flag))),
  db.insert(flagDashboards).select(sql`SELECT DISTINCT ${flag}, value FROM ${members(ids)}`),
]

/** The statements that replace what a flag's conditions point at. */
export const replaceReferences = (db: Database, flag: FlagReference, filters: FlagFilters) => [
  ...onlyIfStored(flag, db.delete(flagDependencies).where(eq(flagDependencies.flagId, flag))),
  db.insert(flagDependencies).select(sql`SELECT ${flag}, value FROM ${members(dependencyIdsOf(filters))}`),
  ...onlyIfStored(flag, db.delete(flagCohorts).where(eq(flagCohorts.flagId, flag))),
  db.insert(flagCohorts).select(sql`SELECT ${flag}, value FROM ${members(cohortIdsOf(filters))}`),
]
