// OpenID Connect sign-in at the chat provider, with discovery, PKCE and a nonce.
import * as oauth from 'oauth4webapi'
import { boundedText } from '../../bounded-text'
import type { ChatProvider } from './provider'

const SCOPE = 'openid email profile'
const DEADLINE_MS = 10_000

/** Of each response of the provider: its metadata, its keys, tokens and claims. */
export const MAX_PROVIDER_BYTES = 256 * 1024

/** The identity that the provider confirms. */
export type ChatIdentity = ReturnType<typeof identityFrom>

export interface SignIn {
  redirectUri: string
  state: string
  nonce: string
  codeVerifier: string
}

const requestOptions = ({ isPlain }: ChatProvider) => ({
  signal: () => AbortSignal.timeout(DEADLINE_MS),
  [oauth.allowInsecureRequests]: isPlain,
  [oauth.customFetch]: boundedFetch,
})

/** The library reads bodies whole. @throws for a body of more than MAX_PROVIDER_BYTES. */
async function boundedFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const text = await boundedText(response.body, MAX_PROVIDER_BYTES)
  if (text === null) throw new Error(`the provider responded with more than ${MAX_PROVIDER_BYTES} bytes`)
  const headers = new Headers(response.headers)
  // The text is decoded.
  headers.delete('Content-Encoding')
  headers.delete('Content-Length')
  return new Response(text || null, { status: response.status, headers })
}

async function discover(provider: ChatProvider): Promise<oauth.AuthorizationServer> {
  const { issuer } = provider
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...requestOptions(provider) })
  return oauth.processDiscoveryResponse(issuer, response)
}

/** @throws when the provider cannot be reached. */
export async function authorizationUrl(provider: ChatProvider, signIn: SignIn): Promise<URL> {
  const server = await discover(provider)
  const url = new URL(server.authorization_endpoint!)
  const parameters = {
    client_id: provider.clientId,
    scope: SCOPE,
    response_type: 'code',
    redirect_uri: signIn.redirectUri,
    state: signIn.state,
    nonce: signIn.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(signIn.codeVerifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

/**
 * Exchanges the authorization code and validates the ID token: issuer, audience, time, nonce and signature. Reads missing claims from the
 * user-info endpoint.
 * @param callback the URL to which the browser returned.
 * @throws any error; do not show it to the caller.
 */
export async function identify(provider: ChatProvider, signIn: SignIn, callback: URL): Promise<ChatIdentity> {
  const server = await discover(provider)
  const client: oauth.Client = { client_id: provider.clientId }
  const options = requestOptions(provider)
  const parameters = oauth.validateAuthResponse(server, client, callback, signIn.state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authenticationOf(provider, server),
    parameters,
    signIn.redirectUri,
    signIn.codeVerifier,
    options,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: signIn.nonce,
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(server, response, options)
  const idToken = oauth.getValidatedIdTokenClaims(tokens)!
  const { claims } = provider
  const isComplete = [claims.teamId, claims.userId].every((name) => typeof idToken[name] === 'string')
  const more =
    isComplete || !server.userinfo_endpoint
      ? {}
      : await oauth.processUserInfoResponse(
          server,
          client,
          idToken.sub,
          await oauth.userInfoRequest(server, client, tokens.access_token, options),
        )
  return identityFrom(provider, { ...more, ...idToken }, tokens.scope ?? SCOPE)
}

/** As the provider wants it; where it says nothing, in the header (RFC 6749 §2.3.1). */
function authenticationOf(
  { clientSecret }: ChatProvider,
  { token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer,
): oauth.ClientAuth {
  const inBody = methods && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  return inBody ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret)
}

/** @param scope granted scopes, separated by spaces. */
function identityFrom({ claims }: ChatProvider, confirmed: Record<string, unknown>, scope: string) {
  const text = (name: string) => {
    const value = confirmed[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const chatUserId = text(claims.userId)
  const workspaceId = text(claims.teamId)
  if (chatUserId === null || workspaceId === null)
    throw new Error('the provider confirmed no user id or workspace id')
  return { chatUserId, workspaceId, workspaceName: text(claims.teamName), email: text('email'), scope }
}
