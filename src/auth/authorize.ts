// Authenticates and authorizes callers.
import { within } from '../deadline'
import { apiErrorIn, authenticationFailed, notAuthenticated, permissionDenied } from '../errors'
import type { Deps } from '../deps'
import {
  type Tenant,
  requireKeysAllowed,
  requireMembership,
  requireWriter,
  namedIn,
  requireKeyRestrictions,
  type Target,
} from './access'
import type { ApiKeyActor, SessionActor } from './actor'
import { MAX_KEY_LENGTH, type AuthenticatedKey, authenticateKey, touchKey } from './api-keys'
import { secureValueOf } from './secure-value'
import { clientOf } from './client'
import { cookieOf, SESSION_COOKIE } from './cookies'
import type { KeyCredential } from './key-credential'
import { isSafe, requireCsrfToken } from './csrf'
import { impersonationExpired, requireImpersonationRule, type ImpersonationRule } from './impersonation'
import { type RecentAuth, requireRecentAuth } from './reauthentication'
import { isUserScope, keysNotSupported, type RequiredScope, requireScope, type Scope } from './scopes'
import { isTouchDue, authenticateSession, touchSession } from './sessions'

/** The deadline for D1 if an expired cached key can be accepted instead. */
const OUTAGE_DEADLINE_MS = 600

/** What an operation requires of its caller. */
export interface Requirement {
  scope: RequiredScope
  alsoScope?: Scope
  forViewers?: true
  impersonation: ImpersonationRule
  recentAuth?: RecentAuth
  /** Whether the operation accepts a session whose user still has to set up a second factor. */
  beforeTwoFactor?: true
}

export const TWO_FACTOR_REQUIRED = 'two_factor_setup_required'

export const twoFactorRequired = () => permissionDenied('2FA setup required', TWO_FACTOR_REQUIRED)

/** The credentials of a request. */
export interface Credentials {
  key: KeyCredential | null
  sessionToken: string | null
  request: Request
  /** The CSRF token of a form. Null means that of the header `X-CSRFToken`. */
  csrfToken?: string | null
  /** Returns the parsed body, or null without a valid one. */
  body(): Promise<unknown>
}

/**
 * Returns the credentials of a request that only a session can make.
 * @param csrfToken of a form's hidden field; null means that of the header
 */
export const sessionCredentials = (request: Request, csrfToken: string | null = null): Credentials => ({
  key: null,
  sessionToken: cookieOf(request, SESSION_COOKIE),
  request,
  csrfToken,
  body: () => Promise.resolve(null),
})

export type Authorized = { actor: ApiKeyActor | SessionActor } & Tenant

/**
 * Authorizes a request. A key takes precedence over a cookie, which browsers send by themselves, except for operations that accept only
 * sessions.
 * @throws 401, 403 or 404 with upstream's texts
 */
export async function authorize(
  deps: Deps,
  credentials: Credentials,
  requirement: Requirement,
  target: Target,
): Promise<Authorized> {
  const { key, sessionToken } = credentials
  const { scope, alsoScope } = requirement
  if (key && !(scope === null && sessionToken)) {
    const authorized = await authorizeKey(deps, key, scope, target)
    if (alsoScope) requireScope(authorized.actor.scopes, alsoScope)
    return withinLevel(authorized, credentials, requirement)
  }
  if (sessionToken) {
    const authorized = await authorizeSession(deps, sessionToken, credentials, requirement, target)
    return withinLevel(authorized, credentials, requirement)
  }
  const isHeaderSent = credentials.request.headers.get('Authorization')?.trim()
  throw notAuthenticated(isHeaderSent ? BEARER_HINT : undefined)
}

/**
 * Rejects a write by a viewer in a project or an organization. The declared scope says whether an operation writes; without a scope, its
 * method does.
 * @throws 403 for a write of a viewer
 */
function withinLevel(
  authorized: Authorized,
  { request }: Credentials,
  { scope, forViewers }: Requirement,
): Authorized {
  const reads = scope === null || scope === 'any' ? isSafe(request.method) : scope.endsWith(':read')
  if (authorized.organization && !reads && !forViewers) requireWriter(authorized.organization)
  return authorized
}

const BEARER_HINT = 'Send the header as "Authorization: Bearer <personal API key>".'
const TOKEN_HINT = 'It is a project token, which only SDK endpoints take: send a personal API key (phx_…).'

/**
 * Authorizes a key. The checks are in upstream's order: key, key support, restrictions, scope, membership.
 * @param servesDuringOutage whether an expired cached key is accepted while D1 fails
 * @throws 401, 403 or 404 with upstream's texts
 */
