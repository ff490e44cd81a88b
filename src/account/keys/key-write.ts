// Lists, creates, updates, rolls and deletes personal API keys (docs/reference/accounts.md#personal-api-keys).
import * as z from 'zod'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { personalApiKeys, users } from '../../../drizzle'
import type { User } from '../../auth/actor'
import { maskOf, newApiKey } from '../../auth/api-keys'
import { secureValueOf } from '../../auth/secure-value'
import type { Deps } from '../../deps'
import { invalid, notFound } from '../../errors'
import { integer, text } from '../../http/fields'
import type { Database } from '../../storage/database'
import { valuesIn } from '../../storage/columns'
import { runIf } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { newPersonalApiKey } from '../provisioning'
import { type KeyRecord, keyRecordFrom, selectKeys } from './key-record'
import { checkScopes } from './key-scopes'

const MAX_KEYS = 10

/** Maximum scopes of a key, which isolates cache with the key; `MAX_RESTRICTIONS` is that of its projects and organizations. */
const MAX_SCOPES = 300
const MAX_RESTRICTIONS = 100

const unique = <T>(items: T[]): T[] => [...new Set(items)]

export const KeyBody = z.object({
  label: text({ max: 40 }),
  description: text({ max: 1000, blank: true }).nullable().optional(),
  scopes: z.array(z.string()).min(1).max(MAX_SCOPES).transform(unique),
  scoped_teams: z.array(integer()).max(MAX_RESTRICTIONS).transform(unique),
  scoped_organizations: z
    .array(z.string().transform((id) => id.toLowerCase()))
    .max(MAX_RESTRICTIONS)
    .transform(unique),
})

type KeyFields = z.output<typeof KeyBody>

const own = (userId: number, id: string) =>
  and(eq(personalApiKeys.userId, userId), eq(personalApiKeys.id, id))

/** Lists the keys of a user, newest first. */
export async function listKeys(db: Database, userId: number): Promise<KeyRecord[]> {
  const rows = await selectKeys(db, eq(personalApiKeys.userId, userId))
  return rows.map((row) => keyRecordFrom(row))
}

/** @throws 404 for an unknown key, and for keys of other users. */
export async function findKey(db: Database, userId: number, id: string): Promise<KeyRecord> {
  const [row] = await selectKeys(db, own(userId, id))
  if (!row) throw notFound()
  return keyRecordFrom(row)
}

/**
 * Creates a key and returns its value, which is not stored.
 * @throws 400 for unknown scopes, foreign projects and organizations, and beyond MAX_KEYS
 */
export async function createKey(
  { db, ids, clock }: Deps,
  { id: userId, uuid }: User,
  fields: KeyFields,
): Promise<KeyRecord> {
  const now = clock.now()
  await checkFields(db, userId, fields)
  const key = await newPersonalApiKey({ db, ids, now }, uuid, {
    label: fields.label,
    description: fields.description || null,
    scopes: fields.scopes,
    scopedTeams: fields.scoped_teams,
    scopedOrganizations: fields.scoped_organizations,
  })
  const count = sql`(SELECT count(*) FROM personal_api_keys WHERE user_id = ${userId})`
  const [, , [row]] = await runIf(
    db,
    sql`${count} < ${MAX_KEYS}`,
    [
      // A first key needs no review.
      db
        .update(users)
        .set({ credentialsReviewedAt: toStoredTimestamp(now) })
        .where(and(eq(users.id, userId), isNull(users.credentialsReviewedAt), sql`${count} = 0`)),
      key.statement,
      selectKeys(db, own(userId, key.id)),
    ],
    tooMany,
  )
  return keyRecordFrom(row!, key.value)
}

const tooMany = () =>
  invalid(
    null,
    `You can only have ${MAX_KEYS} personal API keys. Remove an existing key before creating a new one.`,
  )

