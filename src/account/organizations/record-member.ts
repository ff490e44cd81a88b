import type { SQL } from 'drizzle-orm'
import type { ActivityVerb, Change } from '../../activity/entry'
import { recordActivity } from '../../activity/record'
import type { Actor } from '../../auth/actor'
import type { Deps } from '../../deps'

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
