// Linking needs the scopes of the installation, and the project's flag `chat-app-oauth`, evaluated for the distinct id
// `chat_workspace:<workspace id>` with the property `chat_team_id` and the group `organization`. Without the flag, linking is enabled; on
// any failure it is disabled.
import type { workspaceIntegrations } from '../../../drizzle'
import type { Deps } from '../../deps'
import { evaluate } from '../../evaluation/evaluate'
import { personPropertyMap } from '../../evaluation/property-maps'

const FLAG = 'chat-app-oauth'
/** Scopes without which people cannot be found by address, for providers with scopes. */
const NEEDED_SCOPES = ['users:read', 'users:read.email']

export type ConnectedWorkspace = Pick<
  typeof workspaceIntegrations.$inferSelect,
  'projectId' | 'workspaceId' | 'scopes'
> & { organizationId: string }

/** Whether linking is enabled. A failure disables it, and nothing is thrown. */
export async function isLinkingEnabled(
  deps: Pick<Deps, 'snapshots' | 'clock'>,
  workspace: ConnectedWorkspace,
): Promise<boolean> {
  const { scopes } = workspace
  if (scopes && !NEEDED_SCOPES.every((scope) => scopes.includes(scope))) return false
  try {
    return await isFlagOn(deps, workspace)
  } catch {
    return false
  }
}

async function isFlagOn(
  { snapshots, clock }: Pick<Deps, 'snapshots' | 'clock'>,
  { projectId, organizationId, workspaceId }: ConnectedWorkspace,
): Promise<boolean> {
  const loaded = await snapshots.load(projectId)
  if (!loaded) return false
  if (!loaded.compiled.byKey.has(FLAG)) return true
  const distinctId = `chat_workspace:${workspaceId}`
  const { flags } = evaluate(
    loaded.compiled,
    {
      distinctId,
      personProperties: personPropertyMap({}, { chat_team_id: workspaceId }, distinctId),
      groups: { organization: organizationId },
      groupProperties: { organization: { $group_key: organizationId } },
    },
    { now: clock.now().getTime(), timezone: loaded.snapshot.timezone, flagKeys: [FLAG] },
  )
  return flags.get(FLAG)?.enabled ?? false
}
