// What a path names, seen with the caller's membership in it. Both kinds of callers read it in the round trip that recognises them.
import { type SQL, sql } from 'drizzle-orm'
import { currentOrganizationSql, currentProjectSql } from './current-tenant'
import { notFound, permissionDenied } from '../errors'
import type { ApiKeyActor, Organization, Project } from './actor'
import { ADMIN } from './levels'

/** The project or organization that a path names; `@current` for the one that the caller works in. */
export type Target =
  | { kind: 'project'; id: number | '@current' }
  | { kind: 'organization'; id: string }
  | { kind: 'none' }

/** An organization, and within it a project when one was asked for. */
export interface Access {
  organizationId: string
  organizationName: string
  /** Whether members below admin may use keys. */
  keysAllowed: boolean
  /** Null: not a member. */
  membershipLevel: number | null
  project: Pick<Project, 'id' | 'timezone' | 'requireEvaluationContexts' | 'store'> | null
}

/** The caller's id, in a select that has `users`. */
const callerId = sql`users.id`

/** SQL for what is target, as one JSON text; null when there is no such thing. Stands in a select that has `users`. */
export function accessSql(target: Target): SQL<string | null> {
  const organization = sql`'organizationId', o.id, 'organizationName', o.name,
    'keysAllowed', o.members_can_use_personal_api_keys, 'membershipLevel', m.level`
  const membership = sql`LEFT JOIN organization_memberships m ON m.organization_id = o.id AND m.user_id = users.id`
  switch (target.kind) {
    case 'none':
      return sql`NULL`
    case 'project':
      return sql`(SELECT json_object(${organization}, 'project', json_object('id', p.id, 'timezone', p.timezone,
        'requireEvaluationContexts', p.require_evaluation_contexts,
        'store', json_object('shard', p.shard, 'queryEngine', p.query_engine)))
        FROM projects p JOIN organizations o ON o.id = p.organization_id ${membership}
        WHERE p.id = ${target.id === '@current' ? currentProjectSql(callerId) : target.id})`
    case 'organization':
      return sql`(SELECT json_object(${organization}, 'project', NULL) FROM organizations o ${membership}
        WHERE o.id = ${target.id === '@current' ? currentOrganizationSql(callerId) : target.id})`
  }
}

/** Reads what `accessSql` gave. */
export function accessFrom(text: string | null): Access | null {
  if (text === null) return null
  const access = JSON.parse(text) as Access
  const { project } = access
  return {
    ...access,
    keysAllowed: Boolean(access.keysAllowed),
    project: project && { ...project, requireEvaluationContexts: Boolean(project.requireEvaluationContexts) },
  }
}

/** What a request is about, once the caller may be there. */
export interface Tenant {
  project: Project | null
  organization: Organization | null
}

/**
 * The place that a member may act in.
 * @throws 404 when what is target does not exist, 403 for those who are not members.
 */
export function requireMembership(target: Target, access: Access | null): Tenant {
  if (target.kind === 'none') return { project: null, organization: null }
  if (!access) throw notFound(target.kind === 'project' ? 'Project not found.' : 'Organization not found.')
  const { membershipLevel, organizationId, project } = access
  if (membershipLevel === null) throw permissionDenied(`You don't have access to the ${target.kind}.`)
  return {
    project: project && { ...project, organizationId, membershipLevel },
    organization: { id: organizationId, name: access.organizationName, membershipLevel },
  }
}

/**
 * Keeps a key within what it is restricted to (reference/account-api.md §10.5).
 * @throws 403 that names what is out of reach.
 */
export function requireKeyRestrictions(actor: ApiKeyActor, { organizationId, project }: Access): void {
  if (project && actor.scopedTeams.length && !actor.scopedTeams.includes(project.id)) {
    throw permissionDenied(`API key does not have access to the requested project: ID ${project.id}.`)
  }
  if (actor.scopedOrganizations.length && !actor.scopedOrganizations.includes(organizationId)) {
    throw permissionDenied(
      `API key does not have access to the requested organization: ID ${organizationId}.`,
    )
  }
}

/** @throws 403 where an organization lets only its admins use keys. */
export function requireKeysAllowed({
  keysAllowed,
  membershipLevel,
  organizationName,
}: Pick<Access, 'keysAllowed' | 'membershipLevel' | 'organizationName'>): void {
  if (keysAllowed || membershipLevel === null || membershipLevel >= ADMIN) return
  throw permissionDenied(
    `Organization '${organizationName}' does not allow using personal API keys. ` +
      'Contact an admin to enable personal API keys for this organization.',
  )
}
