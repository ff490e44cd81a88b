// An organization with single sign-on, a provider that answers as a test has it, and browsers between them.
import { Buffer } from 'node:buffer'
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { organizationSso, ssoDomains, ssoIdentities, users } from '../../../drizzle'
import { sealClientSecret } from '../../../src/account/single-sign-on/provider'
import { csrfTokenOf } from '../../../src/auth/csrf'
import { createHarness, type Harness, type TestResponse } from '../../support/harness'
import { createReceiver, type Receiver } from '../../support/server/receiver'
import type { ReceiverResponse } from '../../support/server/serve-receiver'
import { cookiesOf, signIn } from '../../support/session'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { cookieIn, freshIp } from '../../support/user'

/** Only a service on this machine may call providers on it. */
const LOCAL = 'http://localhost'
export const CALLBACK = `${LOCAL}/login/sso/callback`
const CLIENT = 'halyard'
const KEY_ID = 'one'

const json = (body: unknown): ReceiverResponse => ({
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/** Encodes binary text, or JSON in UTF-8. */
const base64url = (value: unknown) =>
  (typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.from(JSON.stringify(value))).toString(
    'base64url',
  )

const newKeys = () =>
  crypto.subtle.generateKey(
    {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    },
    true,
    ['sign', 'verify'],
  ) as Promise<CryptoKeyPair>

let sharedKeys: Promise<CryptoKeyPair> | undefined
let otherKeys: Promise<CryptoKeyPair> | undefined

/** What a provider does otherwise than it should. */
export interface Lie {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
  /** Signs with a key that it does not publish. */
  isForged?: boolean
  /** Without a signature. */
  isUnsigned?: boolean
  metadata?: Record<string, unknown>
  /** What the user-info endpoint responds with; by default there is none. */
  userInfo?: Record<string, unknown>
}

export interface TestProvider {
  issuer: string
  receiver: Receiver
  metadata(more?: Record<string, unknown>): ReceiverResponse
  /** How it answers the next callback. */
  answerCallback(nonce: string, claims: Record<string, unknown>, lie?: Lie): Promise<void>
}

async function createProvider(): Promise<TestProvider> {
  const receiver = await createReceiver()
  const issuer = receiver.url
  const metadata = (more: Record<string, unknown> = {}) =>
    json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...more,
    })
  return {
    issuer,
    receiver,
    metadata,
    async answerCallback(
      nonce,
      claims,
      { header, claims: lies, isForged, isUnsigned, metadata: more, userInfo } = {},
    ) {
      const { publicKey, privateKey } = await (sharedKeys ??= newKeys())
      const { privateKey: other } = await (otherKeys ??= newKeys())
      const seconds = Math.floor(Date.now() / 1000)
      const right = { iss: issuer, aud: CLIENT, exp: seconds + 600, iat: seconds, nonce, sub: 'subject' }
      const text = `${base64url({ alg: 'RS256', kid: KEY_ID, ...header })}.${base64url({ ...right, ...claims, ...lies })}`
      const signature = await crypto.subtle.sign(
        'RSASSA-PKCS1-v1_5',
        isForged ? other : privateKey,
        new TextEncoder().encode(text),
      )
      const signed = base64url(String.fromCharCode(...new Uint8Array(signature)))
      await receiver.answer([
        metadata({ ...(userInfo ? { userinfo_endpoint: `${issuer}/userinfo` } : {}), ...more }),
        json({
          access_token: 'access',
          token_type: 'Bearer',
          id_token: `${text}.${isUnsigned ? '' : signed}`,
        }),
        json({ keys: [{ ...((await crypto.subtle.exportKey('jwk', publicKey)) as object), kid: KEY_ID }] }),
        ...(userInfo ? [json({ sub: claims.sub ?? right.sub, ...userInfo })] : []),
      ])
    },
  }
}

let count = 0

export interface SsoTenant extends Tenant {
  domain: string
  provider: TestProvider
  path: string
}

interface Options extends Partial<typeof organizationSso.$inferInsert> {
  level?: 1 | 8 | 15
  harness?: Harness
  isVerified?: boolean
}

/** A tenant whose user, an admin by default, has an address in the verified domain of their organization. */
export async function createSso({
  level = 8,
  harness = createHarness(),
  isVerified = true,
  ...fields
}: Options = {}): Promise<SsoTenant> {
  const tenant = await createTenant({ level, harness })
  const provider = await createProvider()
  count += 1
  const domain = `d${count}-${crypto.randomUUID().slice(0, 8)}.example.org`
  const now = harness.clock.now().toISOString().replace('Z', '000Z')
  const db = database()
  const email = `admin@${domain}`
  await db.update(users).set({ email }).where(eq(users.id, tenant.user.id))
  await db.insert(organizationSso).values({
    organizationId: tenant.organizationId,
    issuer: provider.issuer,
    clientId: CLIENT,
    clientSecret: await sealClientSecret(env, 'a shared secret'),
    createdAt: now,
    updatedAt: now,
    ...fields,
  })
  await db
    .insert(ssoDomains)
    .values({ organizationId: tenant.organizationId, domain, verifiedAt: isVerified ? now : null })
  return {
    ...tenant,
    user: { ...tenant.user, email },
    domain,
    provider,
    path: `/api/organizations/${tenant.organizationId}/sso/`,
  }
}

