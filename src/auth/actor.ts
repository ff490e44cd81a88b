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
  /** Projects to which the key is restricted. Without any it is unrestricted. */
  scopedTeams: number[]
  /** Organizations to which the key is restricted. Without any it is unrestricted. */
  scopedOrganizations: string[]
}

/** A session of staff that acts as another user. */
export interface Impersonation {
  staffId: number
  reason: string
  readOnly: boolean
  /** The time of its expiry: two hours after the start, or half an hour after the last request. */
  until: string
}

export interface SessionActor {
  kind: 'session'
  /** The session's public id. */
  sessionId: string
  /** The user as whom the request acts. During impersonation, it is the impersonated one. */
  user: User
  createdAt: string
  /** The time at which the user last authenticated. */
  authenticatedAt: string
  impersonation: Impersonation | null
  /** Whether an organization of the user requires a second factor that the user does not have. */
  needsTwoFactor: boolean
}

export interface SystemActor {
  kind: 'system'
  /** The user for whom the service works. It is null or absent for work of the service itself. */
  user?: User | null
}

export type Actor = ApiKeyActor | SessionActor | SystemActor

/** The project of a request, with the caller's membership. */
export interface Project {
  id: number
  organizationId: string
  timezone: string
  /** The store of the project's events, on which its saved queries run. */
  store: AnalyticsStore
  /** One of the levels below. */
  membershipLevel: number
}

/** The organization of a request, with the caller's membership. */
export interface Organization {
  id: string
  name: string
  /** One of the levels below. */
  membershipLevel: number
}

/** The user that a path under `/api/users/:uuid/` names. */
export interface TargetUser {
  uuid: string
  /**
   * Whether the user is the caller. It is false only when staff name another user. Loading that user throws 404 for an unknown or
   * inactive one.
   */
  isSelf: boolean
}

/** Returns null for the service's own work. */
export const userOf = (actor: Actor): User | null => actor.user ?? null

/** Returns whether the caller is a key that is restricted to projects or organizations. */
export const isRestrictedKey = (actor: Actor): boolean =>
  actor.kind === 'apiKey' && (actor.scopedTeams.length > 0 || actor.scopedOrganizations.length > 0)

/** Returns whether staff act as the user. */
export const isImpersonated = (actor: Actor): boolean =>
  actor.kind === 'session' && actor.impersonation !== null

/** Returns the session, for operations that accept only sessions. */
export function sessionOf(actor: Actor): SessionActor {
  if (actor.kind !== 'session') throw new Error('only a session gets here')
  return actor
}

/**
 * A viewer reads everything in the organization and changes nothing (`authorize`). The level is falsy: compare levels, and never test
 * them for truth.
 */
export const VIEWER = 0
export const MEMBER = 1
export const ADMIN = 8
export const OWNER = 15

/** Levels of a membership. Each has the rights of those before it. */
export const LEVELS = [VIEWER, MEMBER, ADMIN, OWNER] as const
export type Level = (typeof LEVELS)[number]
