// Batches whose statements are put together at run time. Drizzle's own type wants a literal tuple.
import type { BatchItem } from 'drizzle-orm/batch'
import type { Database } from './database'

/** Runs the statements in one round trip and one transaction: all of them take effect, or none. Results come in their order. */
export async function runBatch(db: Database, statements: BatchItem<'sqlite'>[]): Promise<unknown[]> {
  const [first, ...rest] = statements
  if (!first) return []
  return db.batch([first, ...rest])
}
