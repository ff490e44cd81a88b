// The attacks of OAuth 2.0 Security Best Current Practice (RFC 9700), and on accounts by way of addresses. Each opens no session and makes no identity.
import { expect, it, describe } from 'vitest'
import { createHarness, ORIGIN, type TestResponse } from '../../support/harness'
import { cookieIn } from '../../support/user'
import {
  CALLBACK,
  claimsOf,
  comeBack,
  createSso,
  depart,
  identitiesOf,
  type Lie,
  noticeIn,
  outcomeOf,
  type Return,
  signInBySso,
  type SsoTenant,
  submit,
} from './support'

const EXPIRED = 'This sign-in has expired, was used, or began in another browser. Begin again.'
const REFUSED = /^Your provider did not confirm who you are/

async function expectNothing(
  tenant: SsoTenant,
  response: TestResponse,
  status: number,
  says: string | RegExp,
) {
  expect([response.status, cookieIn(response, 'sessionid'), response.headers.get('Location')]).toEqual([
    status,
    null,
    null,
  ])
  expect(noticeIn(response)).toEqual(typeof says === 'string' ? says : expect.stringMatching(says))
  expect(await identitiesOf(tenant)).toEqual([])
}

const past = Math.floor(Date.now() / 1000) - 600

const LIES: [string, Lie][] = [
  ['has no signature (alg none)', { header: { alg: 'none' }, isUnsigned: true }],
  ['has a signature by another key', { isForged: true }],
  ['has a symmetric algorithm', { header: { alg: 'HS256' } }],
  ['is for another client', { claims: { aud: 'another' } }],
  ['is for several clients, by another one', { claims: { aud: ['halyard', 'another'], azp: 'another' } }],
  ['is of another issuer', { claims: { iss: 'https://evil.example' } }],
  ['has the nonce of another sign-in', { claims: { nonce: 'another' } }],
  ['has no nonce', { claims: { nonce: undefined } }],
  ['has expired', { claims: { exp: past } }],
  ['is not valid yet', { claims: { nbf: past + 6_000 } }],
  ['has no subject', { claims: { sub: undefined } }],
  ['has a subject that is no text', { claims: { sub: 1 } }],
]

describe('an ID token', () => {
  it.each(LIES)('that %s is refused', async (_, lie) => {
    const tenant = await createSso()
    await expectNothing(
      tenant,
      await signInBySso(tenant, claimsOf(`a@${tenant.domain}`), { lie }),
      403,
      REFUSED,
    )
  })
})

describe('an address and its confirmation', () => {
  it.each<[string, object, object, string | null]>([
    ['the endpoint confirms another', { email: 'a' }, { email: 'b', email_verified: true }, 'b'],
    ['the endpoint confirms none', { email: 'a' }, { email_verified: true }, null],
    ['the endpoint confirms the same', { email: 'a' }, { email: 'a', email_verified: true }, 'a'],
    ['only the endpoint has one', {}, { email: 'b', email_verified: true }, 'b'],
    ['only the endpoint has one, unconfirmed', { email_verified: true }, { email: 'b' }, null],
    ['the token has the claim of Entra ID', { email: 'a', xms_edov: true }, { email: 'b' }, 'a'],
    // With toLowerCase, the Kelvin sign becomes the k of another user's address.
    ['the address has a look-alike', { email: 'mar\u212a', email_verified: true }, {}, null],
    ['the token denies it', { email: 'a', xms_edov: false }, { email: 'b', email_verified: true }, null],
  ])('are of one document: %s', async (_, token, userInfo, expected) => {
    const tenant = await createSso()
    const inDomain = (claims: { email?: string }) =>
      claims.email ? { ...claims, email: `${claims.email}@${tenant.domain}` } : claims
    const response = await signInBySso(
      tenant,
      { sub: 's', ...inDomain(token) },
      { lie: { userInfo: inDomain(userInfo) } },
    )
    expect((await outcomeOf(tenant, response)).email).toBe(expected && `${expected}@${tenant.domain}`)
  })
})

describe('mix-up', () => {
  it.each<[string, Return['query'] & object, Lie]>([
    ['a response that names another issuer', { iss: 'https://evil.example' }, {}],
    [
      'a response that names none, where the provider promises to',
      {},
      { metadata: { authorization_response_iss_parameter_supported: true } },
    ],
    ['metadata of another issuer', {}, { metadata: { issuer: 'https://evil.example' } }],
    ['an error of the provider', { error: 'access_denied' }, {}],
    ['a response of the implicit flow', { response: 'a.b.c' }, {}],
  ])('%s is refused', async (_, query, lie) => {
    const tenant = await createSso()
    const response = await signInBySso(tenant, claimsOf(`a@${tenant.domain}`), { query, lie })
    await expectNothing(tenant, response, 403, REFUSED)
  })

  it('the code of one provider never reaches the other', async () => {
    const [tenant, evil] = [await createSso(), await createSso()]
    const [departure, other] = [await depart(tenant), await depart(evil)]
    // Both cookies are of this browser, and the response has the state of the other organization.
    const response = await comeBack(tenant, departure, claimsOf(`a@${tenant.domain}`), {
      query: { state: other.state },
    })
    await expectNothing(tenant, response, 400, EXPIRED)
    expect((await evil.provider.receiver.calls()).filter(({ path }) => path === '/token')).toEqual([])
  })

  it("a provider cannot vouch for another organization's domain", async () => {
    const [tenant, evil] = [await createSso(), await createSso()]
    const response = await signInBySso(evil, claimsOf(`boss@${tenant.domain}`))
    await expectNothing(evil, response, 403, /is in none of the domains that/)
  })
})

