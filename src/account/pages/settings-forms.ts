// Actions of the forms of the settings page, by the functions of the API.
import type { SessionActor } from '../../auth/actor'
import type { Deps } from '../../deps'
import { hashToken } from '../../auth/sessions'
import { invalid } from '../../errors'
import { isUniqueViolation } from '../../storage/database'
import { firstFailure } from '../../http/validation'
import { createKey, deleteKey } from '../keys/key-write'
import { ProfileBody } from '../users/profile-body'
import { updateProfile } from '../users/profile-update'
import { revokeOthers, revokeSession } from '../sign-in/login-session'
import { disableTwoFactor, replaceBackupCodes } from '../two-factor/manage'
import { confirmSetup, startSetup } from '../two-factor/setup'

/** The `done` parameter of the redirect, and secrets to show once. */
export interface FormResult {
  done: string
  newKey?: string
  backupCodes?: string[]
}

export interface SettingsForm {
  section: string
  /** Whether a user may send it who still has to set up a second factor. */
  beforeTwoFactor?: true
  /** @throws ApiError, shown in the section. */
  run: FormAction
}

type FormAction = (deps: Deps, actor: SessionActor, form: URLSearchParams) => Promise<FormResult>

/** Validates fields as the API does; ignores absent ones. */
async function changeProfile(
  deps: Deps,
  actor: SessionActor,
  form: URLSearchParams,
  names: readonly (keyof ProfileBody)[],
): Promise<void> {
  const sent = Object.fromEntries(names.flatMap((name) => (form.has(name) ? [[name, form.get(name)]] : [])))
  const parsed = ProfileBody.safeParse(sent)
  if (!parsed.success) throw firstFailure(parsed.error, sent)
  await updateProfile(deps, actor, actor.user.id, parsed.data)
}

const changeNames: FormAction = async (deps, actor, form) => {
  await changeProfile(deps, actor, form, ['first_name', 'last_name', 'email'])
  return { done: 'profile' }
}

const changePassword: FormAction = async (deps, actor, form) => {
  await changeProfile(deps, actor, form, ['current_password', 'password'])
  return { done: 'password' }
}

const revokeOne: FormAction = async ({ db }, actor, form) => {
  await revokeSession(db, actor, form.get('id') ?? '')
  return { done: 'session' }
}

const revokeAllOthers: FormAction = async ({ db }, actor) => {
  await revokeOthers(db, actor)
  return { done: 'sessions' }
}

const startTwoFactor: FormAction = async (deps, actor) => {
  await startSetup(deps, actor)
  return { done: 'setup' }
}

const confirmTwoFactor: FormAction = async (deps, actor, form) => {
  await confirmSetup(deps, actor, form.get('token') ?? '')
  return { done: 'two-factor', backupCodes: await replaceBackupCodes(deps, actor.user.id) }
}

const renewBackupCodes: FormAction = async (deps, actor) => ({
  done: 'backup-codes',
  backupCodes: await replaceBackupCodes(deps, actor.user.id),
})

const turnOffTwoFactor: FormAction = async (deps, actor) => {
  await disableTwoFactor(deps, actor.user.id)
  return { done: 'two-factor-off' }
}

const makeKey: FormAction = async (deps, actor, form) => {
  const label = (form.get('label') ?? '').trim()
  const scopes = form.getAll('scopes')
  if (label === '' || label.length > 40) {
    throw invalid('label', 'A key needs a label of up to 40 characters.')
  }
  if (scopes.length === 0) throw invalid('scopes', 'Choose what the key may do.')
  const fields = { label, scopes, scoped_teams: [], scoped_organizations: [] }
  // A form makes one key, however often it is sent.
  const keyId = hashToken(`${actor.user.uuid} ${form.get('form') || deps.ids.secret(16)}`).slice(0, 32)
  try {
    const key = await createKey(deps, actor.user, fields, keyId)
    return { done: 'key', newKey: key.value! }
  } catch (error) {
    if (isUniqueViolation(error)) return { done: 'key-made' }
    throw error
  }
}

const removeKey: FormAction = async (deps, actor, form) => {
  await deleteKey(deps, actor.user.id, form.get('id') ?? '')
  return { done: 'key-deleted' }
}

/** By path below `/settings/`. */
export const settingsForms: Record<string, SettingsForm> = {
  profile: { section: 'profile', run: changeNames },
  password: { section: 'password-section', run: changePassword },
  'sessions/revoke': { section: 'sessions', run: revokeOne },
  'sessions/revoke-others': { section: 'sessions', run: revokeAllOthers },
  'two-factor/start': { section: 'two-factor', beforeTwoFactor: true, run: startTwoFactor },
  'two-factor/confirm': { section: 'two-factor', beforeTwoFactor: true, run: confirmTwoFactor },
  'two-factor/backup-codes': { section: 'two-factor', run: renewBackupCodes },
  'two-factor/disable': { section: 'two-factor', run: turnOffTwoFactor },
  'keys/create': { section: 'keys', run: makeKey },
  'keys/delete': { section: 'keys', run: removeKey },
}
