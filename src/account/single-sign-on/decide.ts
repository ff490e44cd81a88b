// What a confirmed identity may do. Pure.
//
// Issuer and subject are who somebody is; an address alone links nothing. Whoever configures the provider can have it say anything: an account
// that existed before is linked by its password, once, so that an admin of the provider gets neither the account of an owner, nor what it has in
// other organizations, and so that nobody waits with the address of a colleague for that colleague's sign-in.
import { OWNER } from '../../auth/actor'
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
  /** Null: no member of this organization. */
  level: number | null
  /** Whether the user belongs to another organization. */
  isElsewhere: boolean
  /** A pending invite of the user to this organization. */
  inviteId: string | null
}

export interface SsoFacts {
  organizationName: string
  isDomainVerified: boolean
  /** Whose identity it is; null for an unknown one. */
  linked: KnownUser | null
  /** Who has the address; null for nobody. */
  holder: KnownUser | null
}

export type Outcome =
  | { kind: 'sign in'; userId: number; inviteId?: string }
  | { kind: 'create'; level: number }
  /** Signs in, and keeps the identity. */
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
  // Entra ID has a claim of its own.
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
  const { organizationName, linked, holder } = facts
  if (!facts.isDomainVerified)
    throw refuse(
      'domain_not_verified',
      `${person.email} is in none of the domains that ${organizationName} has verified for single sign-on.`,
    )
  const user = linked ?? holder
  if (!user) return { kind: 'create', level: levelFrom(rule, claims) }
  if (!user.isActive) throw refuse('account_closed', 'This account is closed. Ask an admin.')
  if (linked) {
    if (linked.level !== null) return { kind: 'sign in', userId: linked.id }
    // What else the account reaches is none of the provider's.
    if (linked.inviteId !== null && !linked.isElsewhere && !linked.isStaff)
      return { kind: 'sign in', userId: linked.id, inviteId: linked.inviteId }
    throw refuse(
      'not_a_member',
      `You are no longer a member of ${organizationName}. Ask an admin for an invite${linked.hasPassword ? ', and accept it with your password' : ''}.`,
    )
  }
  if (user.level === null)
    throw refuse(
      'not_a_member',
      `There is an account with the address ${person.email} that is not a member of ${organizationName}. Ask an admin for an invite, sign in with ` +
        'your password to accept it, and then use single sign-on.',
    )
  if (user.hasPassword) return { kind: 'prove', userId: user.id }
  if (user.level < OWNER && !user.isElsewhere && !user.isStaff) return { kind: 'link', userId: user.id }
  throw refuse(
    'no_password',
    `There is an account with the address ${person.email} that has no password to prove that it is yours. Ask for a link that sets one, and sign in ` +
      'again.',
  )
}
