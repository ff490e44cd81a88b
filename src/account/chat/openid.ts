// Finds out who a user is in a chat workspace, as the provider confirms it.
import { confirm, type Confirmed, type SignIn } from '../openid/sign-in'
import type { ChatProvider } from './provider'

/** The identity that the provider confirms. */
export type ChatIdentity = ReturnType<typeof identityFrom>

/**
 * @param callback the URL to which the browser returned
 * @throws any error, which must not be shown to the caller
 */
export async function identify(provider: ChatProvider, signIn: SignIn, callback: URL): Promise<ChatIdentity> {
  const { teamId, userId } = provider.claims
  return identityFrom(provider, await confirm(provider, signIn, callback, [teamId, userId]))
}

function identityFrom({ claims: names }: ChatProvider, { claims, scope }: Confirmed) {
  const text = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const chatUserId = text(names.userId)
  const workspaceId = text(names.teamId)
  if (chatUserId === null || workspaceId === null)
    throw new Error('the provider confirmed no user id or workspace id')
  return { chatUserId, workspaceId, workspaceName: text(names.teamName), email: text('email'), scope }
}