describe('a state', () => {
  it('is accepted once', async () => {
    const tenant = await createSso()
    const departure = await depart(tenant)
    const first = await comeBack(tenant, departure, { email: `a@${tenant.domain}`, email_verified: false })
    expect(first.status).toBe(403)
    await expectNothing(
      tenant,
      await comeBack(tenant, departure, claimsOf(`a@${tenant.domain}`)),
      400,
      EXPIRED,
    )
  })

  it('of another browser, of no browser and of an earlier sign-in is refused', async () => {
    const tenant = await createSso()
    const [own, other] = [await depart(tenant), await depart(tenant)]
    const claims = claimsOf(`a@${tenant.domain}`)
    for (const cookie of [
      other.cookie,
      null,
      'x',
      `${own.cookie}0`,
      own.cookie.replace(/.$/, (end) => (end === '0' ? '1' : '0')),
    ])
      await expectNothing(tenant, await comeBack(tenant, own, claims, { cookie }), 400, EXPIRED)
    await expectNothing(tenant, await comeBack(tenant, own, claims, { query: { state: '' } }), 400, EXPIRED)
  })

  it('expires after ten minutes', async () => {
    const tenant = await createSso()
    const departure = await depart(tenant)
    tenant.clock.advance({ minutes: 10, seconds: 1 })
    await expectNothing(
      tenant,
      await comeBack(tenant, departure, claimsOf(`a@${tenant.domain}`)),
      400,
      EXPIRED,
    )
  })

  it('is not a proof of an account', async () => {
    const tenant = await createSso()
    const { cookie } = await depart(tenant)
    const response = await submit(tenant, '/login/sso/link', { password: 'x' }, `sso_link=${cookie}`)
    await expectNothing(tenant, response, 400, EXPIRED)
  })

  it('is not spent by HEAD', async () => {
    const tenant = await createSso()
    const departure = await depart(tenant)
    const head = await tenant.send('HEAD', `${CALLBACK}?code=c&state=${departure.state}`, {
      headers: { Cookie: `sso_state=${departure.cookie}` },
    })
    expect(head.status).toBe(405)
    expect((await comeBack(tenant, departure, claimsOf(`a@${tenant.domain}`))).status).toBe(303)
  })
})

describe('forms', () => {
  it.each(['/login/sso', '/login/sso/link'])('%s of another site is refused', async (path) => {
    const tenant = await createSso()
    const raw = new URLSearchParams({ email: `a@${tenant.domain}`, csrf: 'guess' })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect((await tenant.send('POST', path, { raw, headers })).status).toBe(403)
    expect(
      (await tenant.send('POST', path, { raw, headers: { ...headers, Origin: 'https://evil.example' } }))
        .status,
    ).toBe(403)
  })
})

describe('the page to continue on', () => {
  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
  ])('is never %s', async (next) => {
    const tenant = await createSso()
    const response = await signInBySso(tenant, claimsOf(`a@${tenant.domain}`), { next })
    const target = new URL(response.headers.get('Location')!, ORIGIN)
    expect([target.origin, target.pathname]).toEqual([ORIGIN, expect.stringMatching(/^\/(?!\/)/)])
  })
})

describe('addresses of the provider', () => {
  it('are not called where private hosts are closed', async () => {
    const tenant = await createSso({ harness: createHarness({ bindings: { ALLOW_PRIVATE_HOSTS: 'off' } }) })
    const response = await submit(tenant, '/login/sso', { email: `a@${tenant.domain}` })
    expect([response.status, await tenant.provider.receiver.calls()]).toEqual([503, []])
  })

  // The rule refuses passwords in addresses even on this machine, where the provider of the test is.
  it.each(['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'are checked in the metadata, too: %s',
    async (name) => {
      const tenant = await createSso()
      const address = `${tenant.provider.issuer.replace('://', '://a:b@')}/forbidden`
      const claims = { sub: 's', ...(name === 'userinfo_endpoint' ? {} : claimsOf(`a@${tenant.domain}`)) }
      const response = await signInBySso(tenant, claims, { lie: { metadata: { [name]: address } } })
      await expectNothing(tenant, response, 403, REFUSED)
      const calls = await tenant.provider.receiver.calls()
      expect(calls.filter(({ path }) => path === '/forbidden')).toEqual([])
    },
  )

  it.each([
    ['a script as the page of the provider', { authorization_endpoint: 'javascript:alert(1)' }],
    ['no page of the provider', { authorization_endpoint: undefined }],
    ['a page with a password', { authorization_endpoint: 'https://a:b@idp.example.com/' }],
  ])('are not %s', async (_, metadata) => {
    const tenant = await createSso()
    await tenant.provider.receiver.answer([tenant.provider.metadata(metadata)])
    const response = await submit(tenant, '/login/sso', { email: `a@${tenant.domain}` })
    expect([response.status, response.headers.get('Refresh')]).toEqual([503, null])
  })

  it.each([
    ['redirects', { status: 302, headers: { Location: 'https://example.com/' } }],
    ['is endless', { status: 200, headers: { 'Content-Type': 'application/json' }, bytes: 300_000 }],
  ])('are not followed when the metadata %s', async (_, answer) => {
    const tenant = await createSso()
    await tenant.provider.receiver.answer([answer])
    const response = await submit(tenant, '/login/sso', { email: `a@${tenant.domain}` })
    expect(response.status).toBe(503)
  })
})
