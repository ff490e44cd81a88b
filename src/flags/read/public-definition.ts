import { fieldsWith } from '../../flag-fields'
import type { FeedDefinition } from '../../snapshots/definitions'
import { pick } from '../state'

/** The definition of a flag as SDKs and callers get it. Deleted flags are never shown. */
export const publicDefinition = (flag: FeedDefinition, projectId: number) => ({
  id: flag.id,
  team_id: projectId,
  ...pick(flag, fieldsWith('public')),
  deleted: false,
})
