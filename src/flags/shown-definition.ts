// A flag's definition as callers get it who evaluate, or want to know what they are given.
import type { FeedDefinition } from '../snapshots/definitions'

/** The members that every such answer has. Deleted flags are in none. */
export const shownDefinition = (flag: FeedDefinition, projectId: number) => ({
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