export async function authorizeKey(
  deps: Deps,
  credential: KeyCredential,
  scope: RequiredScope,
  target: Target,
  servesDuringOutage = false,
): Promise<Authorized & { actor: ApiKeyActor }> {
  const authenticated = await authenticateCached(deps, credential.value, target, servesDuringOutage)
  if (!authenticated) throw invalidKey(credential)
  const { actor, access } = authenticated

  if (scope === null) throw keysNotSupported()
  if (access) requireKeyRestrictions(actor, access, namedIn(target))
  // Operations of a user apply the restrictions themselves.
  if (target.kind !== 'project' && actor.scopedTeams.length && !isUserScope(scope)) throw projectsOnly()
  if (scope !== 'any') requireScope(actor.scopes, scope)
  const tenant = requireMembership(target, access)
  if (access) requireKeysAllowed(access)
  return { actor, ...tenant }
}

function invalidKey({ value, source }: KeyCredential) {
  const hint = value.startsWith('phc_') ? ` ${TOKEN_HINT}` : ''
  return authenticationFailed(`Personal API key found in ${source} is invalid.${hint}`)
}

export const projectsOnly = () =>
  permissionDenied('API keys with scoped projects are only supported on project-based endpoints.')

async function authenticateCached(
  deps: Deps,
  key: string,
  target: Target,
  servesDuringOutage: boolean,
): Promise<AuthenticatedKey | null> {
  if (key.length > MAX_KEY_LENGTH) return null
  const { keyCache, db, clock } = deps
  const now = clock.now()
  const secureValue = await secureValueOf(key)
  const cacheId = `${secureValue}:${JSON.stringify(target)}`
  // `@current` is not cached: another isolate can switch the user's project, and a cached entry could direct a write to the wrong one. Nor is
  // a project that its token names, because a caller can have any number of ids in the path beside it.
  const isUncached =
    target.kind !== 'none' &&
    (target.id === '@current' ||
      (target.kind === 'project' && (target.organization === '@current' || target.token !== undefined)))
  const cached = isUncached ? null : keyCache.get(cacheId, now)
  if (cached) return cached

  const { revision } = keyCache
  const lookup = authenticateKey(db, secureValue, target)
  let authenticated: AuthenticatedKey | null
  try {
    authenticated = await (servesDuringOutage ? within(lookup, OUTAGE_DEADLINE_MS) : lookup)
  } catch (error) {
    const expired =
      servesDuringOutage && apiErrorIn(error)?.status === 503 ? keyCache.getExpired(cacheId, now) : null
    if (!expired) throw error
    return expired
  }
  if (!authenticated) return null
  // Paths outside the caller's organizations are not cached, because a caller can name any number of them.
  const isMember = target.kind === 'none' || (authenticated.access?.membershipLevel ?? null) !== null
  if (!isUncached && isMember) keyCache.set(cacheId, authenticated, now, revision)
  deps.afterResponse(() => touchKey(db, authenticated.actor.keyId, authenticated.lastUsedAt, now))
  return authenticated
}

/** Whether an operation only reads, whatever its method. */
export const onlyReads = (method: string, scope: RequiredScope): boolean =>
  isSafe(method) || (scope?.endsWith(':read') ?? false)

/** Authorizes a session by its impersonation rule, CSRF token, second factor, recent authentication and membership. */
async function authorizeSession(
  deps: Deps,
  token: string,
  { request, csrfToken, body }: Credentials,
  { scope, recentAuth, impersonation: rule, beforeTwoFactor }: Requirement,
  target: Target,
): Promise<Authorized> {
  const now = deps.clock.now()
  const authenticated = await authenticateSession(deps.db, token, target, now)
  if (authenticated === null) throw notAuthenticated()
  if (authenticated === 'impersonation expired') throw impersonationExpired()
  const { actor, access, lastActivity } = authenticated

  if (actor.impersonation) {
    const reads = onlyReads(request.method, scope)
    await requireImpersonationRule(actor.impersonation, { rule, reads, body })
  }
  requireCsrfToken(request, token, csrfToken ?? request.headers.get('X-CSRFToken'))
  if (actor.needsTwoFactor && !actor.impersonation && !beforeTwoFactor) throw twoFactorRequired()
  if (recentAuth) await requireRecentAuth(actor, recentAuth, now, body)
  if (isTouchDue(actor, lastActivity, now)) {
    deps.afterResponse(() => touchSession(deps.db, actor, clientOf(request), now))
  }
  return { actor, ...requireMembership(target, access) }
}
