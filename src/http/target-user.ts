// Finds the user that a path under `/api/users/:uuid/` names: the caller, or for staff another one. Other callers get the same 403 for
// every other uuid, so that it does not reveal whether the user exists.
import type { Actor, TargetUser } from '../auth/actor'
import { userOf } from '../auth/actor'
import { twoFactorRequired } from '../auth/authorize'
import { permissionDenied } from '../errors'
import type { Operation } from './operation'

const MINE_ONLY = "As a non-staff user you're only allowed to access the `@me` user instance."

/**
 * @param segment in place of `:uuid`: `@me`, the caller's uuid or, if the operation allows it to staff, another one
 * @throws 403 for another user, existing or not
 */
export function targetUserOf(
  { path, targetUser = {} }: Pick<Operation, 'path' | 'targetUser'>,
  actor: Actor | undefined,
  segment: string | undefined,
): TargetUser {
  const user = actor && userOf(actor)
  // Only these operations read the target user.
  if (!path.startsWith('/api/users/:uuid/') || !user || segment === undefined) {
    return { uuid: user?.uuid ?? '', isSelf: true }
  }
  const named = segment.toLowerCase()
  if (named === '@me' || named === user.uuid) return { uuid: user.uuid, isSelf: true }
  // A session that is limited to setting up a second factor may read no other user.
  if (actor.kind === 'session' && actor.needsTwoFactor && !actor.impersonation) throw twoFactorRequired()
  if (user.isStaff && targetUser.staff) return { uuid: named, isSelf: false }
  throw permissionDenied(targetUser.rejection ?? MINE_ONLY)
}
