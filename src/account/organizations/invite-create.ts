// Inviting somebody to an organization.
import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { organizationInvites, organizations } from '../../../drizzle'
import type { Organization, User } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid, permissionDenied } from '../../errors'
import { text } from '../../http/fields'
import type { Database } from '../../storage/database'
import { stored } from '../../timestamps'
import { inviteRecordFrom, type InviteRecord, selectInvites } from './invite-record'
import { ADMIN } from './levels'

const MAX_EMAIL = 254

/** An address as bodies carry it: trimmed, in lower case. */
export const email = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
    z
      .string()
      .min(1)
      .max(MAX_EMAIL)
      .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$|^[^\s@]+@localhost$/, 'Enter a valid email address.')
      .meta({ format: 'email' }),
  )

export const CreateInviteBody = z.object({
  target_email: email(),
  first_name: text({ max: 30, blank: true }).optional(),
  level: z.literal([1, 8, 15]).optional(),
  message: text({ blank: true, max: 1000 }).nullable().optional(),
})

export interface NewInvite {
  organizationId: string
  targetEmail: string
  firstName?: string
  level: number
  message: string | null
  isSetupDelegation?: boolean
}

/** A new invite; the statement is for a batch. */
export function newInvite({ db, ids, clock }: Deps, createdBy: User, invite: NewInvite) {
  const at = stored(clock.now())
  const id = ids.opaqueUuid()
  return {
    id,
    statement: db
      .insert(organizationInvites)
      .values({ id, ...invite, createdById: createdBy.id, createdAt: at, updatedAt: at }),
  }
}

/** Expired invites are listed for a while, then forgotten. */
const KEPT_MS = 30 * 24 * 3_600_000

/** The statement that forgets invites of an organization that nobody can have accepted for long. */
export const forgetOldInvites = ({ db, clock }: Deps, organizationId: string) =>
  db
    .delete(organizationInvites)
    .where(
      and(
        eq(organizationInvites.organizationId, organizationId),
        lt(organizationInvites.createdAt, stored(new Date(clock.now().getTime() - KEPT_MS))),
      ),
    )

/** Reads what decides whether somebody may be invited. */
export const selectInvitePolicy = (db: Database, organizationId: string, targetEmail: string) =>
  db
    .select({
      membersCanInvite: organizations.membersCanInvite,
      isMember: sql<number>`EXISTS (SELECT 1 FROM organization_memberships m JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = ${organizationId} AND u.email = ${targetEmail})`.as('is_member'),
    })
    .from(organizations)
    .where(eq(organizations.id, organizationId))

/**
 * Decides whether a member may invite an address.
 * @throws 403 where only admins may invite, or above one's own level; 400 for somebody who is a member already.
 */
export function checkInvite(
  policy: { membersCanInvite: boolean; isMember: number } | undefined,
  { membershipLevel }: Organization,
  level: number,
): void {
  if (!policy?.membersCanInvite && membershipLevel < ADMIN) {
    throw permissionDenied('Only admins can invite people to this organization.')
  }
  if (level > membershipLevel) {
    throw permissionDenied('You cannot invite to a higher permission level than your own.')
  }
  if (policy?.isMember) {
    throw invalid('target_email', 'A user with this email address already belongs to the organization.')
  }
}

/** Invites somebody. @throws as `checkInvite` does. */
export async function createInvite(
  deps: Deps,
  user: User,
  organization: Organization,
  body: z.output<typeof CreateInviteBody>,
): Promise<InviteRecord> {
  const { db } = deps
  const level = body.level ?? 1
  const [policy] = await selectInvitePolicy(db, organization.id, body.target_email)
  checkInvite(policy, organization, level)
  const invite = newInvite(deps, user, {
    organizationId: organization.id,
    targetEmail: body.target_email,
    firstName: body.first_name,
    level,
    message: body.message ?? null,
  })
  const [, , [row]] = await db.batch([
    forgetOldInvites(deps, organization.id),
    invite.statement,
    selectInvites(db, inviteIs(invite.id)),
  ])
  return inviteRecordFrom(row!, deps.clock.now())
}

const inviteIs = (id: string): SQL => eq(organizationInvites.id, id)
