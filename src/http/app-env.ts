// The bindings and variables of Hono.
import type { Actor, Organization, Project, TargetUser } from '../auth/actor'
import type { Deps } from '../deps'
import type { RequestFacts } from './log/request-log'

/** The scope of a request: its services, the headers of its response, and its log entry. */
export interface RequestScope {
  readonly deps: Deps
  readonly requestId: string
  readonly url: URL
  /**
   * Ends the request: completes the headers and writes the log entry.
   * @param response with headers that can be changed
   */
  close(response: Response, facts: RequestFacts): void
}

export interface AppEnv {
  /** What routes get. They read the bindings of the platform from `deps`, because these are the same for all apps of an isolate. */
  Bindings: { open(request: Request): RequestScope }
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
