// Checks filters of a bulk delete that leave flags out.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import { nearestName } from '../../edit-distance'
import { invalidErrorText } from '../../errors'
import type { Database } from '../../storage/database'
import type { BulkSelection } from './selection'

/** Maximum typing errors of a name for which the error suggests another one. */
const MAX_TYPING_ERRORS = 2

/**
 * Rejects a misspelt tag or key, because it would exclude nothing, and flags that were to stay would be deleted. It reads the database
 * only for filters that exclude flags.
 * @throws 400 `{error}` that names those that exclude nothing
 */
export async function rejectUnknownExclusions(
  db: Database,
  projectId: number,
  selection: BulkSelection,
): Promise<void> {
  if (selection.kind === 'ids') return
  const { archived, excludedKeys, excludedTags } = selection.filters
  const flags = and(
    eq(featureFlags.projectId, projectId),
    eq(featureFlags.deleted, false),
    eq(featureFlags.archived, archived),
  )
  const own = sql`SELECT feature_flags.id FROM feature_flags WHERE ${flags}`
  if (excludedTags)
    await requireKnown(
      db,
      'excluded_tags',
      excludedTags,
      sql`SELECT DISTINCT t.name FROM flag_tags t WHERE t.project_id = ${projectId} AND t.flag_id IN (${own})`,
    )
  if (excludedKeys)
    await requireKnown(
      db,
      'excluded_properties',
      excludedKeys,
      sql`SELECT feature_flags.key AS name FROM feature_flags WHERE ${flags}`,
    )
}

async function requireKnown(
  db: Database,
  filter: string,
  sent: readonly string[],
  names: SQL,
): Promise<void> {
  const rows = await db.select({ name: sql<string>`known.name`.as('name') }).from(sql`(${names}) known`)
  const known = new Set(rows.map(({ name }) => name))
  const unknown = sent.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  const meant = nearestName(unknown[0]!, known, MAX_TYPING_ERRORS)
  throw invalidErrorText(
    `filters.${filter}: These exclude no flag: ${unknown.join(', ')}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
  )
}
