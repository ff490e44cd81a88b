import type { organizationInvites } from '../../../drizzle'
import { recordActivity } from '../../activity/record'
import type { Actor } from '../../auth/actor'
import type { Deps } from '../../deps'

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
  recordActivity(deps, now, {
    organizationId,
    actor,
    scope: 'OrganizationMembership',
    itemId: '',
    verb: 'updated',
    name: targetEmail,
    changes: [
      {
        type: 'OrganizationMembership',
        action,
        field: 'invite',
        before: action === 'created' ? null : level,
        after: action === 'created' ? level : null,
      },
    ],
  })
