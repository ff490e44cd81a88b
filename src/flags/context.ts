import type { Actor, Project } from '../auth/actor'
import type { Deps } from '../deps'
import { createPayloadCipher, type PayloadCipher } from './payloads'

/** Caller and project of a flag operation. */
export interface FlagContext {
  deps: Deps
  actor: Actor
  project: Project
}

/** The caller, as the reader of records. */
export interface Viewer {
  actor: Actor
  project: Pick<Project, 'membershipLevel'>
  now: Date
  cipher: PayloadCipher
}

export const viewerOf = ({ deps, actor, project }: FlagContext): Viewer => ({
  actor,
  project,
  now: deps.clock.now(),
  cipher: createPayloadCipher(deps.env),
})

/** Publishes a committed change, so that the next request in this location sees it. It never throws. */
export const publishChange = ({ deps, project }: FlagContext) => deps.snapshots.publish(project.id)
