// Finds the flags, cohorts and saved queries that use a cohort.
import { and, asc, eq, sql } from 'drizzle-orm'
import { cohorts, endpoints, endpointVersions, featureFlags } from '../../../drizzle'
import { getCohort } from './read-cohorts'
import { idIn } from '../../evaluation/values/id'
import { bytesOf, isWithinBytes, withRunningTotal } from '../../storage/byte-page'
import type { FlagContext } from '../context'
import { nestedCohortIds } from '../filters/cohorts'

/** Maximum uses of each kind that a response lists. */
export const MAX_USES = 100

/** Maximum saved queries that are searched for the cohort, of those that contain the word. */
export const MAX_SEARCHED = 1_000

/** @throws 404. */
export async function listCohortUses({ deps: { db }, project }: FlagContext, id: number) {
  const { name } = await getCohort(db, project.id, id)
  const candidates = sql`SELECT v.rowid AS id, ${bytesOf(sql`v.query`)} AS bytes FROM ${endpoints} e
    JOIN ${endpointVersions} v ON v.endpoint_id = e.id AND v.version = e.current_version
    WHERE e.project_id = ${project.id} AND e.deleted = 0 AND instr(lower(v.query), 'cohort')
    ORDER BY e.created_at DESC LIMIT ${MAX_SEARCHED}`
  const [flags, others, queries] = await db.batch([
    db
      .select({
        id: featureFlags.id,
        key: featureFlags.key,
        name: featureFlags.name,
        active: featureFlags.active,
      })
      .from(featureFlags)
      .where(
        and(
          sql`+${featureFlags.projectId} = ${project.id}`,
          eq(featureFlags.deleted, false),
          sql`${featureFlags.id} IN (SELECT flag_id FROM flag_cohorts WHERE cohort_id = ${id})`,
        ),
      )
      .orderBy(asc(featureFlags.key))
      .limit(MAX_USES),
    db
      .select({ id: cohorts.id, name: cohorts.name, filters: cohorts.filters })
      .from(cohorts)
      .where(
        and(
          eq(cohorts.projectId, project.id),
          eq(cohorts.deleted, false),
          sql`instr(${cohorts.filters}, '"cohort"')`,
        ),
      )
      .orderBy(asc(cohorts.name)),
    db
      .select({ id: endpoints.id, name: endpoints.name, query: endpointVersions.query })
      .from(endpointVersions)
      .innerJoin(
        withRunningTotal(candidates),
        sql`endpoint_versions.rowid = picked.id AND ${isWithinBytes()}`,
      )
      .innerJoin(endpoints, eq(endpoints.id, endpointVersions.endpointId))
      .orderBy(asc(endpoints.name)),
  ])
  return {
    flags,
    cohorts: others
      .filter((cohort) => nestedCohortIds(cohort).includes(id))
      .slice(0, MAX_USES)
      .map((cohort) => ({ id: cohort.id, name: cohort.name })),
    endpoints: queries
      .filter(({ query }) => namesCohort(query, { id, name }))
      .slice(0, MAX_USES)
      .map((endpoint) => ({ id: endpoint.id, name: endpoint.name })),
  }
}

/**
 * Matches `IN COHORT 12` and `IN COHORT 'name'`. The length of a name is bounded, because each quote without an end would be followed to
 * the end of the query.
 */
const IN_COHORT = /\bcohort\s{1,100}(?:(\d{1,15})\b|'((?:[^'\\]|\\.|''){0,1000})')/gi

/** Whether a query, or anything within it, names the cohort. */
function namesCohort(node: unknown, cohort: { id: number; name: string }): boolean {
  if (typeof node === 'string')
    return [...node.matchAll(IN_COHORT)].some(([, id, name]) =>
      id === undefined ? name?.replace(/\\(.)|'(?=')/g, '$1') === cohort.name : Number(id) === cohort.id,
    )
  if (typeof node !== 'object' || node === null) return false
  const { type, value, breakdown_type: breakdownType, breakdown } = node as Record<string, unknown>
  if (type === 'cohort' && idIn(value) === cohort.id) return true
  if (breakdownType === 'cohort' && [breakdown].flat().some((each) => idIn(each) === cohort.id)) return true
  return Object.values(node).some((each) => namesCohort(each, cohort))
}
