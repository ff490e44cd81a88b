// The one place that decides whether a caller may do a thing: key, scope, restriction of the key, membership.
import { authenticationFailed, notAuthenticated, notFound, permissionDenied } from '../errors'
import type { Deps } from '../deps'
import type { ApiKeyActor, Project } from './actor'
import { type ProjectAccess, type Recognised, recognise, secureValueOf, touchKey } from './api-keys'
import type { Credential } from './credential'
import { keysNotSupported, type RequiredScope, requireScope } from './scopes'

const ADMIN = 8

/** The caller, and the project when the operation is about one. */
export interface Authorized {
  actor: ApiKeyActor
  project: Project | null
}

/**
 * Decides whether the holder of `credential` may call an operation, in the order of reference §15: authenticated, keys taken at
 * all, restriction of the key, scope, membership.
 * @param wanted the project that the path names: an id, `@current`, or null for operations outside projects.
 * @throws 401, 403 or 404 with the reference's texts.
 */
export async function authorize(
  deps: Deps,
  credential: Credential | null,
  scope: RequiredScope,
  wanted: number | '@current' | null,
): Promise<Authorized> {
  if (!credential) throw notAuthenticated()
  const recognised = await recogniseCached(deps, credential.value, wanted)
  if (!recognised) {
    throw authenticationFailed(`Personal API key found in ${credential.source} is invalid.`)
  }
  const { actor, project } = recognised

  if (scope === null) throw keysNotSupported()
  if (wanted === null) {
    requireScope(actor.scopes, scope)
    return { actor, project: null }
  }
  if (project) requireReach(actor, project)
  requireScope(actor.scopes, scope)
  if (!project) throw notFound('Project not found.')
  return { actor, project: requireMembership(project) }
}

async function recogniseCached(
  deps: Deps,
  key: string,
  wanted: number | '@current' | null,
): Promise<Recognised | null> {
  const now = deps.clock.now()
  const secureValue = await secureValueOf(key)
  const cacheId = `${secureValue}:${wanted}`
  const cached = deps.keyCache.get(cacheId, now)
  if (cached) return cached

  const recognised = await recognise(deps.db, secureValue, wanted)
  if (!recognised) return null
  deps.keyCache.set(cacheId, recognised, now)
  deps.afterResponse(() => touchKey(deps.db, recognised.actor.keyId, recognised.lastUsedAt, now))
  return recognised
}

function requireReach(actor: ApiKeyActor, project: ProjectAccess): void {
  if (actor.scopedTeams.length && !actor.scopedTeams.includes(project.id)) {
    throw permissionDenied(`API key does not have access to the requested project: ID ${project.id}.`)
  }
  if (actor.scopedOrganizations.length && !actor.scopedOrganizations.includes(project.organizationId)) {
    throw permissionDenied(
      `API key does not have access to the requested organization: ID ${project.organizationId}.`,
    )
  }
}

function requireMembership(project: ProjectAccess): Project {
  const { membershipLevel } = project
  if (membershipLevel === null) throw permissionDenied("You don't have access to the project.")
  if (!project.keysAllowed && membershipLevel < ADMIN) {
    throw permissionDenied(
      `Organization '${project.organizationName}' does not allow using personal API keys. ` +
        'Contact an admin to enable personal API keys for this organization.',
    )
  }
  return {
    id: project.id,
    organizationId: project.organizationId,
    timezone: project.timezone,
    requireEvaluationContexts: project.requireEvaluationContexts,
    membershipLevel,
  }
}
