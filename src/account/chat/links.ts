// Links of users to chat identities, and workspaces that they can link (docs/reference/accounts.md#chat-links).
import { and, asc, eq, not, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { ada, organization, project } from '../../http/docs/examples'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dateTime } from '../../http/fields'
import { chatLinks, memberships, organizations, projects, workspaceIntegrations } from '../../../drizzle'
import { type Actor, isRestrictedKey } from '../../auth/actor'
import type { Deps } from '../../deps'
import { notFound } from '../../errors'
import type { Database } from '../../storage/database'
import { toApiTimestamp } from '../../timestamps'
import { isInReach, isProjectInReach, reachesProject } from '../organizations/reach'
import { isLinkingEnabled } from './linking-flag'

export const ChatLink = z
  .object({
    id: z.uuid(),
    kind: z.literal('chat'),
    chat_user_id: z.string(),
    chat_team_id: z.string(),
    chat_team_name: z.string().nullable(),
    chat_email_at_link: z.string().nullable(),
    created_at: dateTime(),
  })
  .meta({ id: 'ChatLink' })

export const WORKSPACE_EXAMPLE = 'T0123456789'
export const workspaceText = 'Id of the workspace at the chat provider.'

export const ChatLinkDocs = (): SchemaDocs => ({
  description: 'The identity of a user in a chat workspace, as the provider confirmed it.',
  fields: {
    id: 'Id of the link.',
    kind: 'Always `chat`.',
    chat_user_id: 'Id of the user at the chat provider.',
    chat_team_id: workspaceText,
    chat_team_name: 'Name of the workspace when linked. Null if unknown.',
    chat_email_at_link: 'Email address at the provider when linked. Null if unknown.',
    created_at: 'When the identity was first linked. ISO 8601, UTC.',
  },
  example: linkExample(),
})

export const linkExample = () => ({
  id: '019d483c-3ac0-7136-9725-3edc61818799',
  chat_user_id: 'U0123456789',
  chat_team_id: WORKSPACE_EXAMPLE,
  chat_team_name: 'Example chat',
  chat_email_at_link: ada.email,
  created_at: '2026-04-01T08:50:00Z',
})

/**
 * SQL condition on a link of a user: for a key, that it reaches a project which is connected to the workspace. Without a restriction it also
 * has links to workspaces that no project of the user's organizations is connected to.
 */
function isLinkInReach(actor: Actor, userId: number): SQL | undefined {
  if (actor.kind !== 'apiKey') return undefined
  const isConnectedTo = (condition: SQL) =>
    sql`${chatLinks.workspaceId} IN (SELECT w.workspace_id FROM workspace_integrations w WHERE ${condition})`
  const isOfUser = sql`EXISTS (SELECT 1 FROM projects p JOIN organization_memberships m ON m.organization_id = p.organization_id
    WHERE p.id = w.project_id AND m.user_id = ${userId})`
  return or(
    isConnectedTo(reachesProject(actor, userId, sql`w.project_id`)),
    isRestrictedKey(actor) ? undefined : not(isConnectedTo(isOfUser)),
  )
}

/** Lists the links of a user, oldest first. */
export async function listLinks(
  db: Database,
  actor: Actor,
  userId: number,
): Promise<z.output<typeof ChatLink>[]> {
  const rows = await db
    .select()
    .from(chatLinks)
    .where(and(eq(chatLinks.userId, userId), isLinkInReach(actor, userId)))
    .orderBy(asc(chatLinks.createdAt), asc(chatLinks.id))
  return rows.map((row) => ({
    id: row.id,
    kind: 'chat',
    chat_user_id: row.chatUserId,
    chat_team_id: row.workspaceId,
    chat_team_name: row.workspaceName,
    chat_email_at_link: row.emailAtLink,
    created_at: toApiTimestamp(row.createdAt),
  }))
}

/** @throws 404 for an identity that the user is not linked to. */
export async function unlink(db: Database, actor: Actor, userId: number, chatUserId: string): Promise<void> {
  const deleted = await db
    .delete(chatLinks)
    .where(
      and(eq(chatLinks.userId, userId), eq(chatLinks.chatUserId, chatUserId), isLinkInReach(actor, userId)),
    )
    .returning({ id: chatLinks.id })
  if (deleted.length === 0) throw notFound('No chat link found for this chat user id.')
}

export const LinkCandidate = z
  .object({
    service_team_id: z.int(),
    service_team_name: z.string(),
    service_organization_name: z.string(),
    chat_team_id: z.string(),
    chat_team_name: z.string().nullable(),
  })
  .meta({ id: 'ChatLinkCandidate' })

export const LinkCandidateDocs = (): SchemaDocs => ({
  description: 'A chat workspace that a user can link, with a project that is connected to it.',
  fields: {
    service_team_id: 'Id of the project.',
    service_team_name: 'Name of the project.',
    service_organization_name: 'Name of the organization of the project.',
    chat_team_id: workspaceText,
    chat_team_name: 'Name of the workspace. Null if unknown.',
  },
  example: {
    service_team_id: project.id,
    service_team_name: project.name,
    service_organization_name: organization.name,
    chat_team_id: WORKSPACE_EXAMPLE,
    chat_team_name: 'Example chat',
  },
})

/** Maximum connected workspaces that are considered for a link. A flag is evaluated for each. */
export const MAX_CANDIDATES = 100

/** Lists one candidate for each project and connected workspace, without workspaces that the user has linked or cannot link. */
export async function listLinkable(
  deps: Deps,
  actor: Actor,
  userId: number,
): Promise<z.output<typeof LinkCandidate>[]> {
  const open = await selectWorkspaces(
    deps.db,
    actor,
    userId,
    sql`${workspaceIntegrations.workspaceId} NOT IN (SELECT l.workspace_id FROM chat_links l WHERE l.user_id = ${userId})`,
  ).limit(MAX_CANDIDATES)
  const allowed = await Promise.all(open.map((workspace) => isLinkingEnabled(deps, workspace)))
  return open
    .filter((_, index) => allowed[index])
    .map((workspace) => ({
      service_team_id: workspace.projectId,
      service_team_name: workspace.projectName,
      service_organization_name: workspace.organizationName,
      chat_team_id: workspace.workspaceId,
      chat_team_name: workspace.workspaceName,
    }))
}

/** Selects the connected workspaces of all projects of a user's organizations that the caller reaches. */
export const selectWorkspaces = (db: Database, actor: Actor, userId: number, where?: SQL) =>
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
    .where(and(where, isInReach(actor), isProjectInReach(actor)))
    .orderBy(asc(workspaceIntegrations.id))
