// Experience continuity: a person keeps the results from before the sign-in. docs/reference/evaluation.md#experience-continuity.
import { sql } from 'drizzle-orm'
import { flagHashKeyOverrides } from '../../drizzle'
import type { SubjectPerson } from '../analytics/evaluation-subject'
import type { Database } from '../storage/database'

/** Returns stored identifiers by flag key. */
const storedFor = (person: SubjectPerson | undefined): Map<string, string> =>
  new Map(Object.entries(person ? (JSON.parse(person.overrides) as Record<string, string>) : {}))

export interface Continuity {
  /** Identifiers for bucketing, by flag key. */
  overrides: ReadonlyMap<string, string>
  /** Keys of flags for which the anonymous id has to be stored. */
  missing: readonly string[]
}

/**
 * Resolves identifiers. Those of the person take precedence over those of the anonymous id.
 * @param flagKeys active flags with continuity
 */
export function resolveContinuity(
  person: SubjectPerson | undefined,
  anonymous: SubjectPerson | undefined,
  anonDistinctId: string | null,
  flagKeys: readonly string[],
): Continuity {
  const own = storedFor(person)
  const missing = person && anonDistinctId !== null ? flagKeys.filter((key) => !own.has(key)) : []
  const kept = missing.map((key) => [key, anonDistinctId!] as const)
  return { overrides: new Map([...storedFor(anonymous), ...own, ...kept]), missing }
}

/** Stores the anonymous id for flags without one. */
export const storeContinuity = (
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
