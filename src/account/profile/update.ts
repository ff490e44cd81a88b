// Changing a user's profile (reference §1.2–1.4): one batch reads what the rules need, one writes everything.
import { and, eq, sql } from 'drizzle-orm'
import { loginChallenges, users } from '../../../drizzle'
import type { Actor } from '../../auth/actor'
import { userOf } from '../../auth/actor'
import { currentProjectSql } from '../../auth/current-place'
import { endOtherSessions } from '../../auth/sessions'
import type { Deps } from '../../deps'
import { invalid, notFound, permissionDenied } from '../../errors'
import { type Database, guard, isUniqueViolation } from '../../storage/database'
import { optimistically } from '../../storage/optimistic'
import { runBatch } from '../../storage/run-batch'
import { checkNotificationSettings } from '../notification-settings'
import { countTry, PASSWORD_LIMIT, throttled } from '../sign-in/limits'
import { selectUserRecord, userRecordFrom } from '../user-record'
import type { ProfileBody } from './body'
import { placeFrom, selectWish } from './current-place'
import { changedHash } from './password-change'
import { sceneFrom, type SceneWish, selectDashboard, storeScene } from './scene'

/**
 * Changes what was sent of a user's profile, and stores a scene's dashboard when one was sent.
 * @returns the full record after the change.
 * @throws 400 for the first rule that is broken, 403 for what only staff, or only a session, may change, 404 for a user who is not active,
 *   429 for a sixth current password within a minute; then nothing has changed.
 */
export async function updateProfile(
  deps: Deps,
  actor: Actor,
  userId: number,
  body: ProfileBody & SceneWish,
): Promise<ReturnType<typeof userRecordFrom>> {
  const now = deps.clock.now()
  if (body.current_password !== undefined) await limitPasswords(deps.db, userId, now)
  // Two who change a password at once have not both shown the current one.
  return optimistically(() => decideAndWrite(deps, actor, userId, body, now))
}

async function decideAndWrite(
  { db }: Deps,
  actor: Actor,
  userId: number,
  body: ProfileBody & SceneWish,
  now: Date,
): Promise<ReturnType<typeof userRecordFrom>> {
  const [[user], [wish], [dashboard]] = await db.batch([
    selectForUpdate(db, userId),
    selectWish(db, userId, body),
    selectDashboard(db, userId, body.dashboard),
  ])
  if (!user) throw notFound()
  requireAllowed(actor, user, body)
  const place = placeFrom(body, wish)
  const scene = sceneFrom(body, place?.currentProjectId ?? user.projectId, dashboard?.projectId)
  if (body.passkeys_enabled_for_2fa) {
    throw invalid('passkeys_enabled_for_2fa', 'You have no passkeys to sign in with.', 'no_passkeys')
  }
  const notifications = body.notification_settings && checkNotificationSettings(body.notification_settings)
  const passwordHash =
    body.password === undefined
      ? undefined
      : await changedHash({
          password: body.password,
          currentPassword: body.current_password,
          storedHash: user.passwordHash,
          known: [user.email, user.firstName, user.lastName],
        })
  const email = body.email !== undefined && body.email !== user.email ? body.email : undefined

  const changes = withoutUndefined({
    ...columnsOf(body),
    ...place,
    passwordHash,
    email,
    // Nobody has confirmed the new address, and there is no mail to ask with.
    isEmailVerified: email === undefined ? undefined : null,
    notificationSettings:
      notifications && sql`json_patch(notification_settings, ${JSON.stringify(notifications)})`,
  })
  const keep = actor.kind === 'session' ? actor.sessionId : null
  const record = selectUserRecord(db, userId, now)
  try {
    const results = await runBatch(db, [
      ...(passwordHash === undefined ? [] : [guard(db, hasHash(userId, user.passwordHash))]),
      ...(Object.keys(changes).length ? [db.update(users).set(changes).where(eq(users.id, userId))] : []),
      ...(scene ? [storeScene(db, userId, scene)] : []),
      ...(passwordHash === undefined
        ? []
        : [
            endOtherSessions(db, userId, keep),
            db.delete(loginChallenges).where(eq(loginChallenges.userId, userId)),
          ]),
      ...record,
    ])
    return userRecordFrom(results.slice(-record.length), actor)
  } catch (error) {
    throw isUniqueViolation(error) ? emailTaken() : error
  }
}

const hasHash = (userId: number, passwordHash: string | null) =>
  sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND password_hash IS ${passwordHash})`

async function limitPasswords(db: Database, userId: number, now: Date): Promise<void> {
  const [tries] = await countTry(db, PASSWORD_LIMIT, userId, now)
  if (tries!.count > PASSWORD_LIMIT.tries) throw throttled(PASSWORD_LIMIT)
}

const selectForUpdate = (db: Database, userId: number) =>
  db
    .select({
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      passwordHash: users.passwordHash,
      projectId: currentProjectSql(userId).as('the_project_id'),
    })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.isActive, true)))

const emailTaken = () => invalid('email', 'There is already an account with this email address.', 'unique')

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

const columnsOf = (body: ProfileBody) => ({
  firstName: body.first_name,
  lastName: body.last_name,
  anonymizeData: body.anonymize_data,
  allowImpersonation: body.allow_impersonation,
  toolbarMode: body.toolbar_mode,
  isStaff: body.is_staff,
  eventsColumnConfig: body.events_column_config,
  hasSeenProductIntroFor: body.has_seen_product_intro_for,
  themeMode: body.theme_mode,
  hedgehogConfig: body.hedgehog_config as Record<string, unknown> | null | undefined,
  allowSidebarSuggestions: body.allow_sidebar_suggestions,
  shortcutPosition: body.shortcut_position,
  roleAtOrganization: body.role_at_organization,
  passkeysEnabledFor2fa: body.passkeys_enabled_for_2fa,
  hideMcpHints: body.hide_mcp_hints,
})

const withoutUndefined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
