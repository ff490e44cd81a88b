import type { FeedDefinition } from '../../snapshots/definitions'

/** The definition of a flag as SDKs and callers get it. Deleted flags are never shown. */
export const publicDefinition = (flag: FeedDefinition, projectId: number) => ({
  id: flag.id,
  team_id: projectId,
  name: flag.name,
  key: flag.key,
  filters: flag.filters,
  deleted: false,
  active: flag.active,
  ensure_experience_continuity: flag.ensure_experience_continuity,
  version: flag.version,
  evaluation_runtime: flag.evaluation_runtime,
  bucketing_identifier: flag.bucketing_identifier,
  evaluation_contexts: flag.evaluation_contexts,
})
