// What each form of the settings page does. The verbs are those of the API.
import type { SessionActor } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid } from '../../errors'
import { firstFailure } from '../../http/validation'
import { createKey, deleteKey } from '../keys/write'
import { ProfileBody } from '../profile/body'
import { updateProfile } from '../profile/update'
import { revokeOthers, revokeSession } from '../sessions/revoke'
import { disableTwoFactor, replaceBackupCodes } from '../two-factor/manage'
import { confirmSetup, startSetup } from '../two-factor/setup'

/** The word for what was done, and what is to be shown this once. */
export interface FormResult {
  done: string
  newKey?: string
  backupCodes?: string[]
}

/** @throws ApiError for what is refused. */
export type FormAction = (deps: Deps, actor: SessionActor, form: URLSearchParams) => Promise<FormResult>

/** The fields of a form that are there, checked as the API checks them. */
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

/** By the last part of the form's path. */
export const settingsForms: Record<string, FormAction> = {
  async profile(deps, actor, form) {
    await changeProfile(deps, actor, form, ['first_name', 'last_name', 'email'])
    return { done: 'profile' }
  },
  async password(deps, actor, form) {
    await changeProfile(deps, actor, form, ['current_password', 'password'])
    return { done: 'password' }
  },
  async 'sessions/revoke'({ db }, actor, form) {
    await revokeSession(db, actor, form.get('id') ?? '')
    return { done: 'session' }
  },
  async 'sessions/revoke-others'({ db }, actor) {
    await revokeOthers(db, actor)
    return { done: 'sessions' }
  },
  async 'two-factor/start'(deps, actor) {
    await startSetup(deps, actor)
    return { done: 'setup' }
  },
  async 'two-factor/confirm'(deps, actor, form) {
    await confirmSetup(deps, actor, form.get('token') ?? '')
    return { done: 'two-factor', backupCodes: await replaceBackupCodes(deps, actor.user.id) }
  },
  async 'two-factor/backup-codes'(deps, actor) {
    return { done: 'backup-codes', backupCodes: await replaceBackupCodes(deps, actor.user.id) }
  },
  async 'two-factor/disable'(deps, actor) {
    await disableTwoFactor(deps, actor.user.id)
    return { done: 'two-factor-off' }
  },
  async 'keys/create'(deps, actor, form) {
    const label = (form.get('label') ?? '').trim()
    const scopes = form.getAll('scopes')
    if (label === '' || label.length > 40)
      throw invalid('label', 'A key needs a label of up to 40 characters.')
    if (scopes.length === 0) throw invalid('scopes', 'Choose what the key may do.')
    const key = await createKey(deps, actor.user, {
      label,
      scopes,
      scoped_teams: [],
      scoped_organizations: [],
    })
    return { done: 'key', newKey: key.value! }
  },
  async 'keys/delete'(deps, actor, form) {
    await deleteKey(deps, actor.user.id, form.get('id') ?? '')
    return { done: 'key-deleted' }
  },
}
