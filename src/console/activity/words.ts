// Describes entries of the activity log in words. The functions are pure.
import type { ActivityEntry } from '../api/client'

type Entry = Pick<ActivityEntry, 'activity' | 'detail'>

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

/** Describes what happened, up to the name of the item: `updated`, `enabled materialization of version 2 of`. */
export function verbWords({ activity, detail: { context } }: Entry): string {
  const isOfVersion = activity.startsWith('version_') || activity.startsWith('materialization_')
  return VERBS[activity] + (isOfVersion ? ` ${context ? `version ${context.version}` : 'a version'} of` : '')
}

/** Returns the name of the item. That of a materialization is the query's, with the version at its end. */
export const nameIn = ({ activity, detail: { name } }: Entry): string | null =>
  activity.startsWith('materialization_') ? (name?.replace(/_v\d+$/, '') ?? null) : name

/** Returns the changes that the verb does not say. */
export const changesIn = ({ activity, detail: { changes } }: Entry) =>
  changes.filter(
    ({ field }) =>
      field !== 'version' && !(field === 'deleted' && (activity === 'deleted' || activity === 'restored')),
  )
