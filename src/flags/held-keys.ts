// Making room for a key that a deleted flag still holds.
import { and, eq } from 'drizzle-orm'
import { featureFlags } from '../../drizzle'
import type { Database } from '../storage/database'
import type { TombstoneFate } from './key'

/** The statements that carry out what was decided about a key's holder; they touch it only while it is deleted. */
export function clearKey(db: Database, fate: TombstoneFate) {
  switch (fate.kind) {
    case 'none':
      return []
    case 'remove':
      return [
        db.delete(featureFlags).where(and(eq(featureFlags.id, fate.id), eq(featureFlags.deleted, true))),
      ]
    case 'rename':
      return [
        db
          .update(featureFlags)
          .set({ key: fate.to })
          .where(and(eq(featureFlags.id, fate.id), eq(featureFlags.deleted, true))),
      ]
  }
}
