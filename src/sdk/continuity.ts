// Experience continuity: a person keeps the results from before the sign-in. docs/reference/evaluation.md#experience-continuity.
import { inArray, sql } from 'drizzle-orm'
import { flagHashKeyOverrides } from '../../drizzle'
import type { SubjectPerson } from '../analytics/evaluation-subject'
import type { Database } from '../storage/database'

/** Identifiers for bucketing, by flag key. */
export type Overrides = ReadonlyMap<string, string>

const storedFor = (person: SubjectPerson | undefined): [flagKey: string, hashKey: string][] =>
  Object.entries(person ? (JSON.parse(person.overrides) as Record<string, string>) : {})

/**
 * Resolves identifiers, and stores the anonymous id for flags for which neither person has one. Those of the person take precedence over
 * those of the anonymous id.
 * @param flagKeys active flags with continuity
 * @param isOpen whether the database accepts more rows (`isOpenToBulk`). Otherwise nothing is stored, and the anonymous id counts for this request.
 */
export async function resolveContinuity(
  db: Database,
  projectId: number,
  person: SubjectPerson | undefined,
  anonymous: SubjectPerson | undefined,
  anonDistinctId: string | null,
  flagKeys: readonly string[],
  isOpen: boolean,
): Promise<Overrides> {
  const known = new Map([...storedFor(anonymous), ...storedFor(person)])
  const missing = flagKeys.filter((key) => !known.has(key))
  const personIds = [anonymous, person].flatMap((each) => each?.id ?? [])
  if (anonDistinctId === null || personIds.length === 0 || missing.length === 0) return known
  const added = isOpen
    ? await storeMissing(db, projectId, personIds, anonDistinctId, missing)
    : missing.map((key) => [key, anonDistinctId] as const)
  return new Map([...known, ...added])
}

/**
 * Stores the id for each person, so that a merge of the two, which may come later, keeps it. Returns all identifiers of the persons, which
 * are read back, because another request may have stored its id first. A person that a merge has just deleted is left out.
 * @param personIds the last one takes precedence
 */
async function storeMissing(
  db: Database,
  projectId: number,
  personIds: readonly number[],
  anonDistinctId: string,
  flagKeys: readonly string[],
): Promise<[flagKey: string, hashKey: string][]> {
  const [, rows] = await db.batch([
    db
      .insert(flagHashKeyOverrides)
      .select(
        sql`SELECT p.id, ${projectId}, flag.value, ${anonDistinctId} FROM json_each(${JSON.stringify(personIds)}) wanted
        CROSS JOIN persons p ON p.id = wanted.value CROSS JOIN json_each(${JSON.stringify(flagKeys)}) flag WHERE true`,
      )
      .onConflictDoNothing(),
    db
      .select({ flagKey: flagHashKeyOverrides.flagKey, hashKey: flagHashKeyOverrides.hashKey })
      .from(flagHashKeyOverrides)
      .where(inArray(flagHashKeyOverrides.personId, [...personIds]))
      .orderBy(sql`${flagHashKeyOverrides.personId} = ${personIds.at(-1)!}`),
  ])
  return rows.map(({ flagKey, hashKey }) => [flagKey, hashKey])
}
