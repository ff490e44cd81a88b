// Describes entries of the activity log in words. The functions are pure.
import type { ActivityEntry } from '../api/client'

type Entry = Pick<ActivityEntry, 'activity' | 'detail' | 'scope' | 'user'>

const VERBS: Readonly<Record<ActivityEntry['activity'], string>> = {
  created: 'created',
  updated: 'updated',
  deleted: 'deleted',
  restored: 'restored',
  version_created: 'created',
  version_updated: 'updated',
  materialization_enabled: 'enabled materialization of',
  materialization_disabled: 'disabled materialization of',
  persons_added_manually: 'added people to',
  person_removed_manually: 'removed a person from',
  approved: 'approved',
  rejected: 'rejected',
  canceled: 'canceled',
}

/** Members join, and may leave, by themselves. An invite is logged as a change of who may become one. */
function memberVerb({ activity, user, detail: { name, changes } }: Entry): string {
  const invite = changes.find(({ field }) => field === 'invite')
  if (invite) return invite.after === null ? 'withdrew the invite of' : 'invited'
  if (activity === 'created') return 'joined as'
  if (activity === 'deleted') return user.email === name ? 'left as' : 'removed member'
  return `${VERBS[activity]} member`
}

/** Describes what happened, up to the name of the item: `updated`, `enabled materialization of version 2 of`, `invited`. */
export function verbWords(entry: Entry): string {
  if (entry.scope === 'OrganizationMembership') return memberVerb(entry)
  const { activity, detail } = entry
  const { context } = detail
  const isOfVersion = activity.startsWith('version_') || activity.startsWith('materialization_')
  return VERBS[activity] + (isOfVersion ? ` ${context ? `version ${context.version}` : 'a version'} of` : '')
}

/** Returns the name of the item. That of a materialization is the query's, with the version at its end. */
export const nameIn = ({ activity, detail: { name } }: Pick<Entry, 'activity' | 'detail'>): string | null =>
  activity.startsWith('materialization_') ? (name?.replace(/_v\d+$/, '') ?? null) : name

/** Returns the changes that the verb does not say. */
export const changesIn = ({ activity, detail: { changes } }: Pick<Entry, 'activity' | 'detail'>) =>
  changes.filter(
    ({ field }) =>
      field !== 'version' && !(field === 'deleted' && (activity === 'deleted' || activity === 'restored')),
  )
