import type { SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { ActivityVerb, Change } from '../../activity/entry'
import { recordActivity } from '../../activity/record'
import type { Ids } from '../../clock'
import type { ApiError } from '../../errors'
import type { Database } from '../../storage/database'
import type { Rollout } from '../filters/analysis'
import type { PayloadCipher } from '../payloads'
import type { FlagRow } from '../read/rows'
import type { Totals } from './facts'
import type { FlagWrite } from './write-types'

export interface WriteTools {
  db: Database
  ids: Ids
  cipher: PayloadCipher
  /** The maximum of live flags in a project. */
  maxFlags: number
}

/** A write that waits for approval: the batch only makes the change request. */
export interface HeldWrite {
  statements: BatchItem<'sqlite'>[]
  /** The error for the caller: 409 with the id of the request. */
  rejection: ApiError
}

/** A planned write, with what the batch does for it. */
export interface PreparedWrite {
  /** The rollout of the filters after the write. */
  rollout: Rollout
  /** What the write adds to the totals of the project's flags. */
  added: Totals
  statements: BatchItem<'sqlite'>[]
  /** The flag after the write, or the statement that reads it. */
  row: FlagRow | (BatchItem<'sqlite'> & PromiseLike<FlagRow[]>)
}

const triggerOf = (job: 'scheduled_change' | 'change_request', id: number | string) => ({
  job_type: job,
  job_id: String(id),
  payload: { [`${job}_id`]: id },
})

/** Returns the function that makes the statement of an activity entry about the flag of a write. */
export const flagEntryOf =
  (
    tools: WriteTools,
    { actor, project, now, run, approval }: FlagWrite,
    { itemId, name }: { itemId: string | SQL; name: string },
  ) =>
  (verb: ActivityVerb, changes: Change[]) =>
    recordActivity(tools, new Date(now), {
      projectId: project.id,
      actor,
      scope: 'FeatureFlag',
      itemId,
      verb,
      name,
      changes,
      ...(run && { trigger: triggerOf('scheduled_change', run.id) }),
      ...(approval && { trigger: triggerOf('change_request', approval.requestId) }),
    })
