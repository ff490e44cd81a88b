// Decides who sees the id of an invite. The id suffices to accept the invite, so that callers see it only if they can create such an
// invite.
import { type Actor, ADMIN, isRestrictedKey, userOf } from '../../auth/actor'
import { hasScope } from '../../auth/scopes'
import { uuidOf } from '../../digest-uuid'

/**
 * Whether the caller sees ids of invites of a level. With the id of an admin invite, a key could create an admin, so that keys see those
 * of member invites only. Impersonating staff see none.
 */
export const canReadInviteId = (actor: Actor, level: number): boolean =>
  actor.kind === 'session'
    ? actor.impersonation === null
    : actor.kind === 'apiKey' && level < ADMIN && hasScope(actor.scopes, 'organization_member:write')

/**
 * Whether the caller sees the ids of invites in a user record. Any key of the user can read the record, and restricted keys see no ids.
 */
export const canReadInviteIdOf = (actor: Actor, userId: number, level: number): boolean =>
  userOf(actor)?.id === userId && canReadInviteId(actor, level) && !isRestrictedKey(actor)

/** Returns a stable UUID that replaces the id. It cannot be used to accept the invite. */
export const maskedInviteId = (id: string): string => uuidOf(`invite ${id}`)
