// The id of an invite suffices to accept it: callers see it only if they can create such an invite.
import { type Actor, ADMIN, userOf } from '../../auth/actor'
import { hasScope } from '../../auth/scopes'
import { uuidOf } from '../../digest-uuid'

/**
 * A key with access to the id of an admin invite could create an admin, so keys see ids of invites for members only. Impersonating staff
 * see none.
 */
export const canReadInviteId = (actor: Actor, level: number): boolean =>
  actor.kind === 'session'
    ? actor.impersonation === null
    : actor.kind === 'apiKey' && level < ADMIN && hasScope(actor.scopes, 'organization_member:write')

/** In a user record, which any key of the user can read, restricted keys see no ids. */
export const canReadInviteIdOf = (actor: Actor, userId: number, level: number): boolean =>
  userOf(actor)?.id === userId &&
  canReadInviteId(actor, level) &&
  !(actor.kind === 'apiKey' && (actor.scopedTeams.length > 0 || actor.scopedOrganizations.length > 0))

/** A stable UUID in place of the id, useless to accept the invite. */
export const maskedInviteId = (id: string): string => uuidOf(`invite ${id}`)
