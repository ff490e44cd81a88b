// The id of an invite is a secret: whoever knows it comes in by it. So it is shown to those only who may invite, not to all who may read.
import { createHash } from 'node:crypto'
import { type Actor, userOf } from '../../auth/actor'
import { holds } from '../../auth/scopes'

/** Whether a caller may make invites in any organization of theirs, as far as their credential goes: staff who look as somebody may not. */
export const mayKnowInvites = (actor: Actor): boolean =>
  actor.kind === 'session'
    ? actor.impersonation === null
    : actor.kind === 'apiKey' && holds(actor.scopes, 'organization_member:write')

/** The same for what a user's record tells, which no key is kept from: one that is restricted to some places may not know of others. */
export const mayKnowInvitesOf = (actor: Actor, userId: number): boolean =>
  userOf(actor)?.id === userId &&
  mayKnowInvites(actor) &&
  !(actor.kind === 'apiKey' && (actor.scopedTeams.length > 0 || actor.scopedOrganizations.length > 0))

/** What stands for the id of an invite where it may not be known: a UUID (version 8), the same whenever it is asked for, that opens nothing. */
export function standInFor(id: string): string {
  const hex = createHash('sha256').update(`invite ${id}`).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
