// Browser steps of linking a chat identity (docs/reference/accounts.md#chat-links). The authorization code is used only after signature,
// session and single use of the state are checked.
import { and, eq, sql } from 'drizzle-orm'
import { chatLinks, projects, workspaceIntegrations } from '../../../drizzle'
import type { SessionActor } from '../../auth/actor'
import type { Deps } from '../../deps'
import { toStoredTimestamp } from '../../timestamps'
import { consumeState } from '../openid/used-state'
import { isLinkingEnabled } from './linking-flag'
import type { ChatIdentity } from './openid'
import { CALLBACK_PATH, LinkError, linkError } from './paths'
import { type ChatProvider, chatProvider } from './provider'
import { bindingsOf, CALLBACK, START, STATE_SECONDS } from './signed-state'

/** Matches error codes of the provider that are passed on. */
const ERROR_CODE = /^[\w.-]{1,64}$/

/** Returns the provider's sign-in URL. @throws LinkError */
export async function beginSignIn(deps: Deps, session: SessionActor, url: URL): Promise<URL> {
  const { env, ids, clock } = deps
  const now = clock.now()
  const state = START.verify(env, url.searchParams.get('state'), now)
  if (!state) throw linkError('invalid_state')
  if (!isOwn(session, state.user)) throw linkError('session_mismatch')
  await findWorkspace(deps, state)
  const provider = chatProvider(env)
  if (!provider) throw linkError('not_configured')
  const { user, project, workspace } = state
  const binding = { id: ids.secret(16), session: session.sessionId }
  const signed = CALLBACK.sign(env, { user, project, workspace, ...binding }, now)
  const signIn = { redirectUri: redirectUriOf(url), state: signed, ...bindingsOf(env, binding) }
  try {
    const { authorizationUrl } = await import('../openid/sign-in')
    return await authorizationUrl(provider, signIn)
  } catch {
    throw linkError('exchange_failed')
  }
}

/** Stores the identity that the provider confirms. @throws LinkError; then nothing is stored */
export async function completeSignIn(deps: Deps, session: SessionActor, url: URL): Promise<void> {
  const { env, clock } = deps
  const error = url.searchParams.get('error')
  if (error) throw new LinkError(ERROR_CODE.test(error) ? error : 'invalid_state')
  const token = url.searchParams.get('state')
  const state = CALLBACK.verify(env, token, clock.now())
  if (!state || !url.searchParams.get('code')) throw linkError('invalid_state')
  // Upstream checks this last. Here it is first, so that the code of another user is never used.
  if (!isOwn(session, state.user) || session.sessionId !== state.session) throw linkError('session_mismatch')
  await findWorkspace(deps, state)
  const provider = chatProvider(env)
  if (!provider) throw linkError('not_configured')
  const expiresAt = new Date(clock.now().getTime() + STATE_SECONDS * 1000)
  await consumeState(deps.db, state.id, expiresAt, () => linkError('invalid_state'))

  const identity = await exchange(provider, url, token!, bindingsOf(env, state))
  if (identity.workspaceId !== state.workspace) throw linkError('team_mismatch')
  // The user may have been removed since the link was started.
  if (!(await isStillMember(deps, session.user.id, state.project))) throw linkError('org_mismatch')
  await recordLink(deps, session.user.id, identity)
}

/** Whether the session belongs to the user. An impersonation of the user does not count. */
const isOwn = ({ user, impersonation }: SessionActor, userId: number) =>
  impersonation === null && user.id === userId

const redirectUriOf = ({ origin }: URL) => `${origin}${CALLBACK_PATH}`

async function exchange(
  provider: ChatProvider,
  url: URL,
  state: string,
  bindings: { nonce: string; codeVerifier: string },
): Promise<ChatIdentity> {
  try {
    const { identify } = await import('./openid')
    return await identify(provider, { redirectUri: redirectUriOf(url), state, ...bindings }, url)
  } catch {
    throw linkError('exchange_failed')
  }
}

/** @throws LinkError unless the workspace is still connected and linking is enabled. */
async function findWorkspace(
  deps: Deps,
  { project, workspace }: { project: number; workspace: string },
): Promise<void> {
  const [row] = await deps.db
    .select({
      projectId: workspaceIntegrations.projectId,
      workspaceId: workspaceIntegrations.workspaceId,
      scopes: workspaceIntegrations.scopes,
      organizationId: projects.organizationId,
    })
    .from(workspaceIntegrations)
    .innerJoin(projects, eq(projects.id, workspaceIntegrations.projectId))
    .where(
      and(eq(workspaceIntegrations.projectId, project), eq(workspaceIntegrations.workspaceId, workspace)),
    )
  if (!row) throw linkError('workspace_not_found')
  if (!(await isLinkingEnabled(deps, row))) throw linkError('flag_off')
}

async function isStillMember({ db }: Deps, userId: number, projectId: number): Promise<boolean> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        eq(projects.id, projectId),
        sql`EXISTS (SELECT 1 FROM organization_memberships m
          WHERE m.organization_id = projects.organization_id AND m.user_id = ${userId})`,
      ),
    )
  return rows.length > 0
}

/**
 * Stores a link, or updates it.
 * @throws LinkError when the user has a link to another workspace under the same id at the provider, because it would be replaced
 */
async function recordLink({ db, ids, clock }: Deps, userId: number, identity: ChatIdentity): Promise<void> {
  const now = clock.now()
  const at = toStoredTimestamp(now)
  const fields = {
    workspaceId: identity.workspaceId,
    workspaceName: identity.workspaceName,
    emailAtLink: identity.email,
    scope: identity.scope,
    linkedAt: at,
  }
  const recorded = await db
    .insert(chatLinks)
    .values({ id: ids.uuid(now), userId, chatUserId: identity.chatUserId, createdAt: at, ...fields })
    .onConflictDoUpdate({
      target: [chatLinks.userId, chatLinks.chatUserId],
      set: fields,
      setWhere: eq(chatLinks.workspaceId, identity.workspaceId),
    })
    .returning({ id: chatLinks.id })
  if (recorded.length === 0) throw linkError('identity_linked')
}
