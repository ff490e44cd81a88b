// Hono's bindings and variables.
import type { Actor, Organization, Project, TargetUser } from '../auth/actor'
import type { Deps } from '../deps'

export interface AppEnv {
  Bindings: Env
  Variables: {
    deps: Deps
    requestId: string
    /** The matching pattern, for the log; paths may contain user data. */
    route: string
    actor: Actor
    project: Project
    /** Whether the operation changes something, as its scope says. */
    isWrite: boolean
    organization: Organization
    targetUser: TargetUser
  }
}
