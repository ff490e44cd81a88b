// Workspaces in which a user could say who they are, and has not yet (reference/account-api.md §5.1).
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { chatLinks } from '../../../drizzle'
import type { Deps } from '../../deps'
import { isLinkingOn } from './gate'
import { selectWorkspaces } from './workspaces'

export const LinkCandidate = z
  .object({
    service_team_id: z.int(),
    service_team_name: z.string(),
    service_organization_name: z.string(),
    chat_team_id: z.string(),
    chat_team_name: z.string().nullable(),
  })
  .meta({ id: 'ChatLinkCandidate' })

/** One for every project and workspace that are connected; without the workspaces that the user is linked to, or may not be. */
export async function listLinkable(deps: Deps, userId: number): Promise<z.output<typeof LinkCandidate>[]> {
  const { db } = deps
  const [workspaces, links] = await db.batch([
    selectWorkspaces(db, userId),
    db.select({ workspaceId: chatLinks.workspaceId }).from(chatLinks).where(eq(chatLinks.userId, userId)),
  ])
  const linked = new Set(links.map(({ workspaceId }) => workspaceId))
  const open = workspaces.filter(({ workspaceId }) => !linked.has(workspaceId))
  const gate = { clock: deps.clock, snapshots: loadingOnce(deps.snapshots) }
  const allowed = await Promise.all(open.map((workspace) => isLinkingOn(gate, workspace)))
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

/** A project's flags are loaded once, however many workspaces it is connected to. */
function loadingOnce(snapshots: Deps['snapshots']): Pick<Deps['snapshots'], 'load'> {
  const loads = new Map<number, ReturnType<Deps['snapshots']['load']>>()
  return {
    load(projectId) {
      const load = loads.get(projectId) ?? snapshots.load(projectId)
      loads.set(projectId, load)
      return load
    },
  }
}
