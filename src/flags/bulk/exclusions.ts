// Filters of a bulk delete that only leave flags out.
import { and, type SQL, sql } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import { invalidErrorText } from '../../errors'
import type { Database } from '../../storage/database'
import { isNarrow } from '../read/parse-selection'
import { conditionFor } from '../read/selection'
import type { BulkSelection } from './selection'

/**
 * A misspelt tag or key to exclude leaves nothing out, and the rest is every flag. Reads the database only for filters that exclude and
 * do nothing else.
 * @throws 400 `{error}` when no flag is excluded
 */
export async function rejectIdleExclusions(
  db: Database,
  projectId: number,
  selection: BulkSelection,
  now: Date,
): Promise<void> {
  if (selection.kind === 'ids') return
  const { excludedKeys, excludedTags, ...others } = selection.filters
  if (isNarrow(others)) return
  const all = await conditionFor(db, projectId, others, now)
  const left = await conditionFor(db, projectId, selection.filters, now)
  const [found] = await db
    .select({ id: featureFlags.id })
    .from(featureFlags)
    .where(and(all, isFalse(left)))
    .limit(1)
  if (found) return
  throw invalidErrorText(
    `These filters exclude no flag: ${[excludedTags, excludedKeys].flatMap((names) => names ?? []).join(', ')}. Send one that narrows, or ids.`,
  )
}

const isFalse = (condition: SQL): SQL => sql`NOT ${condition}`
