// What every verb on flags works with.
import type { Actor, Project } from '../auth/actor'
import type { Deps } from '../deps'
import { createPayloadCipher } from './payload-cipher'
import type { Viewer } from './record'

export interface FlagContext {
  deps: Deps
  actor: Actor
  project: Project
}

/** The caller, as the one who will see a record. */
export const viewerOf = ({ deps, actor, project }: FlagContext): Viewer => ({
  actor,
  project,
  now: deps.clock.now(),
  cipher: createPayloadCipher(deps.env.PAYLOAD_KEYS),
})

/** Publishes a change that was just committed, for every reader (decision 35). Never throws. */
export const publishChange = ({ deps, project }: FlagContext) => deps.snapshots.publish(project.id)
