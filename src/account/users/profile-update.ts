// Updates a profile (docs/reference/accounts.md#profile). One batch reads the facts, and another one writes.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { loginChallenges, passwordResets, users } from '../../../drizzle'
import { type Actor, userOf } from '../../auth/actor'
import { currentProjectSql } from '../../auth/current-tenant'
import { endOtherSessions, isSessionOpen } from '../../auth/sessions'
import type { Deps } from '../../deps'
import { invalid, notAuthenticated, notFound } from '../../errors'
import { asBoolean } from '../../storage/columns'
import { type Database, guard, isUniqueViolation } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { countAttempt, PASSWORD_LIMIT, requireAttempt } from '../sign-in/attempt-limits'
import { isTaken, mustUseSso } from '../single-sign-on/enforcement'
import { patchedSettings } from './notification-settings'
import { selectUserRecord, userRecordFrom } from './user-record'
import type { ProfileBody } from './profile-body'
import { selectSwitchFacts } from './team-switch'
import { planProfile, type ProfilePlan, type ProfileFacts } from './profile-plan'
import { type SceneInput, selectDashboard, storeScene } from './scene'

/**
 * @returns the full record after the update
 * @throws 400 for the first violation, 401 for a session that was revoked meanwhile, 403 for fields reserved for staff, sessions or the user, 404
 * for an inactive user, 429 for a sixth current password within a minute; then nothing has changed
 */
export async function updateProfile(
  { db, clock, keyCache }: Deps,
  actor: Actor,
  userId: number,
  body: ProfileBody & SceneInput,
): Promise<ReturnType<typeof userRecordFrom>> {
  const now = clock.now()
  // Every request of a session with a password counts, also an invalid one. No password of a key is checked, and none that staff send for
  // another user, so that neither can keep the user from changing the password.
  if (body.current_password !== undefined && actor.kind !== 'apiKey' && userOf(actor)?.id === userId)
    await limitPasswords(db, userId, now)
  // After a concurrent change of the password, the retry finds that the sent password is wrong.
  return retryOnConflict(async () => {
    const facts = await loadFacts(db, actor, userId, body)
    const change = await planProfile(actor, facts, body)
    // Cached actors contain the user's name, address and staff status.
    return keyCache.forgetAfter({ userId }, () => writeChange(db, actor, userId, facts, change, now))
  })
}

async function limitPasswords(db: Database, userId: number, now: Date): Promise<void> {
  const [window] = await countAttempt(db, PASSWORD_LIMIT, userId, now)
  requireAttempt(PASSWORD_LIMIT, window!, now)
}

/** @throws 404 for an unknown or inactive user; 401 for a session that is no longer valid. */
async function loadFacts(
  db: Database,
  actor: Actor,
  userId: number,
  body: ProfileBody & SceneInput,
): Promise<ProfileFacts> {
  const [[user], [switchFacts], [dashboard]] = await db.batch([
    db
      .select({
        email: users.email,
        isStaff: users.isStaff,
        firstName: users.firstName,
        lastName: users.lastName,
        passwordHash: users.passwordHash,
        allowImpersonation: users.allowImpersonation,
        projectId: currentProjectSql(userId).as('the_project_id'),
        settingsBytes: sql<number>`octet_length(${patchedSettings(body.notification_settings ?? {})})`.as(
          'settings_bytes',
        ),
        mustUseSso: mustUseSso(sql`users.id`).as('must_use_sso'),
        isNewEmailTaken: (body.email === undefined ? sql<boolean>`FALSE` : isTaken(body.email, userId)).as(
          'is_new_email_taken',
        ),
        isOpen: asBoolean(isActorOpen(actor)).as('is_open'),
      })
      .from(users)
      .where(and(eq(users.id, userId), eq(users.isActive, true))),
    selectSwitchFacts(db, userId, body),
    selectDashboard(db, userId, actor, body.dashboard),
  ])
  if (!user) throw notFound()
  if (!user.isOpen) throw notAuthenticated()
  return { isSelf: userOf(actor)?.id === userId, user, switchFacts, dashboardProjectId: dashboard?.projectId }
}

async function writeChange(
  db: Database,
  actor: Actor,
  userId: number,
  { user }: ProfileFacts,
  { columns, scene, changesPassword }: ProfilePlan,
  now: Date,
): Promise<ReturnType<typeof userRecordFrom>> {
  const record = selectUserRecord(db, actor, userId, now)
  const { email } = columns
  const conditions = [
    isActorOpen(actor),
    ...(changesPassword
      ? [sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND password_hash IS ${user.passwordHash})`]
      : []),
    ...(email === undefined
      ? []
      : [sql`NOT ${mustUseSso(sql`${userId}`)}`, sql`NOT ${isTaken(email, userId)}`]),
  ]
  const writes = [
    guard(db, sql.join(conditions, sql` AND `)),
    ...(changesPassword ? passwordStatements(db, actor, userId) : []),
    ...(Object.keys(columns).length > 0
      ? [
          db
            .update(users)
            .set(columns as object)
            .where(eq(users.id, userId)),
        ]
      : []),
    ...(scene ? storeScene(db, userId, scene) : []),
  ]
  try {
    const results = await runBatch(db, [...writes, ...record])
    return userRecordFrom(results.slice(writes.length), actor)
  } catch (error) {
    throw isUniqueViolation(error) ? emailTaken() : error
  }
}

const isActorOpen = (actor: Actor): SQL =>
  actor.kind === 'session' ? isSessionOpen(actor.sessionId) : sql`1`

/** Statements that end other sessions and pending sign-ins. */
const passwordStatements = (db: Database, actor: Actor, userId: number) => [
  endOtherSessions(db, userId, actor.kind === 'session' ? actor.sessionId : null),
  db.delete(loginChallenges).where(eq(loginChallenges.userId, userId)),
  db.delete(passwordResets).where(eq(passwordResets.userId, userId)),
]

const emailTaken = () => invalid('email', 'There is already an account with this email address.', 'unique')
