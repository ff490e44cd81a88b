// Chat workspaces that projects are connected to, and which of them a user reaches.
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { memberships, organizations, projects, workspaceIntegrations } from '../../../drizzle'
import type { Database } from '../../storage/database'

/** The connected workspaces of the organizations that a user is in; every member reaches every project of theirs. */
export const selectWorkspaces = (db: Database, userId: number, where?: SQL) =>
  db
    .select({
      id: workspaceIntegrations.id,
      workspaceId: workspaceIntegrations.workspaceId,
      workspaceName: workspaceIntegrations.workspaceName,
      scopes: workspaceIntegrations.scopes,
      projectId: workspaceIntegrations.projectId,
      projectName: sql<string>`${projects.name}`.as('project_name'),
      organizationId: projects.organizationId,
      organizationName: sql<string>`${organizations.name}`.as('organization_name'),
    })
    .from(workspaceIntegrations)
    .innerJoin(projects, eq(projects.id, workspaceIntegrations.projectId))
    .innerJoin(organizations, eq(organizations.id, projects.organizationId))
    .innerJoin(
      memberships,
      and(eq(memberships.organizationId, projects.organizationId), eq(memberships.userId, userId)),
    )
    .where(where)
    .orderBy(asc(workspaceIntegrations.id))
