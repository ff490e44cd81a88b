// Plans a profile update (docs/reference/accounts.md#profile).
import { users } from '../../../drizzle'
import { type Actor, userOf } from '../../auth/actor'
import { requireKeyRestrictions } from '../../auth/access'
import { invalid, permissionDenied } from '../../errors'
import { valuesIn } from '../../storage/columns'
import { checkNotificationSettings, patchedSettings } from './notification-settings'
import { MAX_JSON_BYTES, type ProfileBody, tooManyBytes } from './profile-body'
import { planTeamSwitch, type selectSwitchFacts } from './team-switch'
import { planScene, type SceneInput } from './scene'
import { hashPassword, verifyPassword } from '../password/hash'

export interface ProfileFacts {
  /** Whether the caller changes their own profile. Staff may change that of another user. */
  isSelf: boolean
  user: {
    email: string
    isStaff: boolean
    firstName: string
    lastName: string
    passwordHash: string | null
    allowImpersonation: boolean | null
    projectId: number | null
    /** The size of the notification settings after the merge. */
    settingsBytes: number
    /** Whether an organization requires single sign-on for the user's address. `isNewEmailTaken` is the same for the new address. */
    mustUseSso: boolean
    isNewEmailTaken: boolean
  }
  switchFacts: Awaited<ReturnType<typeof selectSwitchFacts>>[number] | undefined
  /** The project of the dashboard. It is null for a dashboard that the user cannot access. */
  dashboardProjectId: number | null | undefined
}

export type ProfilePlan = Awaited<ReturnType<typeof planProfile>>

/**
 * Plans an update of the profile. Cheap rules are checked first.
 * @throws 403 for fields reserved for staff, for sessions or for the user; 400 for the first other violation
 */
export async function planProfile(
  actor: Actor,
  { isSelf, user, switchFacts, dashboardProjectId }: ProfileFacts,
  body: ProfileBody & SceneInput,
) {
  requireAllowed(actor, user, body)
  if (!isSelf) requireNothingOfOthers(user, body)
  const teamSwitch = planTeamSwitch(body, switchFacts)
  if (teamSwitch && actor.kind === 'apiKey')
    requireKeyRestrictions(
      actor,
      {
        organizationId: teamSwitch.currentOrganizationId,
        project: teamSwitch.currentProjectId === null ? null : { id: teamSwitch.currentProjectId },
      },
      [body.set_current_organization, Number(body.set_current_team)],
    )
  const scene = planScene(body, teamSwitch ? teamSwitch.currentProjectId : user.projectId, dashboardProjectId)
  if (body.passkeys_enabled_for_2fa) {
    throw invalid(
      'passkeys_enabled_for_2fa',
      'You must have at least one passkey set up before enabling passkeys for 2FA.',
      'no_passkeys',
    )
  }
  const { email, is_staff: isStaff, ...fields } = body
  if (email !== undefined && email !== user.email) requireFreeAddress(user)
  const columns = {
    ...valuesIn(users, fields),
    ...teamSwitch,
    ...(isStaff === user.isStaff ? {} : { isStaff }),
    // A new address is unverified, because the service sends no email.
    ...(email === undefined || email === user.email ? {} : { email, isEmailVerified: null }),
    notificationSettings: body.notification_settings && patchOf(user, body.notification_settings),
    passwordHash: body.password === undefined ? undefined : await changedHash(user, body.password, body),
  }
  return { columns: withoutUndefined(columns), scene, changesPassword: body.password !== undefined }
}

/**
 * Checks fields that not everybody may change. Keys never change credentials or end the opt-out of impersonation, so that one that leaks
 * cannot take over the account. Only staff change `is_staff`. Unchanged values are accepted, because clients send whole records back.
 */
function requireAllowed(
  actor: Actor,
  user: Pick<ProfileFacts['user'], 'email' | 'isStaff' | 'allowImpersonation'>,
  body: ProfileBody,
): void {
  if (body.is_staff !== undefined && body.is_staff !== user.isStaff) {
    if (!userOf(actor)?.isStaff) {
      throw permissionDenied('You are not a staff user, contact your instance admin.')
    }
    if (actor.kind === 'apiKey') throw sessionOnly('is_staff')
  }
  if (actor.kind !== 'apiKey') return
  if (body.password !== undefined) throw sessionOnly('password')
  if (body.email !== undefined && body.email !== user.email) throw sessionOnly('email')
  if (
    user.allowImpersonation === false &&
    body.allow_impersonation !== undefined &&
    body.allow_impersonation !== false
  )
    throw sessionOnly('allow_impersonation')
}

/** Rejects what staff may not change for another user, because it would let them act as that user. Unchanged values are accepted. */
function requireNothingOfOthers({ allowImpersonation }: ProfileFacts['user'], body: ProfileBody): void {
  if (body.password !== undefined) throw ownOnly('password')
  if (body.current_password !== undefined) throw ownOnly('current_password')
  if (body.allow_impersonation !== undefined && body.allow_impersonation !== allowImpersonation)
    throw ownOnly('allow_impersonation')
}

/**
 * Rejects a change of address that would avoid what an organization requires of its domain, or that takes an address whose owner has not
 * confirmed it.
 */
function requireFreeAddress({ mustUseSso, isNewEmailTaken }: ProfileFacts['user']): void {
  if (mustUseSso)
    throw invalid(
      'email',
      'Your organization requires single sign-on for your email address: change it at the provider.',
      'sso_enforced_current_email',
    )
  if (isNewEmailTaken)
    throw invalid(
      'email',
      'An organization requires single sign-on for the domain of this address: sign in that way to use it.',
      'sso_enforced_new_email',
    )
}

const ownOnly = (field: string) => permissionDenied(`Only the user can change their ${field}.`)

const sessionOnly = (field: string) =>
  permissionDenied(`You can only change your ${field} when you are signed in, not with an API key or token.`)

function patchOf({ settingsBytes }: ProfileFacts['user'], settings: Record<string, unknown>) {
  const patch = patchedSettings(checkNotificationSettings(settings))
  if (settingsBytes > MAX_JSON_BYTES) {
    throw invalid('notification_settings', tooManyBytes(MAX_JSON_BYTES), 'max_length')
  }
  return patch
}

const withoutUndefined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>

/**
 * Checks the current password, then the new one. A user without a password needs none to set one.
 * @returns the new hash
 * @throws 400 `required` or `incorrect_password` for the current password; 400 for a weak new one
 */
async function changedHash(
  user: { passwordHash: string | null; email: string; firstName: string; lastName: string },
  password: string,
  { current_password: currentPassword }: { current_password?: string | undefined },
): Promise<string> {
  if (user.passwordHash !== null) {
    if (!currentPassword) {
      throw invalid('current_password', 'This field is required when updating your password.', 'required')
    }
    if (!(await verifyPassword(currentPassword, user.passwordHash))) {
      throw invalid('current_password', 'Your current password is incorrect.', 'incorrect_password')
    }
  }
  const { checkStrength } = await import('../password/password-strength')
  checkStrength(password, [user.email, user.firstName, user.lastName])
  return hashPassword(password)
}
