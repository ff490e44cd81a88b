// Carrying out retention policies: a bounded number of statements of bounded size. What they do not get to is left for the next day.
import { apiErrorIn } from '../errors'
import { stored } from '../timestamps'
import { daysIn, type DaysSettings } from './days'
import type { Policy } from './policies'

interface PruneOptions {
  settings: DaysSettings
  now: Date
  /** Statements of one run, of the 1,000 that a Worker may send in an invocation. */
  maxStatements: number
  /** Called for each failed policy. The rest still run, unless D1 is unavailable. */
  onFailure(table: string, error: unknown): void
}

/** Deletes expired rows of a database. Policies take turns, a chunk each, so that a backlog of one does not hold back the others. */
export async function prune(
  d1: D1Database,
  policies: readonly Policy[],
  { settings, now, maxStatements, onFailure }: PruneOptions,
): Promise<void> {
  let pending = policies.flatMap((policy) => {
    const before = momentOf(policy, settings, now)
    return before === null ? [] : { policy, before }
  })
  for (let statements = 0; pending.length > 0;) {
    const unfinished: typeof pending = []
    for (const { policy, before } of pending) {
      statements += policy.before ? 2 : 1
      if (statements > maxStatements) return
      try {
        if (await deleteChunk(d1, policy, before)) unfinished.push({ policy, before })
      } catch (error) {
        onFailure(policy.table, error)
        // A database that does not answer one statement keeps the next waiting as long.
        if (apiErrorIn(error)?.status === 503) return
      }
    }
    pending = unfinished
  }
}

/** The moment before which rows go; null: they are kept. */
function momentOf({ days }: Policy, settings: DaysSettings, now: Date): string | null {
  const age = typeof days === 'number' ? days : daysIn(settings, days)
  return age === null ? null : stored(new Date(now.getTime() - age * 86_400_000))
}

/** Deletes one chunk. @returns whether there may be more. */
async function deleteChunk(
  d1: D1Database,
  { table, expired, key = 'rowid', chunk, before: first }: Policy,
  before: string,
): Promise<boolean> {
  const statements = [...(first ? [first] : []), `DELETE FROM ${table} WHERE ${key} IN (${expired})`]
  const results = await d1.batch(statements.map((sql) => d1.prepare(sql).bind(before, chunk)))
  // Counts what cascades and triggers delete, too.
  return results.at(-1)!.meta.changes >= chunk
}
