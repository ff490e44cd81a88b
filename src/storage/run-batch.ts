// Batches whose statements are put together at run time. Drizzle's own type wants a literal tuple.
import type { SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { type Database, guard, isGuardFailure } from './database'

/** Runs the statements in one round trip and one transaction: all of them take effect, or none. Results come in their order. */
export async function runBatch(db: Database, statements: BatchItem<'sqlite'>[]): Promise<unknown[]> {
  const [first, ...rest] = statements
  if (!first) return []
  return db.batch([first, ...rest])
}

/**
 * `runBatch`, if `condition` still holds by then.
 * @throws what `refusal` gives when it does not; then nothing has changed.
 */
export async function runIf<const Statements extends readonly BatchItem<'sqlite'>[]>(
  db: Database,
  condition: SQL,
  statements: Statements,
  refusal: () => Error,
): Promise<{ readonly [Index in keyof Statements]: Awaited<Statements[Index]> }> {
  try {
    const [, ...results] = await runBatch(db, [guard(db, condition), ...statements])
    return results as never
  } catch (error) {
    throw isGuardFailure(error) ? refusal() : error
  }
}

/** Runs named statements in one round trip. Their results come under the same names. */
export async function readTogether<Statements extends Record<string, BatchItem<'sqlite'>>>(
  db: Database,
  statements: Statements,
): Promise<{ [Name in keyof Statements]: Awaited<Statements[Name]> }> {
  const results = await runBatch(db, Object.values(statements))
  return Object.fromEntries(Object.keys(statements).map((name, index) => [name, results[index]])) as {
    [Name in keyof Statements]: Awaited<Statements[Name]>
  }
}
