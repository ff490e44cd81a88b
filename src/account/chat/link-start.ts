// Starts linking a chat identity (docs/reference/accounts.md#chat-links).
import { and, eq, sql } from 'drizzle-orm'
import { chatLinks, projects, workspaceIntegrations } from '../../../drizzle'
import type { Actor } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid, permissionDenied } from '../../errors'
import { currentProjectSql } from '../../auth/current-tenant'
import { reachesProject } from '../organizations/reach'
import { type ConnectedWorkspace, isLinkingEnabled } from './linking-flag'
import { START_PATH } from './paths'
import { START } from './signed-state'
import { MAX_CANDIDATES, selectWorkspaces } from './links'

/**
 * Starts a link. The default is the current project, and its first workspace that the user can link.
 * @param origin of this service, as the caller knows it
 * @returns a URL on this service that redirects to the provider, valid for 900 seconds, for this user
 * @throws 400 and 403 in upstream's order
 */
export async function startLink(
  deps: Deps,
  actor: Actor,
  userId: number,
  { teamId, chatTeamId }: { teamId: unknown; chatTeamId: string | null },
  origin: string,
): Promise<string> {
  const { db, env, clock } = deps
  const requested = projectIdFrom(teamId)
  const target = requested === null ? currentProjectSql(userId) : sql`${requested}`
  const [reached, workspaces, links] = await db.batch([
    db
      .select({ id: projects.id })
      .from(projects)
      .where(and(sql`${projects.id} = ${target}`, reachesProject(actor, userId, target))),
    selectWorkspaces(
      db,
      actor,
      userId,
      and(
        sql`${workspaceIntegrations.projectId} = ${target}`,
        chatTeamId === null ? undefined : eq(workspaceIntegrations.workspaceId, chatTeamId),
      ),
    ).limit(MAX_CANDIDATES),
    db.select({ workspaceId: chatLinks.workspaceId }).from(chatLinks).where(eq(chatLinks.userId, userId)),
  ])
  if (reached.length === 0) {
    throw invalid(
      null,
      requested === null
        ? 'No team available for this user.'
        : 'Invalid or inaccessible team_id for this user.',
    )
  }
  if (workspaces.length === 0) {
    throw invalid(
      null,
      'This project has no chat workspace connected. Ask an admin to install the chat app first.',
    )
  }
  const linked = new Set(links.map(({ workspaceId }) => workspaceId))
  const open = workspaces.filter(({ workspaceId }) => !linked.has(workspaceId))
  const workspace = await firstEnabled(deps, open.length > 0 ? open : workspaces.slice(0, 1))
  if (!workspace) throw permissionDenied('Chat identity linking is not enabled for this organization.')
  if (open.length === 0) throw invalid(null, "You're already linked to this chat workspace.")
  const { projectId: project, workspaceId } = workspace
  const state = START.sign(env, { user: userId, project, workspace: workspaceId }, clock.now())
  return `${origin}${START_PATH}?${new URLSearchParams({ state }).toString()}`
}

async function firstEnabled<Workspace extends ConnectedWorkspace>(
  deps: Deps,
  workspaces: readonly Workspace[],
): Promise<Workspace | undefined> {
  for (const workspace of workspaces) if (await isLinkingEnabled(deps, workspace)) return workspace
  return undefined
}

/** @throws 400 for a value that is not an integer. */
function projectIdFrom(sent: unknown): number | null {
  if (sent === undefined || sent === null || sent === '') return null
  if (typeof sent === 'string' && /^\s*-?\d{1,15}\s*$/.test(sent)) return Number(sent)
  if (Number.isSafeInteger(sent)) return sent as number
  throw invalid(null, 'team_id must be an integer')
}
