// Responses of the chat provider: its metadata, tokens, keys and claims, each in turn hostile.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { identify } from '../../../../src/account/chat/openid'
import type { ChatProvider } from '../../../../src/account/chat/provider'
import { MAX_PROVIDER_BYTES } from '../../../../src/account/openid/sign-in'
import type { UnknownObject } from '../../../../src/json'
import { itGrowsLinearly } from '../entry-growth'
import { type Entry, entry, mapped, type Shapes, TEXTS, VALUES } from '../shapes'

const CLIENT = 'halyard'
const SIGN_IN = {
  redirectUri: 'http://localhost/complete/chat-link/',
  state: 'state',
  nonce: 'nonce',
  codeVerifier: 'v'.repeat(64),
}
const KEY_ID = 'one'

/** What the provider responds with, by path; what is not given is right. */
interface Responses {
  metadata?: UnknownObject | string
  token?: UnknownObject | string
  keys?: UnknownObject | string
  user?: UnknownObject | string
  /** Claims of the ID token, besides those that are right. */
  claims?: UnknownObject
}

let running: Promise<{ issuer: string; keyPair: CryptoKeyPair }> | undefined
let responses: Responses = {}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function idToken(issuer: string, { privateKey }: CryptoKeyPair): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000)
  const right = {
    iss: issuer,
    aud: CLIENT,
    sub: 'ada',
    exp: seconds + 600,
    iat: seconds,
    nonce: SIGN_IN.nonce,
  }
  const text = `${base64url({ alg: 'RS256', kid: KEY_ID })}.${base64url({ ...right, ...responses.claims })}`
  const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', privateKey, Buffer.from(text))
  return `${text}.${Buffer.from(signature).toString('base64url')}`
}

async function respond(path: string, issuer: string, keyPair: CryptoKeyPair): Promise<unknown> {
  switch (path) {
    case '/token':
      return textOr(responses.token, {
        access_token: 'access',
        token_type: 'Bearer',
        id_token: await idToken(issuer, keyPair),
      })
    case '/keys': {
      const own = { ...(await crypto.subtle.exportKey('jwk', keyPair.publicKey)), kid: KEY_ID }
      return textOr(responses.keys, { keys: [own] })
    }
    case '/user':
      return textOr(responses.user, { sub: 'ada' })
    default:
      return textOr(responses.metadata, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/user`,
      })
  }
}

const textOr = (hostile: UnknownObject | string | undefined, right: object): string =>
  typeof hostile === 'string' ? hostile : JSON.stringify({ ...right, ...hostile })

/** Started with the first input; it does not keep the process alive. */
const provider = () =>
  (running ??= (async () => {
    const keyPair = (await crypto.subtle.generateKey(
      {
        name: 'RSASSA-PKCS1-v1_5',
        modulusLength: 2048,
        publicExponent: Buffer.from([1, 0, 1]),
        hash: 'SHA-256',
      },
      true,
      ['sign', 'verify'],
    )) as CryptoKeyPair
    let issuer = ''
    const server: Server = createServer((request, response) => {
      void respond(request.url!, issuer, keyPair).then((text) =>
        response.setHeader('Content-Type', 'application/json').end(text),
      )
    })
    server.unref()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { issuer, keyPair }
  })())

async function signIn(hostile: Responses): Promise<unknown> {
  const { issuer } = await provider()
  responses = hostile
  const own: ChatProvider = {
    issuer: new URL(issuer),
    isPlain: true,
    clientId: CLIENT,
    clientSecret: 'secret',
    claims: { teamId: 'team_id', teamName: 'team_name', userId: 'user_id' },
  }
  const callback = new URL(`${SIGN_IN.redirectUri}?code=code&state=${SIGN_IN.state}`)
  return identify(own, SIGN_IN, callback)
}

const JSON_VALUES: Shapes<string> = mapped(VALUES, (value) => JSON.stringify(value))

/** A place of a response that has any value. */
const PLACES: Record<string, (value: unknown) => Responses> = {
  'authentication methods of the metadata': (value) => ({
    metadata: { token_endpoint_auth_methods_supported: [value].flat() },
  }),
  'algorithms of the metadata': (value) => ({
    metadata: { id_token_signing_alg_values_supported: [value].flat() },
  }),
  'the ID token': (value) => ({ token: { id_token: value } }),
  'the type of the token': (value) => ({ token: { token_type: value } }),
  'the scope of the token': (value) => ({ token: { scope: value } }),
  'keys of the provider': (value) => ({ keys: { keys: [value].flat() } }),
  'the audience of the ID token': (value) => ({ claims: { aud: value, azp: CLIENT } }),
  'claims of the ID token': (value) => ({ claims: { team_id: value, user_id: value, more: value } }),
  'claims of the user': (value) => ({ user: { team_id: value, user_id: value, email: value } }),
}

/** The claims are in a list of three, and base64 is longer than its bytes. */
const PLACE_BYTES = MAX_PROVIDER_BYTES / 5

const ENTRIES: readonly Entry[] = [
  ...(['metadata', 'token', 'keys', 'user'] as const).map((name) =>
    entry(
      `the response of the chat provider with its ${name}`,
      2 * MAX_PROVIDER_BYTES,
      // All responses go through one parser, which meets every text once.
      name === 'metadata' ? { ...TEXTS, ...JSON_VALUES } : JSON_VALUES,
      (text) => signIn({ [name]: text }),
    ),
  ),
  ...Object.entries(PLACES).map(([name, responsesOf]) =>
    entry(name, PLACE_BYTES, { ...VALUES, 'parts of a token': TEXTS.dots, digits: TEXTS.digits }, (value) =>
      signIn(responsesOf(value)),
    ),
  ),
]

itGrowsLinearly('the chat provider', ENTRIES)
