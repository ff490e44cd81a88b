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

/** Tells readers at the edge, once the caller has the answer. Whatever becomes of it, they look for themselves within a minute. */
export const publishChange = ({ deps, project }: FlagContext) =>
  deps.afterResponse(() => deps.snapshots.publish(project.id))
