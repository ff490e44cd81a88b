// Flag definitions as the evaluator reads them: all of a project, or one flag with everything that it refers to.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { cohorts, featureFlags, groupTypes } from '../../drizzle'
import { initialValues } from '../flag-fields'
import { columnsIn, fromJson } from '../storage/columns'
import type { Database } from '../storage/database'
import { belongsTo } from '../storage/id-predicates'
import type {
  CohortDefinition,
  FlagDefinition,
  FlagSet,
  MatchingVersion,
} from '../evaluation/compile/definitions'

/** A definition with the fields of a flag that SDKs show but do not evaluate. */
export interface FeedDefinition extends FlagDefinition {
  readonly name: string
  readonly has_experiment: boolean
  readonly is_remote_configuration: boolean
}

const FLAG_COLUMNS = {
  id: featureFlags.id,
  ...columnsIn(featureFlags, initialValues('definition')),
  // Filters are read as text: those that do not parse must fail their own flag and no other.
  filters: sql<string>`feature_flags.filters`.as('filters_text'),
  evaluation_contexts: fromJson<string[]>(sql`(SELECT json_group_array(name)
    FROM (SELECT c.name FROM flag_evaluation_contexts c WHERE c.flag_id = feature_flags.id ORDER BY c.name))`).as(
    'contexts',
  ),
  has_experiment: sql<number>`EXISTS (SELECT 1 FROM experiments e
    WHERE e.flag_id = feature_flags.id AND e.deleted = 0)`.as('has_experiment'),
}

/** The names of the columns, in the order of a definition's fields. */
export const DEFINITION_COLUMNS = Object.keys(FLAG_COLUMNS) as (keyof typeof FLAG_COLUMNS)[]

export const COHORT_COLUMNS = {
  id: cohorts.id,
  is_static: cohorts.isStatic,
  filters: sql<string | null>`cohorts.filters`.as('filters_text'),
}

/**
 * Returns the statements that read everything of a project that evaluation needs; `flagSetFrom` takes their results in this order.
 */
export const selectFlagSet = (db: Database, projectId: number) =>
  [
    db
      .select(FLAG_COLUMNS)
      .from(featureFlags)
      .where(and(eq(featureFlags.projectId, projectId), eq(featureFlags.deleted, false))),
    db
      .select(COHORT_COLUMNS)
      .from(cohorts)
      .where(and(eq(cohorts.projectId, projectId), eq(cohorts.deleted, false))),
    selectGroupTypes(db, projectId),
  ] as const

/**
 * Returns ids of the cohorts that the filters of a cohort name, as rows `nested.value`, for use in FROM. It reads the filters once. Filters
 * that are no JSON name none.
 */
export const nestedCohorts = (filters: SQL): SQL =>
  sql`json_each((SELECT json_group_array(id) FROM (
    SELECT max(iif(leaf.key = 'value', leaf.value, NULL)) AS id FROM json_tree(iif(json_valid(${filters}), ${filters}, NULL)) leaf
    WHERE leaf.key IN ('type', 'value') GROUP BY leaf.parent HAVING max(leaf.key = 'type' AND leaf.value = 'cohort')))) nested`

/** The flags from which a closure is read, and additional cohorts. */
export interface ClosureRoots {
  flagIds: readonly number[]
  cohortIds?: readonly number[]
}

/** Returns the same statements for some flags, the flags that they depend on, and the cohorts that any of these refer to. */
export function selectFlagClosure(
  db: Database,
  projectId: number,
  { flagIds, cohortIds = [] }: ClosureRoots,
) {
  // CROSS JOIN and `belongsTo` make SQLite begin with the few ids, and read each of their rows once.
  const reach = sql`WITH RECURSIVE reach(flag) AS (SELECT value FROM json_each(${JSON.stringify(flagIds)})
    UNION SELECT d.depends_on_id FROM reach CROSS JOIN flag_dependencies d ON d.flag_id = flag)`
  // A cohort that does not parse refers to no others, and fails only the flags that refer to it.
  const near = sql`${reach}, near(cohort) AS (SELECT value FROM json_each(${JSON.stringify(cohortIds)})
    UNION SELECT fc.cohort_id FROM reach CROSS JOIN flag_cohorts fc ON fc.flag_id = flag
    UNION SELECT nested.value FROM near
      CROSS JOIN cohorts c ON c.id = cohort AND c.project_id = ${projectId} AND instr(c.filters, '"cohort"')
      CROSS JOIN ${nestedCohorts(sql`c.filters`)})`
  return [
    db
      .select(FLAG_COLUMNS)
      .from(featureFlags)
      .innerJoin(sql`(${reach} SELECT flag FROM reach)`, sql`${featureFlags.id} = flag`)
      .where(and(belongsTo(projectId, featureFlags.projectId), eq(featureFlags.deleted, false))),
    db
      .select(COHORT_COLUMNS)
      .from(cohorts)
      .innerJoin(sql`(${near} SELECT cohort FROM near)`, sql`${cohorts.id} = cohort`)
      .where(and(belongsTo(projectId, cohorts.projectId), eq(cohorts.deleted, false))),
    selectGroupTypes(db, projectId),
  ] as const
}

const selectGroupTypes = (db: Database, projectId: number) =>
  db
    .select({ index: groupTypes.index, name: groupTypes.name })
    .from(groupTypes)
    .where(eq(groupTypes.projectId, projectId))

type DefinitionRow = Awaited<ReturnType<typeof selectFlagSet>[0]>[number]
type CohortRow = Awaited<ReturnType<typeof selectFlagSet>[1]>[number]
type GroupTypeRow = Awaited<ReturnType<typeof selectGroupTypes>>[number]

export type ProjectFlagSet = FlagSet<FeedDefinition>

/** Returns the flag set of the rows of either selection. */
export const flagSetFrom = (
  matchingVersion: number,
  flagRows: DefinitionRow[],
  cohortRows: CohortRow[],
  groupTypeRows: GroupTypeRow[],
): ProjectFlagSet => ({
  // Flags are in the order in which they were created, whichever index they were read by.
  flags: flagRows.toSorted((a, b) => a.id - b.id).map(definitionFrom),
  cohorts: cohortRows.map(cohortFrom),
  ...matchingFrom(matchingVersion, groupTypeRows),
})

/** Returns what the evaluation of all flags of a project needs besides them. */
export const matchingFrom = (
  matchingVersion: number,
  groupTypeRows: GroupTypeRow[],
): Omit<ProjectFlagSet, 'flags' | 'cohorts'> => ({
  group_type_mapping: Object.fromEntries(groupTypeRows.map(({ index, name }) => [String(index), name])),
  property_matching_version: matchingVersion === 2 ? 2 : (1 satisfies MatchingVersion),
})

export const cohortFrom = (row: CohortRow): CohortDefinition => ({
  ...row,
  filters: parsed(row.filters),
})

export const definitionFrom = (row: DefinitionRow): FeedDefinition => ({
  ...row,
  filters: parsed(row.filters),
  has_experiment: row.has_experiment === 1,
  is_remote_configuration: row.is_remote_configuration ?? false,
})

/** Returns the parsed JSON, or the text itself when it is invalid: the evaluator then fails that flag or cohort and reports it. */
function parsed(text: string | null): unknown {
  if (text === null) return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
