// Who is calling. Carried from the route to the activity log; nobody else asks where a request came from.
import type { AnalyticsStore } from '../storage/shards'

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

/** Staff who look at the service as somebody else. */
export interface Impersonation {
  staffId: number
  reason: string
  readOnly: boolean
  /** When it ends at the latest, as things are: two hours in all, half an hour without a request. */
  until: string
}

export interface SessionActor {
  kind: 'session'
  /** The session's public id. */
  sessionId: string
  /** In whose name the request acts: while impersonating, the other's. */
  user: User
  createdAt: string
  /** When whoever signed in last proved who they are. */
  authenticatedAt: string
  impersonation: Impersonation | null
}

export interface SystemActor {
  kind: 'system'
}

export type Actor = ApiKeyActor | SessionActor | SystemActor

/** The project that a request is about, and what the caller may do in it. */
export interface Project {
  id: number
  organizationId: string
  timezone: string
  requireEvaluationContexts: boolean
  /** Where its events are, and its saved queries run. */
  store: AnalyticsStore
  /** 1 member, 8 admin, 15 owner. */
  membershipLevel: number
}

/** The organization that a request is about, and what the caller may do in it. */
export interface Organization {
  id: string
  name: string
  /** 1 member, 8 admin, 15 owner. */
  membershipLevel: number
}

/** The user that a path under `/api/users/:uuid/` names. */
export interface TargetUser {
  uuid: string
  /** False only for staff who look at somebody else: whoever loads the user answers 404 when there is none, or none that is active. */
  isSelf: boolean
}

/** The user behind an actor, or null for the service itself. */
export const userOf = (actor: Actor): User | null => (actor.kind === 'system' ? null : actor.user)

/** The actor of an operation that takes sessions only. */
export function sessionOf(actor: Actor): SessionActor {
  if (actor.kind !== 'session') throw new Error('only a session gets here')
  return actor
}
