// Experience continuity: a person keeps the results from before the sign-in. docs/reference/evaluation.md#experience-continuity.
import { eq, sql } from 'drizzle-orm'
import { flagHashKeyOverrides } from '../../drizzle'
import type { SubjectPerson } from '../analytics/evaluation-subject'
import type { Database } from '../storage/database'

/** Identifiers for bucketing, by flag key. */
export type Overrides = ReadonlyMap<string, string>

const storedFor = (person: SubjectPerson | undefined): Overrides =>
  new Map(Object.entries(person ? (JSON.parse(person.overrides) as Record<string, string>) : {}))

/**
 * Resolves identifiers, and stores the anonymous id for flags for which the person has none. Those of the person take precedence over those
 * of the anonymous id.
 * @param flagKeys active flags with continuity
 */
export async function resolveContinuity(
  db: Database,
  projectId: number,
  person: SubjectPerson | undefined,
  anonymous: SubjectPerson | undefined,
  anonDistinctId: string | null,
  flagKeys: readonly string[],
): Promise<Overrides> {
  const own = storedFor(person)
  const missing = flagKeys.filter((key) => !own.has(key))
  const isStored = person === undefined || anonDistinctId === null || missing.length === 0
  return new Map([
    ...storedFor(anonymous),
    ...(isStored ? own : await storeMissing(db, projectId, person.id, anonDistinctId, missing)),
  ])
}

/** Returns all identifiers of the person. They are read back, because another request may have stored its id first. */
async function storeMissing(
  db: Database,
  projectId: number,
  personId: number,
  anonDistinctId: string,
  flagKeys: readonly string[],
): Promise<Overrides> {
  const [, rows] = await db.batch([
    db
      .insert(flagHashKeyOverrides)
      .select(
        sql`SELECT ${personId}, ${projectId}, value, ${anonDistinctId}
        FROM json_each(${JSON.stringify(flagKeys)}) WHERE true`,
      )
      .onConflictDoNothing(),
    db
      .select({ flagKey: flagHashKeyOverrides.flagKey, hashKey: flagHashKeyOverrides.hashKey })
      .from(flagHashKeyOverrides)
      .where(eq(flagHashKeyOverrides.personId, personId)),
  ])
  return new Map(rows.map(({ flagKey, hashKey }) => [flagKey, hashKey]))
}
