import type { SQL } from 'drizzle-orm'
import type { ActivityVerb, Change } from '../../activity/entry'
import { recordActivity } from '../../activity/record'
import type { Actor } from '../../auth/actor'
import type { Deps } from '../../deps'
import type { organizationInvites } from '../../../drizzle'

export interface MemberEntry {
  organizationId: string
  /** The actor, or SQL for the id of a user whom the same batch creates. */
  actor: Actor | SQL<number>
  /** The member. Without a uuid, the entry is about the address of an invite. */
  member: { uuid: string; email: string }
  verb?: ActivityVerb
  change?: Omit<Change, 'type'>
}

/** Makes the statement that records a change of a member, or of what belongs to one, in the log of the organization. */
export const recordMember = (
  deps: Pick<Deps, 'db' | 'ids'>,
  now: Date,
  { organizationId, actor, member, verb = 'updated', change }: MemberEntry,
) =>
  recordActivity(deps, now, {
    organizationId,
    actor,
    scope: 'OrganizationMembership',
    itemId: member.uuid,
    verb,
    name: member.email,
    changes: change ? [{ type: 'OrganizationMembership', ...change }] : [],
  })

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
