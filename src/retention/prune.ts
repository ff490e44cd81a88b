// Runs retention policies: a bounded number of statements of bounded size. Remaining rows are left for the next day.
import { apiErrorIn } from '../errors'
import { toStoredTimestamp } from '../timestamps'
import type { Policy } from './policies'
import { numberIn, type RetentionSettings } from './settings'

interface PruneOptions {
  settings: RetentionSettings
  now: Date
  /** The most statements of one run. A Worker may send 1,000 in an invocation. */
  maxStatements: number
  /** Called for each failed policy. The others still run, unless D1 is unavailable. */
  onFailure(table: string, error: unknown): void
}

/** Deletes expired rows of a database. Policies take turns, a chunk each, so that a backlog of one does not delay the others. */
export async function prune(
  d1: D1Database,
  policies: readonly Policy[],
  { settings, now, maxStatements, onFailure }: PruneOptions,
): Promise<void> {
  let pending = policies.flatMap((policy) => {
    const values = valuesOf(policy, settings, now)
    return values === null ? [] : { policy, values }
  })
  for (let statements = 0; pending.length > 0;) {
    const unfinished: typeof pending = []
    for (const { policy, values } of pending) {
      statements += 1 + (policy.before?.length ?? 0)
      if (statements > maxStatements) return
      try {
        if (await deleteChunk(d1, policy, values)) unfinished.push({ policy, values })
      } catch (error) {
        onFailure(policy.table, error)
        // A database that does not answer one statement would delay the next as long.
        if (apiErrorIn(error)?.status === 503) return
      }
    }
    pending = unfinished
  }
}

/** Returns the values to which the statements of a policy are bound, or null to keep the rows. */
function valuesOf(
  { days, newest, chunk }: Policy,
  settings: RetentionSettings,
  now: Date,
): (string | number)[] | null {
  const age = typeof days === 'number' ? days : numberIn(settings, days)
  const count = newest === undefined ? undefined : numberIn(settings, newest)
  if (age === null || count === null) return null
  const before = toStoredTimestamp(new Date(now.getTime() - age * 86_400_000))
  return count === undefined ? [before, chunk] : [before, chunk, count]
}

/**
 * Deletes one chunk.
 * @returns whether there may be more rows
 */
async function deleteChunk(
  d1: D1Database,
  { table, expired, key = 'rowid', chunk, before = [] }: Policy,
  values: readonly (string | number)[],
): Promise<boolean> {
  const statements = [...before, `DELETE FROM ${table} WHERE ${key} IN (${expired})`]
  const results = await d1.batch(statements.map((sql) => d1.prepare(sql).bind(...values)))
  // The changes include rows that cascades and triggers delete.
  return results.at(-1)!.meta.changes >= chunk
}
