// Reads the project or organization of a path, with the membership of the caller.
import { type SQL, sql } from 'drizzle-orm'
import { currentOrganizationSql, currentProjectSql } from './current-tenant'
import { authenticationFailed, invalid, notFound, permissionDenied } from '../errors'
import { ADMIN, type ApiKeyActor, MEMBER, type Organization, type Project } from './actor'

/**
 * The project or organization that a path names. `@current` is the caller's current one. A project may be named with its organization,
 * and does not exist in any other. The public token of a project names it, too: SDKs send it beside `@current`.
 */
export type Target =
  | { kind: 'project'; id: number | '@current'; organization?: string; token?: string }
  | { kind: 'organization'; id: string }
  | { kind: 'none' }

export interface Access {
  organizationId: string
  organizationName: string
  /** Whether members below admin can use keys. */
  keysAllowed: boolean
  /** The level of the membership. It is null for a caller who is no member. */
  membershipLevel: number | null
  project: Pick<Project, 'id' | 'timezone' | 'store'> | null
}

const callerId = sql`users.id`

/** SQL of the access to `target` as JSON text, in a select with `users`. It is NULL if the target does not exist. */
export function accessSql(target: Target): SQL<string | null> {
  const organization = sql`'organizationId', o.id, 'organizationName', o.name,
    'keysAllowed', o.members_can_use_personal_api_keys, 'membershipLevel', m.level`
  const membership = sql`LEFT JOIN organization_memberships m ON m.organization_id = o.id AND m.user_id = users.id`
  switch (target.kind) {
    case 'none':
      return sql`NULL`
    case 'project':
      return sql`(SELECT json_object(${organization}, 'project', json_object('id', p.id, 'timezone', p.timezone,
        'store', json_object('shard', p.shard, 'queryEngine', p.query_engine)))
        FROM projects p JOIN organizations o ON o.id = p.organization_id ${membership}
        WHERE ${projectCondition(target)}
          ${target.organization === undefined ? sql`` : sql`AND o.id = ${namedOrganization(target.organization)}`})`
    case 'organization':
      return sql`(SELECT json_object(${organization}, 'project', NULL) FROM organizations o ${membership}
        WHERE o.id = ${namedOrganization(target.id)})`
  }
}

function projectCondition({ id, token }: Target & { kind: 'project' }): SQL {
  if (token !== undefined) return sql`p.api_token = ${token}`
  return sql`p.id = ${id === '@current' ? currentProjectSql(callerId) : id}`
}

const namedOrganization = (named: string): SQL | string =>
  named === '@current' ? currentOrganizationSql(callerId) : named

/** Parses a value of `accessSql`. */
export function accessFrom(text: string | null): Access | null {
  if (text === null) return null
  const access = JSON.parse(text) as Access
  return { ...access, keysAllowed: Boolean(access.keysAllowed) }
}

export interface Tenant {
  project: Project | null
  organization: Organization | null
}

/**
 * @throws 401 for an unknown token; 404 for an unknown project or organization; 403 for non-members; 400 for a token that is not that of
 * the project in the path
 */
export function requireMembership(target: Target, access: Access | null): Tenant {
  if (target.kind === 'none') return { project: null, organization: null }
  const token = target.kind === 'project' ? target.token : undefined
  if (!access && token !== undefined) throw unknownProjectToken()
  if (!access) throw notFound(target.kind === 'project' ? 'Project not found.' : 'Organization not found.')
  const { membershipLevel, organizationId, project } = access
  if (membershipLevel === null) throw permissionDenied(`You don't have access to the ${target.kind}.`)
  if (token !== undefined && target.id !== '@current' && target.id !== project?.id)
    throw invalid('token', 'This is the token of another project than that of the path.')
  return {
    project: project && { ...project, organizationId, membershipLevel },
    organization: { id: organizationId, name: access.organizationName, membershipLevel },
  }
}

const unknownProjectToken = () =>
  authenticationFailed(
    'Incorrect authentication credentials. The parameter token is not the token of a project.',
  )

/** @throws 403 for a viewer. */
export function requireWriter({
  name,
  membershipLevel,
}: Pick<Organization, 'name' | 'membershipLevel'>): void {
  if (membershipLevel < MEMBER) throw readOnlyMembership(name)
}

export const readOnlyMembership = (organizationName: string) =>
  permissionDenied(
    `Your membership of organization '${organizationName}' is read-only (viewer). Admins and owners can change your level.`,
  )

/**
 * Enforces the projects and organizations to which a key is restricted.
 * @param named ids in the request: of others, such as that of `@current` or of a token, the error says nothing
 * @throws 403
 */
export function requireKeyRestrictions(
  actor: ApiKeyActor,
  { organizationId, project }: { organizationId: string; project: { id: number } | null },
  named: readonly unknown[],
): void {
  const denied = (kind: 'project' | 'organization', id: string | number) =>
    permissionDenied(
      `API key does not have access to the requested ${kind}${named.includes(id) ? `: ID ${id}` : ''}.`,
    )
  if (project && actor.scopedTeams.length && !actor.scopedTeams.includes(project.id))
    throw denied('project', project.id)
  if (actor.scopedOrganizations.length && !actor.scopedOrganizations.includes(organizationId))
    throw denied('organization', organizationId)
}

/** The ids in a path. */
export const namedIn = (target: Target): unknown[] =>
  target.kind === 'none' ? [] : [target.id, ...(target.kind === 'project' ? [target.organization] : [])]

/** @throws 403 if the organization allows keys only to admins. */
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
