// Status, backup codes and removal of a second factor (docs/reference/accounts.md#second-factor).
import * as z from 'zod'
import { eq, sql } from 'drizzle-orm'
import { backupCodes, memberships, totpDevices, users } from '../../../drizzle'
import { type Actor, userOf } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid, notFound } from '../../errors'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { asBoolean } from '../../storage/columns'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { recordMember } from '../organizations/record-member'
import { backupDigests, newBackupCodes } from './codes'

export const TwoFactorStatus = z
  .object({
    is_enabled: z.boolean(),
    method: z.literal('TOTP').nullable(),
    has_passkeys: z.boolean(),
    has_totp: z.boolean(),
    passkeys_enabled_for_2fa: z.boolean(),
    backup_codes_remaining: z.int(),
  })
  .meta({ id: 'TwoFactorStatus' })

export const TwoFactorStatusDocs = (): SchemaDocs => ({
  description: 'The second factor of a user.',
  fields: {
    is_enabled: 'Whether sign-in requires a second factor.',
    method: '`TOTP`, codes from an authenticator app. Null without a second factor.',
    has_passkeys: 'Always false: there are no passkeys.',
    has_totp: 'Whether an authenticator app is set up.',
    passkeys_enabled_for_2fa: 'Always false: there are no passkeys.',
    backup_codes_remaining: 'Number of unused backup codes, 0 to 10.',
  },
  example: {
    is_enabled: true,
    has_totp: true,
    backup_codes_remaining: 9,
  },
})

export type TwoFactorStatus = z.output<typeof TwoFactorStatus>

/** @throws 404. */
export async function getTwoFactorStatus(db: Database, userId: number): Promise<TwoFactorStatus> {
  const [row] = await db
    .select({
      passkeys: users.passkeysEnabledFor2fa,
      hasTotp: asBoolean(sql`EXISTS (SELECT 1 FROM totp_devices t WHERE t.user_id = users.id)`).as(
        'has_totp',
      ),
      codes: sql<number>`(SELECT count(*) FROM backup_codes b WHERE b.user_id = users.id)`.as('codes'),
    })
    .from(users)
    .where(eq(users.id, userId))
  if (!row) throw notFound()
  const { hasTotp } = row
  return {
    is_enabled: hasTotp,
    method: hasTotp ? 'TOTP' : null,
    has_passkeys: false,
    has_totp: hasTotp,
    passkeys_enabled_for_2fa: row.passkeys ?? false,
    backup_codes_remaining: hasTotp ? row.codes : 0,
  }
}

/** Replaces all backup codes by ten new ones, which can be read only here. @throws 400 `2fa_not_enabled` without a second factor */
export async function replaceBackupCodes({ db, env }: Deps, userId: number): Promise<string[]> {
  const codes = newBackupCodes()
  const rows = codes.map((code) => ({ userId, codeHash: backupDigests(env, userId, code)[0] }))
  await runIf(
    db,
    sql`EXISTS (SELECT 1 FROM totp_devices WHERE user_id = ${userId})`,
    [db.delete(backupCodes).where(eq(backupCodes.userId, userId)), db.insert(backupCodes).values(rows)],
    () => invalid(null, '2FA must be enabled first', '2fa_not_enabled'),
  )
  return codes
}

/** Removes the second factor and its backup codes. Other sessions stay open. Organizations of another user see who removed it. */
export async function disableTwoFactor(deps: Deps, actor: Actor, userId: number): Promise<void> {
  const { db, clock } = deps
  await db.batch([
    db.delete(totpDevices).where(eq(totpDevices.userId, userId)),
    db.delete(backupCodes).where(eq(backupCodes.userId, userId)),
    ...(userOf(actor)?.id === userId ? [] : await removalEntries(deps, actor, userId, clock.now())),
  ])
}

/** Returns the statements that record the removal, if there is a second factor. */
async function removalEntries(deps: Deps, actor: Actor, userId: number, now: Date) {
  const { db } = deps
  const rows = await db
    .select({ organizationId: memberships.organizationId, uuid: users.uuid, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(totpDevices, eq(totpDevices.userId, memberships.userId))
    .where(eq(memberships.userId, userId))
  return rows.map(({ organizationId, ...member }) =>
    recordMember(deps, now, {
      organizationId,
      actor,
      member,
      change: { action: 'deleted', field: 'two_factor', before: true, after: null },
    }),
  )
}
