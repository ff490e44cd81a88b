// OpenID Connect sign-in at a provider, with discovery, PKCE and a nonce.
import * as oauth from 'oauth4webapi'
import { boundedText } from '../../bounded-text'

export const SIGN_IN_SCOPE = 'openid email profile'
const DEADLINE_MS = 10_000

/** Maximum bytes of each response of the provider: metadata, keys, tokens and claims. */
export const MAX_PROVIDER_BYTES = 256 * 1024

export interface OpenIdProvider {
  issuer: URL
  /** Whether HTTP is allowed, which it is only on loopback. */
  isPlain: boolean
  clientId: string
  clientSecret: string
  /** @throws for an address that may not be called. The addresses come from the provider's metadata. */
  checkAddress?(url: string): void
}

export interface SignIn {
  redirectUri: string
  state: string
  nonce: string
  codeVerifier: string
}

export interface Confirmed {
  claims: Record<string, unknown>
  /** The granted scopes, separated by spaces. */
  scope: string
}

const requestOptions = ({ isPlain, checkAddress }: OpenIdProvider) => ({
  signal: () => AbortSignal.timeout(DEADLINE_MS),
  [oauth.allowInsecureRequests]: isPlain,
  [oauth.customFetch]: (url: string, init: RequestInit) => {
    checkAddress?.(url)
    return boundedFetch(url, init)
  },
})

/** Fetches a body of limited size, because the library reads bodies whole. @throws for a body of more than MAX_PROVIDER_BYTES */
async function boundedFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const text = await boundedText(response.body, MAX_PROVIDER_BYTES)
  if (text === null) throw new Error(`the provider responded with more than ${MAX_PROVIDER_BYTES} bytes`)
  const headers = new Headers(response.headers)
  // The headers do not apply to the text, which is decoded.
  headers.delete('Content-Encoding')
  headers.delete('Content-Length')
  return new Response(text || null, { status: response.status, headers })
}

/** Reads the metadata of the provider, and follows no redirects. @throws unless the metadata is that of the issuer */
export async function discover(provider: OpenIdProvider): Promise<oauth.AuthorizationServer> {
  const { issuer } = provider
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...requestOptions(provider) })
  return oauth.processDiscoveryResponse(issuer, response)
}

/** @throws when the provider cannot be reached, or its page has an address that may not be called. */
export async function authorizationUrl(provider: OpenIdProvider, signIn: SignIn): Promise<URL> {
  const server = await discover(provider)
  const url = new URL(server.authorization_endpoint!)
  provider.checkAddress?.(url.href)
  const parameters = {
    client_id: provider.clientId,
    scope: SIGN_IN_SCOPE,
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
 * Exchanges the authorization code and validates the ID token: issuer, audience, time, nonce and signature.
 * @param callback the URL to which the browser returned
 * @param wanted claims that are read from the user-info endpoint when the ID token lacks one
 * @throws any error, which must not be shown to the caller
 */
export async function confirm(
  provider: OpenIdProvider,
  signIn: SignIn,
  callback: URL,
  wanted: readonly string[],
): Promise<Confirmed> {
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
  const isComplete = wanted.every((name) => (idToken[name] ?? null) !== null)
  const more =
    isComplete || !server.userinfo_endpoint
      ? {}
      : await oauth.processUserInfoResponse(
          server,
          client,
          idToken.sub,
          await oauth.userInfoRequest(server, client, tokens.access_token, options),
        )
  return { claims: claimsFrom(idToken, more), scope: tokens.scope ?? SIGN_IN_SCOPE }
}

type Claims = Record<string, unknown>

/** An address, and what confirms it. Entra ID has a claim of its own. */
const ADDRESS_CLAIMS = ['email', 'email_verified', 'xms_edov']

/**
 * Merges the claims of the ID token and the user-info endpoint. An address and its confirmation are taken from one of them, because each may
 * have another address: from the ID token if it has both, and otherwise from the endpoint.
 */
function claimsFrom(idToken: Claims, more: Claims): Claims {
  const has = (claims: Claims, ...names: string[]) => names.some((name) => (claims[name] ?? null) !== null)
  const isConfirmed = has(idToken, 'email') && has(idToken, 'email_verified', 'xms_edov')
  const source = isConfirmed || !has(more, 'email') ? idToken : more
  const claims: Claims = { ...more, ...idToken }
  for (const name of ADDRESS_CLAIMS) {
    delete claims[name]
    if (name in source) claims[name] = source[name]
  }
  return claims
}

/** Authenticates in the way that the provider lists first, and by default in the header (RFC 6749 §2.3.1). */
function authenticationOf(
  { clientSecret }: OpenIdProvider,
  { token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer,
): oauth.ClientAuth {
  const inBody = methods && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  return inBody ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret)
}
