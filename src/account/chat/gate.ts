// Whether identities may be linked in a workspace: decided by what its installation was granted, and by a flag.
//
// The flag is one of the project that the workspace is connected to: `chat-app-oauth`, asked for the distinct id
// `chat_workspace:<workspace id>`, the property `chat_team_id` and the group `organization`. A project that has no such flag lets its workspaces be linked; one that has
// it decides with it. When that cannot be found out, the answer is no.
import type { Deps } from '../../deps'
import { evaluate } from '../../evaluation/evaluate'
import { personPropertyMap } from '../../evaluation/property-maps'

const FLAG = 'chat-app-oauth'
/** What finding people by address takes in a workspace; for providers that grant scopes to installations. */
const NEEDED_SCOPES = ['users:read', 'users:read.email']

export interface ConnectedWorkspace {
  projectId: number
  organizationId: string
  workspaceId: string
  /** Null: the provider has no such thing. */
  scopes: string[] | null
}

/** What the gate works with: flags, and the time. */
export interface GateDeps {
  snapshots: Pick<Deps['snapshots'], 'load'>
  clock: Deps['clock']
}

/** Whether identities may be linked in a workspace. Never throws: a failure is a no. */
export async function isLinkingOn(deps: GateDeps, workspace: ConnectedWorkspace): Promise<boolean> {
  const { scopes } = workspace
  if (scopes && !NEEDED_SCOPES.every((scope) => scopes.includes(scope))) return false
  try {
    return await isFlagOn(deps, workspace)
  } catch {
    return false
  }
}

async function isFlagOn(
  { snapshots, clock }: GateDeps,
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
