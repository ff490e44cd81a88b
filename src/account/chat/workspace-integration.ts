// Connects projects to chat workspaces. The caller need not prove to own the workspace, because for a link the provider also confirms
// that the user is in it.
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { workspaceIntegrations } from '../../../drizzle'
import type { Project, User } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid, notFound, permissionDenied } from '../../errors'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dateTime, text } from '../../http/fields'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { toApiTimestamp, toStoredTimestamp } from '../../timestamps'
import { WORKSPACE_EXAMPLE, workspaceText } from './links'
import { isAdmin } from '../organizations/membership-guards'
import { UserSummary, userSummarySql } from '../../http/user-summary'

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

export const scopesText =
  'Scopes of the app in the workspace. If set, links need `users:read` and `users:read.email` among them. Null for providers without scopes.'

export const WorkspaceIntegrationDocs = (): SchemaDocs => ({
  description: 'A chat workspace that is connected to a project.',
  fields: {
    id: 'Id of the connection.',
    kind: 'Always `chat`.',
    config: 'The workspace.',
    'config.chat_team_id': workspaceText,
    'config.chat_team_name': 'Name of the workspace. Null if unknown.',
    'config.scopes': scopesText,
    display_name: 'Name of the workspace, else its id.',
    created_by: 'Who first connected it. Null if unknown.',
    created_at: 'When it was first connected. ISO 8601, UTC.',
  },
  example: integrationExample(),
})

export const integrationExample = () => ({
  id: 1,
  config: {
    chat_team_id: WORKSPACE_EXAMPLE,
    chat_team_name: 'Example chat',
    scopes: ['users:read', 'users:read.email'],
  },
  display_name: 'Example chat',
  created_at: '2026-04-01T08:40:00Z',
})

/** Maximum connected workspaces of a project. Each may have 100 scopes. */
export const MAX_WORKSPACES = 100

/** Selects workspaces of a project in the order of connection. */
const selectIntegrations = (db: Database, projectId: number, where?: SQL) =>
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
    .where(and(eq(workspaceIntegrations.projectId, projectId), where))
    .orderBy(asc(workspaceIntegrations.id))

type Row = Awaited<ReturnType<typeof selectIntegrations>>[number]

const integrationFrom = (row: Row): z.output<typeof WorkspaceIntegration> => ({
  id: row.id,
  kind: 'chat',
  config: { chat_team_id: row.workspaceId, chat_team_name: row.workspaceName, scopes: row.scopes },
  display_name: row.workspaceName ?? row.workspaceId,
  created_by: row.createdBy,
  created_at: toApiTimestamp(row.createdAt),
})

const adminsOnly = () => permissionDenied('Only admins can manage integrations.')

const tooMany = () =>
  invalid(
    null,
    `A project has at most ${MAX_WORKSPACES} connected workspaces. Disconnect one to connect another.`,
  )

export async function listIntegrations(
  db: Database,
  projectId: number,
): Promise<z.output<typeof WorkspaceIntegration>[]> {
  return (await selectIntegrations(db, projectId)).map(integrationFrom)
}

/** Connects a workspace, or updates its name and scopes. @throws 403 for members below admin; 400 beyond MAX_WORKSPACES */
export async function connectWorkspace(
  { db, clock }: Deps,
  user: User,
  project: Project,
  { config: { chat_team_id: workspaceId, chat_team_name, scopes } }: z.output<typeof ConnectBody>,
): Promise<z.output<typeof WorkspaceIntegration>> {
  const fields = { workspaceName: chat_team_name || null, scopes: scopes ?? null }
  const isAllowed = isAdmin(project.organizationId, user.id)
  const isIt = eq(workspaceIntegrations.workspaceId, workspaceId)
  const others = sql`(SELECT count(*) FROM ${workspaceIntegrations}
    WHERE ${workspaceIntegrations.projectId} = ${project.id} AND NOT ${isIt})`
  const [, [row]] = await runIf(
    db,
    sql`${isAllowed} AND ${others} < ${MAX_WORKSPACES}`,
    [
      db
        .insert(workspaceIntegrations)
        .values({
          projectId: project.id,
          workspaceId,
          ...fields,
          createdById: user.id,
          createdAt: toStoredTimestamp(clock.now()),
        })
        .onConflictDoUpdate({
          target: [workspaceIntegrations.projectId, workspaceIntegrations.workspaceId],
          set: fields,
        }),
      selectIntegrations(db, project.id, isIt),
    ],
    async () => {
      await runIf(db, isAllowed, [], adminsOnly)
      return tooMany()
    },
  )
  return integrationFrom(row!)
}

/** Disconnects a workspace. Links of users stay. @throws 403 for members below admin; 404 */
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
