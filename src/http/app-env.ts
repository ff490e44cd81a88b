// What the middleware leaves for the route, in Hono's terms.
import type { Actor, Organization, Project, TargetUser } from '../auth/actor'
import type { Deps } from '../deps'

export interface AppEnv {
  Bindings: Env
  Variables: {
    deps: Deps
    requestId: string
    /** The pattern that matched, for the log: never the path itself, which may carry what a user typed. */
    route: string
    actor: Actor
    project: Project
    organization: Organization
    targetUser: TargetUser
  }
}
