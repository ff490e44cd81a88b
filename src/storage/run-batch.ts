// Batches that are composed at run time; Drizzle's own type needs a literal tuple.
import type { SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { type Database, guard, isGuardFailure } from './database'

/** Runs statements in one round trip and one transaction. Results are in their order. */
export async function runBatch(db: Database, statements: BatchItem<'sqlite'>[]): Promise<unknown[]> {
  const [first, ...rest] = statements
  if (!first) return []
  return db.batch([first, ...rest])
}

/** Does the same. @returns a function that returns the result of a statement */
export async function runWithResults(
  db: Database,
  statements: BatchItem<'sqlite'>[],
): Promise<<Result>(statement: BatchItem<'sqlite'> & PromiseLike<Result>) => Result> {
  const results = await runBatch(db, statements)
  const byStatement = new Map(statements.map((statement, index) => [statement, results[index]]))
  return (statement) => byStatement.get(statement) as never
}

/** Runs a batch with a guard. @throws the error of `rejection` when `condition` does not hold; then nothing has changed */
export async function runIf<const Statements extends readonly BatchItem<'sqlite'>[]>(
  db: Database,
  condition: SQL,
  statements: Statements,
  rejection: () => Error | Promise<Error>,
): Promise<{ readonly [Index in keyof Statements]: Awaited<Statements[Index]> }> {
  try {
    const [, ...results] = await runBatch(db, [guard(db, condition), ...statements])
    return results as never
  } catch (error) {
    throw isGuardFailure(error) ? await rejection() : error
  }
}
