// Checks which cohorts a cohort refers to, and selects the flags and cohorts that refer to it.
import { and, eq, sql } from 'drizzle-orm'
import { cohorts } from '../../../drizzle'
import { invalid } from '../../errors'
import type { Database } from '../../storage/database'
import { nestedCohortIds } from '../filters/cohorts'

/** Maximum length of a chain of cohorts in which each refers to the next. */
const MAX_NESTING = 50

/** Maximum names that an error lists. */
const MAX_NAMES = 5

/**
 * Selects the cohorts of the project that refer to cohorts, and `others`. Filters without references are left out.
 * @param others their ids, or the cohort whose stored filters name them
 */
export const selectCohortGraph = (
  db: Database,
  projectId: number,
  others: readonly number[] | { namedBy: number },
) =>
  db
    .select({
      id: cohorts.id,
      name: cohorts.name,
      filters: sql<Record<
        string,
        unknown
      > | null>`iif(instr(${cohorts.filters}, '"cohort"'), ${cohorts.filters}, NULL)`
        .mapWith(cohorts.filters)
        .as('filters'),
    })
    .from(cohorts)
    .where(
      and(
        eq(cohorts.projectId, projectId),
        eq(cohorts.deleted, false),
        sql`(instr(${cohorts.filters}, '"cohort"') OR ${cohorts.id} IN (${
          'namedBy' in others
            ? sql`SELECT leaf.value FROM cohorts self JOIN json_tree(self.filters) leaf ON leaf.key = 'value'
                WHERE self.id = ${others.namedBy} AND self.deleted`
            : sql`SELECT value FROM json_each(${JSON.stringify(others)})`
        }))`,
      ),
    )

type CohortGraph = Awaited<ReturnType<typeof selectCohortGraph>>

/** Selects the first active flags whose conditions name the cohort, and their total number. */
export const selectFlagsOfCohort = (db: Database, projectId: number, cohortId: number) =>
  db
    .select({
      name: sql<string>`coalesce(nullif(f.name, ''), f.key)`.as('name'),
      total: sql<number>`count(*) OVER ()`.as('total'),
    })
    .from(
      sql`(SELECT 1) CROSS JOIN flag_cohorts fc ON fc.cohort_id = ${cohortId}
        CROSS JOIN feature_flags f ON f.id = fc.flag_id AND f.project_id = ${projectId} AND f.active AND NOT f.deleted`,
    )
    .orderBy(sql`f.id`)
    .limit(MAX_NAMES)

/**
 * @param self id of the cohort with these filters; null while it is created
 * @throws 400, attr `filters`, for cohorts that do not exist, and for loops
 */
export function checkReferences(
  filters: Record<string, unknown>,
  self: number | null,
  graph: CohortGraph,
): void {
  const edges = new Map(graph.map((cohort) => [cohort.id, nestedCohortIds(cohort)]))
  const own = nestedCohortIds({ filters })
  for (const id of own) {
    if (id === self) throw loop()
    if (!edges.has(id))
      throw invalid('filters', `Cohort with id ${id} does not exist`, 'cohort_does_not_exist')
  }
  // A cohort that is being created has no id, and nothing refers to it.
  const id = self ?? -1
  edges.set(id, own)
  const inverse = new Map<number, number[]>()
  for (const [from, targets] of edges) {
    for (const to of targets) {
      const known = inverse.get(to)
      if (known) known.push(from)
      else inverse.set(to, [from])
    }
  }
  const nesting = longestFrom(id, edges) + longestFrom(id, inverse) - 1
  if (nesting > MAX_NESTING)
    throw invalid(
      'filters',
      `Cohorts refer to each other in a row of ${nesting}: at most ${MAX_NESTING} are allowed.`,
    )
}

const loop = () => invalid('filters', 'Cohorts cannot reference other cohorts in a loop.')

/** Returns the length of the longest chain that starts at `start`. @throws 400 for a loop */
function longestFrom(start: number, edges: ReadonlyMap<number, readonly number[]>): number {
  const known = new Map<number, number>()
  const path = new Set<number>()
  const visit = (id: number): number => {
    if (path.has(id)) throw loop()
    let length = known.get(id)
    if (length === undefined) {
      path.add(id)
      length = 1 + (edges.get(id) ?? []).reduce((most, next) => Math.max(most, visit(next)), 0)
      path.delete(id)
      known.set(id, length)
    }
    return length
  }
  return visit(start)
}

/** @throws 400, attr `deleted`, when active flags or other cohorts refer to the cohort. */
export function checkUnused(
  self: number,
  flags: Awaited<ReturnType<typeof selectFlagsOfCohort>>,
  graph: CohortGraph,
): void {
  const [flag] = flags
  if (flag)
    throw invalid(
      'deleted',
      `This cohort is used in ${flag.total} active feature flag(s): ${namesOf(flags, flag.total)}. ` +
        'Please remove the cohort from these feature flags before deleting it.',
    )
  const users = graph.filter((cohort) => cohort.id !== self && nestedCohortIds(cohort).includes(self))
  if (users.length > 0)
    throw invalid(
      'deleted',
      `This cohort is used as criteria in ${users.length} other cohort(s): ${namesOf(users, users.length)}. ` +
        'Please remove this cohort from those cohort definitions before deleting it.',
    )
}

function namesOf(users: readonly { name: string }[], total: number): string {
  const shown = users.slice(0, MAX_NAMES).map(({ name }) => name || 'Unnamed')
  return shown.join(', ') + (total > shown.length ? `, and ${total - shown.length} more` : '')
}
