// What a change of a profile comes to, rule by rule (reference §1.2–1.4). Writes nothing; update.ts does.
import type { users } from '../../../drizzle'
import { type Actor, userOf } from '../../auth/actor'
import { invalid, permissionDenied } from '../../errors'
import { checkNotificationSettings, patchedSettings } from './notification-settings'
import { MAX_JSON_BYTES, type ProfileBody, tooManyBytes } from './profile-body'
import { planTeamSwitch, type selectSwitchFacts } from './team-switch'
import { changedHash } from '../password/change'
import { planScene, type SceneInput } from './scene'

/** What the rules look at. */
export interface ProfileFacts {
  user: {
    email: string
    firstName: string
    lastName: string
    passwordHash: string | null
    projectId: number | null
    /** What the notification settings would take with those that were sent. */
    settingsBytes: number
  }
  wish: Awaited<ReturnType<typeof selectSwitchFacts>>[number] | undefined
  /** The project of the dashboard that was sent; null when the user does not reach it. */
  dashboardProjectId: number | null | undefined
}

/** What is to be written. */
export interface ProfilePlan {
  columns: { [Column in keyof typeof users.$inferInsert]?: unknown }
  scene: ReturnType<typeof planScene>
  changesPassword: boolean
}

/**
 * Holds what was sent against every rule, those that cost least first.
 * @throws 403 for what only staff, or only a session, may change; 400 for the first rule that is broken otherwise.
 */
export async function planProfile(
  actor: Actor,
  { user, wish, dashboardProjectId }: ProfileFacts,
  body: ProfileBody & SceneInput,
): Promise<ProfilePlan> {
  requireAllowed(actor, user, body)
  const place = planTeamSwitch(body, wish)
  const scene = planScene(body, place?.currentProjectId ?? user.projectId, dashboardProjectId)
  if (body.passkeys_enabled_for_2fa) {
    throw invalid(
      'passkeys_enabled_for_2fa',
      'You must have at least one passkey set up before enabling passkeys for 2FA.',
      'no_passkeys',
    )
  }
  const columns = {
    ...plainColumns(body),
    ...place,
    ...emailColumns(user, body),
    notificationSettings: body.notification_settings && patchOf(user, body.notification_settings),
    passwordHash: await passwordHashFor(user, body),
  }
  return { columns: withoutUndefined(columns), scene, changesPassword: body.password !== undefined }
}

/** Who may change what opens the account: never a key (decision 12). Who may make staff: staff. */
function requireAllowed(actor: Actor, user: { email: string }, body: ProfileBody): void {
  if (body.is_staff !== undefined) {
    if (!userOf(actor)?.isStaff) {
      throw permissionDenied('You are not a staff user, contact your instance admin.')
    }
    if (actor.kind === 'apiKey') throw sessionOnly('is_staff')
  }
  if (actor.kind !== 'apiKey') return
  if (body.password !== undefined) throw sessionOnly('password')
  if (body.email !== undefined && body.email !== user.email) throw sessionOnly('email')
}

const sessionOnly = (field: string) =>
  permissionDenied(`You can only change your ${field} when you are signed in, not with an API key or token.`)

/** What is stored as it was sent. */
const plainColumns = (body: ProfileBody) => ({
  firstName: body.first_name,
  lastName: body.last_name,
  anonymizeData: body.anonymize_data,
  allowImpersonation: body.allow_impersonation,
  toolbarMode: body.toolbar_mode,
  isStaff: body.is_staff,
  eventsColumnConfig: body.events_column_config,
  hasSeenProductIntroFor: body.has_seen_product_intro_for,
  themeMode: body.theme_mode,
  hedgehogConfig: body.hedgehog_config,
  allowSidebarSuggestions: body.allow_sidebar_suggestions,
  shortcutPosition: body.shortcut_position,
  roleAtOrganization: body.role_at_organization,
  passkeysEnabledFor2fa: body.passkeys_enabled_for_2fa,
  hideMcpHints: body.hide_mcp_hints,
})

/** Nobody has confirmed a new address, and there is no mail to ask with. */
const emailColumns = (user: { email: string }, { email }: ProfileBody) =>
  email === undefined || email === user.email ? {} : { email, isEmailVerified: null }

function patchOf({ settingsBytes }: ProfileFacts['user'], settings: Record<string, unknown>) {
  const patch = patchedSettings(checkNotificationSettings(settings))
  if (settingsBytes > MAX_JSON_BYTES) {
    throw invalid('notification_settings', tooManyBytes(MAX_JSON_BYTES), 'max_length')
  }
  return patch
}

const passwordHashFor = async (
  { passwordHash, email, firstName, lastName }: ProfileFacts['user'],
  { password, current_password: currentPassword }: ProfileBody,
) =>
  password === undefined
    ? undefined
    : changedHash({
        password,
        currentPassword,
        storedHash: passwordHash,
        known: [email, firstName, lastName],
      })

const withoutUndefined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
