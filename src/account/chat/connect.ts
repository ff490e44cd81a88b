// Connecting a project to a chat workspace: what an admin says after installing the chat app there.
//
// Nothing proves that the workspace is theirs, and nothing has to: a link is made only for those whom the provider itself says to be in it.
import { and, asc, eq } from 'drizzle-orm'
import * as z from 'zod'
import { workspaceIntegrations } from '../../../drizzle'
import type { Project, User } from '../../auth/actor'
import type { Deps } from '../../deps'
import { notFound, permissionDenied } from '../../errors'
import { dateTime, text } from '../../http/fields'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { shown, stored } from '../../timestamps'
import { isAdmin } from '../organizations/standing'
import { UserSummary, userSummaryFrom, userSummarySql } from '../../auth/user-summary'

const config = {
  chat_team_id: text({ max: 64 }),
  chat_team_name: text({ max: 200, blank: true }).nullable().optional(),
  scopes: z
    .array(text({ max: 64 }))
    .max(100)
    .nullable()
    .optional(),
}

export const ConnectBody = z.object({ kind: z.literal('chat'), config: z.object(config) })

export const WorkspaceIntegration = z
  .object({
    id: z.int(),
    kind: z.literal('chat'),
    config: z.object({
      chat_team_id: z.string(),
      chat_team_name: z.string().nullable(),
      scopes: z.array(z.string()).nullable(),
    }),
    display_name: z.string(),
    created_by: UserSummary.nullable(),
    created_at: dateTime(),
  })
  .meta({ id: 'WorkspaceIntegration' })

/** The workspaces of a project, the first connected first. */
export const selectIntegrations = (db: Database, projectId: number) =>
  db
    .select({
      id: workspaceIntegrations.id,
      workspaceId: workspaceIntegrations.workspaceId,
      workspaceName: workspaceIntegrations.workspaceName,
      scopes: workspaceIntegrations.scopes,
      createdBy: userSummarySql('workspace_integrations.created_by_id').as('created_by'),
      createdAt: workspaceIntegrations.createdAt,
    })
    .from(workspaceIntegrations)
    .where(eq(workspaceIntegrations.projectId, projectId))
    .orderBy(asc(workspaceIntegrations.id))

type Row = Awaited<ReturnType<typeof selectIntegrations>>[number]

/** The record of a connected workspace. */
export const integrationFrom = (row: Row): z.output<typeof WorkspaceIntegration> => ({
  id: row.id,
  kind: 'chat',
  config: { chat_team_id: row.workspaceId, chat_team_name: row.workspaceName, scopes: row.scopes },
  display_name: row.workspaceName ?? row.workspaceId,
  created_by: userSummaryFrom(row.createdBy),
  created_at: shown(row.createdAt),
})

const adminsOnly = () => permissionDenied('Only admins can manage integrations.')

/** Connects a workspace; again, its name and scopes are renewed. @throws 403 for members below admin. */
export async function connectWorkspace(
  { db, clock }: Deps,
  user: User,
  project: Project,
  { config: { chat_team_id: workspaceId, chat_team_name, scopes } }: z.output<typeof ConnectBody>,
): Promise<z.output<typeof WorkspaceIntegration>> {
  const said = { workspaceName: chat_team_name || null, scopes: scopes ?? null }
  const [, rows] = await runIf(
    db,
    isAdmin(project.organizationId, user.id),
    [
      db
        .insert(workspaceIntegrations)
        .values({
          projectId: project.id,
          workspaceId,
          ...said,
          createdById: user.id,
          createdAt: stored(clock.now()),
        })
        .onConflictDoUpdate({
          target: [workspaceIntegrations.projectId, workspaceIntegrations.workspaceId],
          set: said,
        }),
      selectIntegrations(db, project.id),
    ],
    adminsOnly,
  )
  return integrationFrom(rows.find((row) => row.workspaceId === workspaceId)!)
}

/** Disconnects a workspace. Links of users to it stay theirs. @throws 403 for members below admin, 404. */
export async function disconnectWorkspace(
  { db }: Deps,
  user: User,
  project: Project,
  id: number,
): Promise<void> {
  const [deleted] = await runIf(
    db,
    isAdmin(project.organizationId, user.id),
    [
      db
        .delete(workspaceIntegrations)
        .where(and(eq(workspaceIntegrations.id, id), eq(workspaceIntegrations.projectId, project.id)))
        .returning({ id: workspaceIntegrations.id }),
    ],
    adminsOnly,
  )
  if (deleted.length === 0) throw notFound()
}
