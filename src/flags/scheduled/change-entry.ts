// What the activity log says of a scheduled change.
import type { SQL } from 'drizzle-orm'
import type { ActivityVerb, Change } from '../../activity/entry'
import { recordActivity } from '../../activity/record'
import type { FlagContext } from '../context'

export const changeEntryOf = (
  { deps, actor, project }: FlagContext,
  { id, key }: { id: number | SQL; key: string },
  verb: ActivityVerb,
  changes: Change[] = [],
) =>
  recordActivity(deps, deps.clock.now(), {
    projectId: project.id,
    actor,
    scope: 'ScheduledChange',
    itemId: typeof id === 'number' ? String(id) : id,
    verb,
    name: key,
    changes,
  })
