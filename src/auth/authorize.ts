// The one tenant that decides whether a caller may do a thing: key or session, scope, what a session has to prove, membership.
import { within } from '../deadline'
import { apiErrorIn, authenticationFailed, notAuthenticated, permissionDenied } from '../errors'
import type { Deps } from '../deps'
import {
  type Tenant,
  requireKeysAllowed,
  requireMembership,
  requireKeyRestrictions,
  type Target,
} from './access'
import type { ApiKeyActor, SessionActor } from './actor'
import { MAX_KEY_LENGTH, type AuthenticatedKey, authenticateKey, secureValueOf, touchKey } from './api-keys'
import { clientOf } from './client'
import { cookieOf, SESSION_COOKIE } from './cookies'
import type { KeyCredential } from './key-credential'
import { isSafe, requireCsrfToken } from './csrf'
import { impersonationExpired, requireImpersonationRule, type ImpersonationRule } from './impersonation'
import { type RecentAuth, requireRecentAuth } from './reauthentication'
import { isUserScope, keysNotSupported, type RequiredScope, requireScope } from './scopes'
import { isTouchDue, authenticateSession, touchSession } from './sessions'

/** How long D1 may take to look up a key that outlives it. */
const OUTAGE_DEADLINE_MS = 600

/** What an operation asks of its caller. */
export interface Requirement {
  scope: RequiredScope
  impersonation: ImpersonationRule
  recentAuth?: RecentAuth
}

/** What a request shows of its caller. */
export interface Credentials {
  key: KeyCredential | null
  sessionToken: string | null
  request: Request
  /** The CSRF token of a form's hidden field; what is not a form carries it in the header `X-CSRFToken`. */
  csrfToken?: string | null
  /** The parsed body, or null when there is none that can be read. */
  body(): Promise<unknown>
}

/**
 * What a request shows that no key may make: its cookie alone.
 * @param csrfToken what the hidden field of a form holds; without one, the header counts.
 */
export const sessionCredentials = (request: Request, csrfToken: string | null = null): Credentials => ({
  key: null,
  sessionToken: cookieOf(request, SESSION_COOKIE),
  request,
  csrfToken,
  body: () => Promise.resolve(null),
})

/** The caller, and the project or organization when the operation is about one. */
export type Authorized = { actor: ApiKeyActor | SessionActor } & Tenant

/**
 * Decides whether a caller may call an operation.
 *
 * A key was put into the request on purpose, a cookie comes by itself: where both are there the key counts, but on operations that take
 * no keys, where the session does.
 * @param target the project or organization that the path names.
 * @throws 401, 403 or 404 with the reference's texts.
 */
export async function authorize(
  deps: Deps,
  credentials: Credentials,
  requirement: Requirement,
  target: Target,
): Promise<Authorized> {
  const { key, sessionToken } = credentials
  if (key && !(requirement.scope === null && sessionToken))
    return authorizeKey(deps, key, requirement.scope, target)
  if (sessionToken) return authorizeSession(deps, sessionToken, credentials, requirement, target)
  throw notAuthenticated()
}

/**
 * Decides about a key, in the order of reference/flags-api.md §15: authenticated, keys taken at all, restriction of the key, scope,
 * membership.
 * @param servesDuringOutage whether a key that was known lately is taken while D1 fails.
 * @throws 401, 403 or 404 with the reference's texts.
 */
export async function authorizeKey(
  deps: Deps,
  credential: KeyCredential,
  scope: RequiredScope,
  target: Target,
  servesDuringOutage = false,
): Promise<Authorized> {
  const recognised = await authenticateCached(deps, credential.value, target, servesDuringOutage)
  if (!recognised) throw authenticationFailed(`Personal API key found in ${credential.source} is invalid.`)
  const { actor, access } = recognised

  if (scope === null) throw keysNotSupported()
  if (access) requireKeyRestrictions(actor, access)
  // What belongs to the user alone is not narrowed by projects.
  if (target.kind !== 'project' && actor.scopedTeams.length && !isUserScope(scope)) throw projectsOnly()
  if (scope !== 'any') requireScope(actor.scopes, scope)
  const tenant = requireMembership(target, access)
  if (access) requireKeysAllowed(access)
  return { actor, ...tenant }
}

const projectsOnly = () =>
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
  // Another isolate may switch the user's project at any time: a cached answer could send a write to the wrong project.
  const isCurrent = target.kind !== 'none' && target.id === '@current'
  const cached = isCurrent ? null : keyCache.get(cacheId, now)
  if (cached) return cached

  const { revision } = keyCache
  const lookup = authenticateKey(db, secureValue, target)
  let recognised: AuthenticatedKey | null
  try {
    recognised = await (servesDuringOutage ? within(lookup, OUTAGE_DEADLINE_MS) : lookup)
  } catch (error) {
    const expired =
      servesDuringOutage && apiErrorIn(error)?.status === 503 ? keyCache.getExpired(cacheId, now) : null
    if (!expired) throw error
    return expired
  }
  if (!recognised) return null
  // Paths outside the caller's organizations are not cached: there is no limit on how many a caller can name.
  const isMember = target.kind === 'none' || (recognised.access?.membershipLevel ?? null) !== null
  if (!isCurrent && isMember) keyCache.set(cacheId, recognised, now, revision)
  deps.afterResponse(() => touchKey(db, recognised.actor.keyId, recognised.lastUsedAt, now))
  return recognised
}

/** Authenticated, not impersonating what may not be impersonated, sent by our own page, recently signed in, membership. */
async function authorizeSession(
  deps: Deps,
  token: string,
  { request, csrfToken, body }: Credentials,
  { scope, recentAuth, impersonation: rule }: Requirement,
  target: Target,
): Promise<Authorized> {
  const now = deps.clock.now()
  const recognised = await authenticateSession(deps.db, token, target, now)
  if (recognised === null) throw notAuthenticated()
  if (recognised === 'impersonation expired') throw impersonationExpired()
  const { actor, access, lastActivity } = recognised

  if (actor.impersonation) {
    const reads = isSafe(request.method) || (scope?.endsWith(':read') ?? false)
    await requireImpersonationRule(actor.impersonation, { rule, reads, body })
  }
  requireCsrfToken(request, token, csrfToken ?? request.headers.get('X-CSRFToken'))
  if (recentAuth) await requireRecentAuth(actor, recentAuth, now, body)
  if (isTouchDue(actor, lastActivity, now)) {
    deps.afterResponse(() => touchSession(deps.db, actor, clientOf(request), now))
  }
  return { actor, ...requireMembership(target, access) }
}
