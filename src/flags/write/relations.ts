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

/** A flag's id, or SQL for it while the flag is inserted in the same batch. */
export type FlagReference = number | SQL

// One JSON parameter, so that a set of any size is one statement. Columns come in the table's order.
const members = (values: readonly (string | number)[]) => sql`json_each(${JSON.stringify(values)})`

/** A flag that is inserted in the same batch has nothing to clear. */
const onlyIfStored = <Statement>(flag: FlagReference, ...statements: Statement[]): Statement[] =>
  typeof flag === 'number' ? statements : []

export const replaceTags = (
  db: Database,
  projectId: number,
  flag: FlagReference,
  names: readonly string[],
) => [
  ...onlyIfStored(flag, db.delete(flagTags).where(eq(flagTags.flagId, flag))),
  db.insert(flagTags).select(sql`SELECT ${flag}, ${projectId}, value FROM ${members(names)}`),
]

export const replaceContexts = (
  db: Database,
  projectId: number,
  flag: FlagReference,
  names: readonly string[],
) => [
  ...onlyIfStored(flag, db.delete(flagEvaluationContexts).where(eq(flagEvaluationContexts.flagId, flag))),
  db.insert(flagEvaluationContexts).select(sql`SELECT ${flag}, ${projectId}, value FROM ${members(names)}`),
]

export const replaceDashboards = (db: Database, flag: FlagReference, ids: readonly number[]) => [
  ...onlyIfStored(flag, db.delete(flagDashboards).where(eq(flagDashboards.flagId, flag))),
  db.insert(flagDashboards).select(sql`SELECT DISTINCT ${flag}, value FROM ${members(ids)}`),
]

export const replaceReferences = (db: Database, flag: FlagReference, { flagIds, cohortIds }: References) => [
  ...onlyIfStored(flag, db.delete(flagDependencies).where(eq(flagDependencies.flagId, flag))),
  db.insert(flagDependencies).select(sql`SELECT ${flag}, value FROM ${members(flagIds)}`),
  ...onlyIfStored(flag, db.delete(flagCohorts).where(eq(flagCohorts.flagId, flag))),
  db.insert(flagCohorts).select(sql`SELECT ${flag}, value FROM ${members(cohortIds)}`),
]
