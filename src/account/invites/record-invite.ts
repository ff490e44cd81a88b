import type { organizationInvites } from '../../../drizzle'
import type { Actor } from '../../auth/actor'
import type { Deps } from '../../deps'
import { recordMember } from '../organizations/record-member'

/** Makes the statement that records an invite. The entry has no id of an item, because the id of an invite suffices to accept it. */
export const recordInvite = (
  deps: Pick<Deps, 'db' | 'ids'>,
  now: Date,
  actor: Actor,
  {
    organizationId,
    targetEmail,
    level,
  }: Pick<typeof organizationInvites.$inferSelect, 'organizationId' | 'targetEmail' | 'level'>,
  action: 'created' | 'deleted',
) =>
  recordMember(deps, now, {
    organizationId,
    actor,
    member: { uuid: '', email: targetEmail },
    change: {
      action,
      field: 'invite',
      before: action === 'created' ? null : level,
      after: action === 'created' ? level : null,
    },
  })
