// Says until when, and of whom, an invite can be accepted.
import { and, gt, sql } from 'drizzle-orm'
import { organizationInvites } from '../../../drizzle'
import { asBoolean } from '../../storage/columns'
import { toStoredTimestamp } from '../../timestamps'

const LIFE_MS = 3 * 24 * 3_600_000

/** Returns the time at or before which an expired invite was created. */
export const inviteExpiryCutoff = (now: Date): string => toStoredTimestamp(new Date(now.getTime() - LIFE_MS))

/**
 * SQL condition on a row of `organization_invites`: its inviter was not deactivated. Otherwise, an admin who was locked out could come back
 * by an invite.
 */
export const isInviterActive = asBoolean(sql`NOT EXISTS (SELECT 1 FROM users inviter
    WHERE inviter.id = organization_invites.created_by_id AND NOT inviter.is_active)`)

/** SQL condition on a row of `organization_invites`: it can be accepted. */
export const isInviteValid = (now: Date) =>
  and(gt(organizationInvites.createdAt, inviteExpiryCutoff(now)), isInviterActive)

/** Write guard: the invite exists, and can be accepted. */
export const isAcceptable = (id: string, now: Date) =>
  sql`EXISTS (SELECT 1 FROM organization_invites WHERE id = ${id} AND ${isInviteValid(now)})`

/** SQL condition: the invite by which a row of `users` delegates onboarding is valid. */
export const isDelegationInviteValid = (now: Date) =>
  asBoolean(sql`EXISTS (SELECT 1 FROM organization_invites i
    WHERE i.id = users.onboarding_delegated_to_invite AND i.created_at > ${inviteExpiryCutoff(now)})`)
