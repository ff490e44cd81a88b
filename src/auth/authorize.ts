// The one place that decides whether a caller may do a thing: key or session, scope, what a session has to prove, membership.
import { within } from '../deadline'
import { apiErrorIn, authenticationFailed, notAuthenticated, permissionDenied } from '../errors'
import type { Deps } from '../deps'
import { type Place, requireKeysAllowed, requireMembership, requireReach, type Wanted } from './access'
import type { ApiKeyActor, SessionActor } from './actor'
import { MAX_KEY_LENGTH, type Recognised, recogniseKey, secureValueOf, touchKey } from './api-keys'
import { clientOf } from './client'
import { cookieOf, SESSION_COOKIE } from './cookies'
import type { Credential } from './credential'
import { isSafe, requireOwnPage } from './csrf'
import {
  impersonationExpired,
  requireAllowedWhileImpersonating,
  type WhileImpersonating,
} from './impersonation'
import { type RecentAuth, requireRecentAuth } from './recent'
import { isAboutUser, keysNotSupported, type RequiredScope, requireScope } from './scopes'
import { isTouchDue, recogniseSession, touchSession } from './sessions'

/** How long D1 may take to look up a key that outlives it. */
const OUTAGE_DEADLINE_MS = 600

/** What an operation asks of its caller. */
export interface Demand {
  scope: RequiredScope
  impersonation: WhileImpersonating
  recentAuth?: RecentAuth
}

/** What a request shows of its caller. */
export interface Presented {
  key: Credential | null
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
export const presentedBy = (request: Request, csrfToken: string | null = null): Presented => ({
  key: null,
  sessionToken: cookieOf(request, SESSION_COOKIE),
  request,
  csrfToken,
  body: () => Promise.resolve(null),
})

/** The caller, and the project or organization when the operation is about one. */
export type Authorized = { actor: ApiKeyActor | SessionActor } & Place

/**
 * Decides whether a caller may call an operation.
 *
 * A key was put into the request on purpose, a cookie comes by itself: where both are there the key counts, but on operations that take
 * no keys, where the session does.
 * @param wanted the project or organization that the path names.
 * @throws 401, 403 or 404 with the reference's texts.
 */
export async function authorize(
  deps: Deps,
  presented: Presented,
  demand: Demand,
  wanted: Wanted,
): Promise<Authorized> {
  const { key, sessionToken } = presented
  if (key && !(demand.scope === null && sessionToken)) return authorizeKey(deps, key, demand.scope, wanted)
  if (sessionToken) return authorizeSession(deps, sessionToken, presented, demand, wanted)
  throw notAuthenticated()
}

/**
 * Decides about a key, in the order of reference/flags-api.md §15: authenticated, keys taken at all, restriction of the key, scope,
 * membership.
 * @param outlivesD1 whether a key that was known lately is taken while D1 fails.
 * @throws 401, 403 or 404 with the reference's texts.
 */
export async function authorizeKey(
  deps: Deps,
  credential: Credential,
  scope: RequiredScope,
  wanted: Wanted,
  outlivesD1 = false,
): Promise<Authorized> {
  const recognised = await recogniseCached(deps, credential.value, wanted, outlivesD1)
  if (!recognised) throw authenticationFailed(`Personal API key found in ${credential.source} is invalid.`)
  const { actor, access } = recognised

  if (scope === null) throw keysNotSupported()
  if (access) requireReach(actor, access)
  // What belongs to the user alone is not narrowed by projects.
  if (wanted.kind !== 'project' && actor.scopedTeams.length && !isAboutUser(scope)) throw projectsOnly()
  if (scope !== 'any') requireScope(actor.scopes, scope)
  const place = requireMembership(wanted, access)
  if (access) requireKeysAllowed(access)
  return { actor, ...place }
}

const projectsOnly = () =>
  permissionDenied('API keys with scoped projects are only supported on project-based endpoints.')

async function recogniseCached(
  deps: Deps,
  key: string,
  wanted: Wanted,
  outlivesD1: boolean,
): Promise<Recognised | null> {
  if (key.length > MAX_KEY_LENGTH) return null
  const { keyCache, db, clock } = deps
  const now = clock.now()
  const secureValue = await secureValueOf(key)
  const cacheId = `${secureValue}:${JSON.stringify(wanted)}`
  // Another isolate may switch the user's project at any time: a cached answer could send a write to the wrong project.
  const isCurrent = wanted.kind !== 'nothing' && wanted.id === '@current'
  const cached = isCurrent ? null : keyCache.get(cacheId, now)
  if (cached) return cached

  const { revision } = keyCache
  const lookup = recogniseKey(db, secureValue, wanted)
  let recognised: Recognised | null
  try {
    recognised = await (outlivesD1 ? within(lookup, OUTAGE_DEADLINE_MS) : lookup)
  } catch (error) {
    const expired = outlivesD1 && apiErrorIn(error)?.status === 503 ? keyCache.getExpired(cacheId, now) : null
    if (!expired) throw error
    return expired
  }
  if (!recognised) return null
  // Paths outside the caller's organizations are not cached: there is no limit on how many a caller can name.
  const isMember = wanted.kind === 'nothing' || (recognised.access?.membershipLevel ?? null) !== null
  if (!isCurrent && isMember) keyCache.set(cacheId, recognised, now, revision)
  deps.afterResponse(() => touchKey(db, recognised.actor.keyId, recognised.lastUsedAt, now))
  return recognised
}

/** Authenticated, not impersonating what may not be impersonated, sent by our own page, recently signed in, membership. */
async function authorizeSession(
  deps: Deps,
  token: string,
  { request, csrfToken, body }: Presented,
  { scope, recentAuth, impersonation: rule }: Demand,
  wanted: Wanted,
): Promise<Authorized> {
  const now = deps.clock.now()
  const recognised = await recogniseSession(deps.db, token, wanted, now)
  if (recognised === null) throw notAuthenticated()
  if (recognised === 'impersonation expired') throw impersonationExpired()
  const { actor, access, lastActivity } = recognised

  if (actor.impersonation) {
    const reads = isSafe(request.method) || (scope?.endsWith(':read') ?? false)
    await requireAllowedWhileImpersonating(actor.impersonation, { rule, reads, body })
  }
  requireOwnPage(request, token, csrfToken ?? request.headers.get('X-CSRFToken'))
  if (recentAuth) await requireRecentAuth(actor, recentAuth, now, body)
  if (isTouchDue(actor, lastActivity, now)) {
    deps.afterResponse(() => touchSession(deps.db, actor, clientOf(request), now))
  }
  return { actor, ...requireMembership(wanted, access) }
}
