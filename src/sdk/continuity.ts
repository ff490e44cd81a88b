// Experience continuity: a person keeps the answers that they had before signing in (reference/flags-evaluation.md §1.6).
import { sql } from 'drizzle-orm'
import { flagHashKeyOverrides } from '../../drizzle'
import { type PersonRow, selectPerson } from '../analytics/evaluation-subject'
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
 * Which identifiers count. What a person has, and what they get now, wins over what is stored for the anonymous one.
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
  const kept = missing.map((key) => [key, anonDistinctId!] as const)
  return { overrides: new Map([...storedFor(anonymous), ...own, ...kept]), missing }
}

/** The statement that reads the person of the anonymous id. */
export const selectAnonymous = (db: Database, projectId: number, anonDistinctId: string) =>
  selectPerson(db, projectId, { distinctId: anonDistinctId })

/** Keeps the anonymous id for the flags that have none stored. What another request kept first stays. */
export const keepContinuity = (
  db: Database,
  projectId: number,
  personId: number,
  anonDistinctId: string,
  flagKeys: readonly string[],
) =>
  db
    .insert(flagHashKeyOverrides)
    .select(
      sql`SELECT ${personId}, ${projectId}, value, ${anonDistinctId}
        FROM json_each(${JSON.stringify(flagKeys)}) WHERE true`,
    )
    .onConflictDoNothing()
