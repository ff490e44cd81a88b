// Experience continuity: a person keeps the answers that they had before signing in (reference/flags-evaluation.md §1.6).
import { sql } from 'drizzle-orm'
import { flagHashKeyOverrides } from '../../drizzle'
import { type PersonRow, selectPerson } from '../analytics/subject'
import type { Database } from '../storage/database'

/** What a person row says was stored for them: flag key to identifier. */
const storedFor = (person: PersonRow | undefined): Map<string, string> =>
  new Map(Object.entries(person ? (JSON.parse(person.overrides) as Record<string, string>) : {}))

export interface Continuity {
  /** Flag key to the identifier that buckets it. */
  overrides: ReadonlyMap<string, string>
  /** Flags for which the anonymous id is to be kept from now on. */
  missing: readonly string[]
}

/**
 * Which identifiers count. On conflict what is stored for the person wins over what is stored for the anonymous one.
 * @param flagKeys the active flags with continuity.
 */
export function settleContinuity(
  person: PersonRow | undefined,
  anonymous: PersonRow | undefined,
  anonDistinctId: string | null,
  flagKeys: readonly string[],
): Continuity {
  const own = storedFor(person)
  const missing = person && anonDistinctId !== null ? flagKeys.filter((key) => !own.has(key)) : []
  const elder = storedFor(anonymous)
  const overrides = new Map([...elder, ...own])
  for (const key of missing) if (!overrides.has(key)) overrides.set(key, anonDistinctId!)
  return { overrides, missing }
}

/** The statement that reads the person of the anonymous id. */
export const selectAnonymous = (db: Database, projectId: number, anonDistinctId: string) =>
  selectPerson(db, projectId, { distinctId: anonDistinctId })

/** Keeps the anonymous id for the flags that have none stored. What another request kept first stays. */
export const keepContinuity = (
  db: Database,
  projectId: number,
  personId: number,
  hashKeys: Readonly<Record<string, string>>,
) =>
  db
    .insert(flagHashKeyOverrides)
    .select(
      sql`SELECT ${personId}, ${projectId}, key, value FROM json_each(${JSON.stringify(hashKeys)}) WHERE true`,
    )
    .onConflictDoNothing()