/** Updates a key. The change applies at once here, and within KEY_CACHE_MS in other isolates. @throws 404, and 400 as `createKey` does */
export async function updateKey(
  { db, keyCache }: Deps,
  userId: number,
  id: string,
  fields: Partial<KeyFields>,
): Promise<KeyRecord> {
  await checkFields(db, userId, fields)
  const { description } = fields
  const changes = valuesIn(personalApiKeys, description === '' ? { ...fields, description: null } : fields)
  if (Object.values(changes).every((value) => value === undefined)) return findKey(db, userId, id)
  const [, [row]] = await keyCache.forgetAfter({ keyId: id }, () =>
    db.batch([
      db.update(personalApiKeys).set(changes).where(own(userId, id)),
      selectKeys(db, own(userId, id)),
    ]),
  )
  if (!row) throw notFound()
  return keyRecordFrom(row)
}

/** Replaces the value. The old one is invalid at once here, and within KEY_CACHE_MS in other isolates. @throws 404 */
export async function rollKey(
  { db, ids, clock, keyCache }: Deps,
  userId: number,
  id: string,
): Promise<KeyRecord> {
  const value = newApiKey(ids)
  const secureValue = await secureValueOf(value)
  const [, rows] = await keyCache.forgetAfter({ keyId: id }, () =>
    db.batch([
      db
        .update(personalApiKeys)
        .set({ secureValue, maskValue: maskOf(value), lastRolledAt: toStoredTimestamp(clock.now()) })
        .where(own(userId, id)),
      selectKeys(db, own(userId, id)),
    ]),
  )
  const [row] = rows
  if (!row) throw notFound()
  return keyRecordFrom(row, value)
}

/** @throws 404. */
export async function deleteKey({ db, keyCache }: Deps, userId: number, id: string): Promise<void> {
  const deleted = await keyCache.forgetAfter({ keyId: id }, () =>
    db.delete(personalApiKeys).where(own(userId, id)).returning({ id: personalApiKeys.id }).all(),
  )
  if (deleted.length === 0) throw notFound()
}

/** Checks the scopes, and that the owner can access the projects and organizations. */
async function checkFields(db: Database, userId: number, fields: Partial<KeyFields>): Promise<void> {
  if (fields.scopes) checkScopes(fields.scopes)
  const { scoped_teams: teams = [], scoped_organizations: organizations = [] } = fields
  if (organizations.some((id) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))) {
    throw invalid('scoped_organizations', 'Invalid organization UUID')
  }
  if (teams.length + organizations.length === 0) return
  const [row] = await db
    .select({
      foreignTeams:
        sql<number>`(SELECT count(*) FROM json_each(${JSON.stringify(teams)}) scoped WHERE NOT EXISTS (
        SELECT 1 FROM projects p JOIN organization_memberships m ON m.organization_id = p.organization_id
        WHERE p.id = scoped.value AND m.user_id = ${userId}))`.as('foreign_teams'),
      foreignOrganizations:
        sql<number>`(SELECT count(*) FROM json_each(${JSON.stringify(organizations)}) scoped WHERE NOT EXISTS (
        SELECT 1 FROM organization_memberships m WHERE m.organization_id = scoped.value AND m.user_id = ${userId}))`.as(
          'foreign_organizations',
        ),
    })
    .from(users)
    .where(eq(users.id, userId))
  if (row?.foreignTeams) {
    throw invalid('scoped_teams', 'You must be a member of all teams that you are scoping the key to.')
  }
  if (row?.foreignOrganizations) {
    throw invalid(
      'scoped_organizations',
      'You must be a member of all organizations that you are scoping the key to.',
    )
  }
}

/** Records the review. Repeating it keeps the timestamp. */
export async function completeCredentialReview(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: number,
): Promise<void> {
  await db
    .update(users)
    .set({ credentialsReviewedAt: sql`coalesce(credentials_reviewed_at, ${toStoredTimestamp(clock.now())})` })
    .where(eq(users.id, userId))
}
