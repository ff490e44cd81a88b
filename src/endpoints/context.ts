// Context of the operations on endpoints.
import type { Actor, Project } from '../auth/actor'
import type { Deps } from '../deps'

export interface EndpointContext {
  deps: Deps
  actor: Actor
  project: Project
  /** The request's URL, because records contain absolute links. */
  url: URL
}
