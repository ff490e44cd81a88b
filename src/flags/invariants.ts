// What must not have changed between the batch that a write was decided on and the batch that makes it, as SQL conditions for its guard.
// A write that fails here is decided anew, and then told why.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { featureFlags } from '../../drizzle'
import { isGuardFailure, isUniqueViolation } from '../storage/database'
import { retryOnConflict } from '../storage/retry-on-conflict'
import { dependencyIdsOf, type FlagFilters } from './filters/shape'
import type { FlagRow } from './rows'

/**
 * Runs `decideAndWrite` again while others change what it was decided on: the flag, others that it refers to, the last place of the
 * project, or its key, which another flag may get in the meantime.
 */
export const retryFlagWrite = <T>(decideAndWrite: () => Promise<T>): Promise<T> =>
  retryOnConflict(decideAndWrite, (error) => isGuardFailure(error) || isUniqueViolation(error))

/**
 * The flag is what was read. Its version does not say that alone: a bulk delete, whoever takes the key of a deleted flag, and a new
 * dashboard leave it as it is.
 */
export const isStillAs = ({ id, version, deleted, key, usageDashboardId }: FlagRow): SQL =>
  sql`EXISTS (SELECT 1 FROM ${featureFlags} WHERE ${and(
    eq(featureFlags.id, id),
    eq(featureFlags.version, version),
    eq(featureFlags.deleted, deleted),
    eq(featureFlags.key, key),
    sql`${featureFlags.usageDashboardId} IS ${usageDashboardId}`,
  )})`

const targetsOf = (filters: FlagFilters) => sql`json_each(${JSON.stringify(dependencyIdsOf(filters))})`

/** Every flag that new filters look at is there and enabled. */
export const targetsAreLive = (filters: FlagFilters): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${targetsOf(filters)} target
    LEFT JOIN feature_flags f ON f.id = target.value AND f.active AND NOT f.deleted WHERE f.id IS NULL)`

/** No flag that new filters look at leads back to the flag that they are for. */
export const targetsNeverLeadTo = (id: number, filters: FlagFilters): SQL =>
  sql`${id} NOT IN (WITH RECURSIVE reach(id) AS (SELECT value FROM ${targetsOf(filters)}
    UNION SELECT d.depends_on_id FROM flag_dependencies d JOIN reach ON d.flag_id = reach.id) SELECT id FROM reach)`

/** No flag that this one looks at, as it is stored, is disabled. */
export const noTargetIsDisabled = (id: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM flag_dependencies d JOIN feature_flags f ON f.id = d.depends_on_id
    WHERE d.flag_id = ${id} AND NOT f.active AND NOT f.deleted)`

/** No other active flag looks at this one. */
export const noDependentIsActive = (id: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM flag_dependencies d JOIN feature_flags f ON f.id = d.flag_id
    WHERE d.depends_on_id = ${id} AND f.id <> ${id} AND f.active AND NOT f.deleted)`