/** A session of the tenant's user that calls on `localhost`. */
export async function localSession(tenant: Tenant, fields: Parameters<typeof signIn>[1] = {}) {
  const { token, sessionId } = await signIn(tenant, fields)
  const headers = { ...cookiesOf(token), Origin: LOCAL }
  const send = (method: string, path: string, body?: unknown) =>
    tenant.send(method, LOCAL + path, { ...(body === undefined ? {} : { body }), headers })
  return { token, sessionId, headers, send }
}

/** A browser at the start of a sign-in. */
export interface Departure {
  response: TestResponse
  /** At the provider. */
  url: URL
  cookie: string
  state: string
  nonce: string
}

const SECRET = 'f'.repeat(43)

const FORM = (cookies: string, ip: string) => ({
  'Content-Type': 'application/x-www-form-urlencoded',
  'CF-Connecting-IP': ip,
  Origin: LOCAL,
  Cookie: `login_form=${SECRET}; ${cookies}`,
})

/** Fills in a form of single sign-on. */
export const submit = (
  { send }: Harness,
  path: string,
  fields: Record<string, string>,
  cookies = '',
  ip = freshIp(),
) =>
  send('POST', LOCAL + path, {
    raw: new URLSearchParams({ csrf: csrfTokenOf(SECRET), ...fields }),
    headers: FORM(cookies, ip),
  })

export async function depart(
  tenant: SsoTenant,
  { email = `new@${tenant.domain}`, next = '/', ip }: { email?: string; next?: string; ip?: string } = {},
): Promise<Departure> {
  await tenant.provider.receiver.answer([tenant.provider.metadata()])
  const response = await submit(tenant, '/login/sso', { email, next }, '', ip)
  return departureIn(response)
}

export function departureIn(response: TestResponse): Departure {
  const target = response.headers.get('Refresh')?.replace('0; url=', '') ?? response.headers.get('Location')
  if (!target) throw new Error(`${response.status} ${response.text}`)
  const url = new URL(target)
  return {
    response,
    url,
    cookie: cookieIn(response, 'sso_state')!,
    state: url.searchParams.get('state')!,
    nonce: url.searchParams.get('nonce')!,
  }
}

export interface Return {
  cookie?: string | null
  query?: Record<string, string>
  lie?: Lie
  cookies?: string
  ip?: string
}

/** Comes back from the provider, which has confirmed the claims. */
export async function comeBack(
  tenant: SsoTenant,
  departure: Departure,
  claims: Record<string, unknown>,
  { cookie = departure.cookie, query = {}, lie = {}, cookies = '', ip = freshIp() }: Return = {},
): Promise<TestResponse> {
  await tenant.provider.answerCallback(departure.nonce, claims, lie)
  const parameters = new URLSearchParams({ code: 'code', state: departure.state, ...query })
  return tenant.send('GET', `${CALLBACK}?${parameters}`, {
    headers: {
      Cookie: [cookie && `sso_state=${cookie}`, cookies].filter(Boolean).join('; '),
      'CF-Connecting-IP': ip,
    },
  })
}

/** A whole sign-in. */
export const signInBySso = async (
  tenant: SsoTenant,
  claims: Record<string, unknown>,
  options: Return & { next?: string } = {},
) =>
  comeBack(
    tenant,
    await depart(tenant, options.next === undefined ? {} : { next: options.next }),
    claims,
    options,
  )

export const claimsOf = (email: string, more: Record<string, unknown> = {}) => ({
  sub: email,
  email,
  email_verified: true,
  given_name: 'Grace',
  ...more,
})

/** What of a page is text of this test: its notice. */
export const noticeIn = ({ text }: TestResponse): string | undefined =>
  /<div class="notice \w+"[^>]*>([^<]*)</.exec(text)?.[1]?.replaceAll('&quot;', '"').replaceAll('&#39;', "'")

/** Where a sign-in leads to, and whose session it opened. */
export async function outcomeOf(tenant: Harness, response: TestResponse) {
  const token = cookieIn(response, 'sessionid')
  const me =
    token &&
    (
      await tenant.send('GET', `${LOCAL}/api/users/@me/`, {
        headers: { Cookie: `sessionid=${token}` },
      })
    ).body
  return { status: response.status, to: response.headers.get('Location'), email: me?.email ?? null }
}

export const identitiesOf = ({ organizationId }: Tenant) =>
  database().select().from(ssoIdentities).where(eq(ssoIdentities.organizationId, organizationId))
