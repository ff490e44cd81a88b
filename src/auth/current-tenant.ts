// The current organization and project of a user.
import { type SQL, sql } from 'drizzle-orm'

const member = 'organization_memberships m JOIN users me ON me.id = m.user_id'

/**
 * SQL of the id of the current organization, which is always one of the user's: the chosen one, else that of the chosen project, else
 * that of the first project, else the one that the user joined first.
 */
export const currentOrganizationSql = (userId: number | SQL): SQL<string | null> => sql<
  string | null
>`coalesce(
  (SELECT m.organization_id FROM ${sql.raw(member)}
    WHERE m.user_id = ${userId} AND m.organization_id = me.current_organization_id),
  (SELECT m.organization_id FROM ${sql.raw(member)} JOIN projects p ON p.organization_id = m.organization_id
    WHERE m.user_id = ${userId} AND p.id = me.current_project_id),
  (SELECT p.organization_id FROM organization_memberships m JOIN projects p ON p.organization_id = m.organization_id
    WHERE m.user_id = ${userId} ORDER BY p.id LIMIT 1),
  (SELECT m.organization_id FROM organization_memberships m
    WHERE m.user_id = ${userId} ORDER BY m.joined_at, m.organization_id LIMIT 1))`

/** SQL of the id of the current project: the chosen one if it belongs to the current organization, else its first. */
export const currentProjectSql = (userId: number | SQL): SQL<number | null> => sql<number | null>`coalesce(
  (SELECT p.id FROM projects p JOIN users me ON me.current_project_id = p.id
    WHERE me.id = ${userId} AND p.organization_id = ${currentOrganizationSql(userId)}),
  (SELECT min(p.id) FROM projects p WHERE p.organization_id = ${currentOrganizationSql(userId)}))`
