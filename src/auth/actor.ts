// Who is calling. Carried from the route to the activity log; nobody else asks where a request came from.

export interface User {
  id: number
  uuid: string
  email: string
  firstName: string
  isStaff: boolean
}

export interface ApiKeyActor {
  kind: 'apiKey'
  keyId: string
  user: User
  scopes: string[]
  /** Empty: unrestricted. */
  scopedTeams: number[]
  /** Empty: unrestricted. */
  scopedOrganizations: string[]
}

export interface SystemActor {
  kind: 'system'
}

export type Actor = ApiKeyActor | SystemActor

/** The project that a request is about, and what the caller may do in it. */
export interface Project {
  id: number
  organizationId: string
  timezone: string
  requireEvaluationContexts: boolean
  /** 1 member, 8 admin, 15 owner. */
  membershipLevel: number
}

/** The user behind an actor, or null for the service itself. */
export const userOf = (actor: Actor): User | null => (actor.kind === 'system' ? null : actor.user)
