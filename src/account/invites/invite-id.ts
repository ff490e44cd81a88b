// The id of an invite is a secret: it is all that accepting the invite takes. Callers see it only if they may create such an invite.
import { type Actor, userOf } from '../../auth/actor'
import { ADMIN } from '../../auth/levels'
import { hasScope } from '../../auth/scopes'
import { uuidOf } from '../../digest-uuid'

/**
 * Whether a caller may read the id of an invite in a list, as far as their credential goes. A key reads ids of invites for members only:
 * with any other it could make an admin. Staff who impersonate somebody read none.
 */
export const canReadInviteId = (actor: Actor, level: number): boolean =>
  actor.kind === 'session'
    ? actor.impersonation === null
    : actor.kind === 'apiKey' && level < ADMIN && hasScope(actor.scopes, 'organization_member:write')

/**
 * The same for an invite in a user's record, which any key of the user may read: a key that is restricted to some organizations or projects
 * reads no ids there.
 */
export const canReadInviteIdOf = (actor: Actor, userId: number, level: number): boolean =>
  userOf(actor)?.id === userId &&
  canReadInviteId(actor, level) &&
  !(actor.kind === 'apiKey' && (actor.scopedTeams.length > 0 || actor.scopedOrganizations.length > 0))

/** A UUID in place of an invite's id: the same at every call, and of no use to accept it. */
export const maskedInviteId = (id: string): string => uuidOf(`invite ${id}`)
