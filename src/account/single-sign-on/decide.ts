// Decides what a confirmed identity may do. Pure.
//
// Issuer and subject identify a person; an address alone links nothing. The provider says whatever its admins configure. An account that
// existed before is therefore linked by its password, once. Otherwise an admin of the provider could get the account of an owner, or what
// an account has in other organizations, or could wait with the address of a colleague for that colleague's sign-in.
import type { organizationInvites } from '../../../drizzle'
import { ADMIN, OWNER } from '../../auth/actor'
import { type ApiError, permissionDenied } from '../../errors'
import { email as emailField, personName } from '../identity-fields'
import { levelFrom, type LevelRule } from './levels'

export interface Person {
  subject: string
  email: string
  firstName: string
}

export interface KnownUser {
  id: number
  isActive: boolean
  isStaff: boolean
  hasPassword: boolean
  /** Whether the address was confirmed. A user can enter that of another person. */
  isEmailVerified: boolean
  /** The level in this organization. It is null for a user who is no member. */
  level: number | null
  /** Whether the user belongs to another organization. */
  isElsewhere: boolean
  /** Whether another organization requires its own single sign-on of the user. */
  mustUseOtherSso: boolean
}

type PendingInvite = Pick<typeof organizationInvites.$inferSelect, 'id' | 'level' | 'createdById'>

export interface SsoFacts {
  organizationName: string
  isDomainVerified: boolean
  /** The newest pending invite of the address that the provider confirms. The user sets that of the account, so that it proves nothing. */
  invite: PendingInvite | null
  /** The user of the identity. It is null for an unknown identity. */
  linked: KnownUser | null
  /** The user of the address. It is null when there is none. */
  holder: KnownUser | null
}

export type Outcome =
  | { kind: 'sign in'; userId: number; inviteId?: string }
  | { kind: 'create'; level: number; invite: PendingInvite | null }
  /** Signs the user in, and stores the identity. */
  | { kind: 'link'; userId: number }
  /** Asks for the account's password first. */
  | { kind: 'prove'; userId: number }

const MAX_SUBJECT_LENGTH = 255

const TRUE = new Set<unknown>([true, 'true', 1, '1'])

const refuse = (code: string, detail: string): ApiError => permissionDenied(detail, code)

/** @throws 403 without a verified address. */
export function personFrom(claims: Record<string, unknown>): Person {
  const { sub, given_name: given, name } = claims
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH)
    throw refuse('subject_missing', 'Your provider sends no usable id of yours (the claim "sub").')
  if ((claims.email ?? null) === null)
    throw refuse(
      'email_missing',
      'Your provider sends no email address. An admin of the provider has to allow the scope "email".',
    )
  const email = emailField().safeParse(claims.email)
  if (!email.success)
    throw refuse(
      'email_invalid',
      'The email address that your provider sends is not one that accounts can have.',
    )
  // Entra ID has a claim of its own for verified addresses.
  if (!TRUE.has(claims.email_verified) && !TRUE.has(claims.xms_edov))
    throw refuse(
      'email_not_verified',
      'Your provider does not confirm your email address. An admin has to verify it there, and have the provider send "email_verified" ' +
        '(Entra ID: the optional claim "xms_edov").',
    )
  const firstName = [given, name]
    .map((each) => personName({ max: 150 }).safeParse(each))
    .find(({ success }) => success)
  return { subject: sub, email: email.data, firstName: firstName?.data ?? '' }
}

/** @throws 403 that says what to do. */
export function decide(
  rule: LevelRule,
  claims: Record<string, unknown>,
  person: Person,
  facts: SsoFacts,
): Outcome {
  const { organizationName, invite, linked, holder } = facts
  if (!facts.isDomainVerified)
    throw refuse(
      'domain_not_verified',
      `${person.email} is in none of the domains that ${organizationName} has verified for single sign-on.`,
    )
  const user = linked ?? holder
  if (!user) {
    const level = invite ? Math.min(invite.level, ADMIN) : levelFrom(rule, claims)
    return { kind: 'create', level, invite }
  }
  if (!user.isActive) throw refuse('account_closed', 'This account is closed. Ask an admin.')
  if (user.mustUseOtherSso)
    throw refuse(
      'sso_enforced_elsewhere',
      'Another organization requires its own single sign-on for your account. Sign in with the email address that the account has here.',
    )
  if (linked) {
    if (linked.level !== null) return { kind: 'sign in', userId: linked.id }
    // The account has no access that the provider does not decide about.
    if (invite && !linked.isElsewhere && !linked.isStaff)
      return { kind: 'sign in', userId: linked.id, inviteId: invite.id }
    throw refuse(
      'not_a_member',
      `You are no longer a member of ${organizationName}. Ask an admin for an invite of ${person.email}${linked.hasPassword ? ', and accept it with your password' : ''}.`,
    )
  }
  if (user.level === null)
    throw refuse(
      'not_a_member',
      `There is an account with the address ${person.email} that is not a member of ${organizationName}. Ask an admin for an invite, sign in with ` +
        'your password to accept it, and then use single sign-on.',
    )
  if (user.hasPassword) return { kind: 'prove', userId: user.id }
  if (user.isEmailVerified && user.level < OWNER && !user.isElsewhere && !user.isStaff)
    return { kind: 'link', userId: user.id }
  throw refuse(
    'no_password',
    `There is an account with the address ${person.email} that has no password to prove that it is yours. If it is yours, an admin can create a ` +
      'link that sets a password: then sign in again. If it is that of another person, they have to change its address.',
  )
}
