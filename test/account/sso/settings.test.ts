// The settings of single sign-on: who changes them, what they may be, and how a domain is proven.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { organizationSso, sessions } from '../../../drizzle'
import { createOvertaken } from '../../support/faults/overtaken'
import { createHarness } from '../../support/harness'
import { forbidden, NOT_FOUND, refused, seen } from '../../support/responses'
import { createReceiver } from '../../support/server/receiver'
import { createTenant, database, setLevel, type Tenant } from '../../support/tenant'
import { createMember, updateUser } from '../../support/user'
import { joinOrganization } from '../../support/database/account-rows'
import { claimsOf, createSso, identitiesOf, localSession, signInBySso } from './support'

const INSUFFICIENT = forbidden('Your organization access level is insufficient.')
const NOT_SET_UP = { ...NOT_FOUND, body: { ...NOT_FOUND.body, detail: 'Single sign-on is not set up.' } }

const BODY = {
  issuer: 'https://accounts.example.net',
  client_id: 'client',
  client_secret: 'a very secret text',
  domains: ['example.net'],
}

const pathOf = ({ organizationId }: Tenant) => `/api/organizations/${organizationId}/sso/`

async function admin(level: 8 | 15 = 8) {
  const tenant = await createTenant({ level })
  return { tenant, session: await localSession(tenant), path: pathOf(tenant) }
}

describe('the settings', () => {
  it('are set up, read, replaced and removed; the secret never comes back', async () => {
    const { tenant, session, path } = await admin()
    expect(seen(await session.send('GET', path))).toEqual({
      status: 200,
      body: {
        issuer: null,
        client_id: null,
        domains: [],
        verifications: [],
        level_claim: null,
        levels: {},
        default_level: 1,
        is_enforced: false,
        redirect_uri: 'http://localhost/login/sso/callback',
        created_at: null,
        updated_at: null,
      },
    })
    const created = await session.send('PUT', path, BODY)
    const settings = {
      issuer: 'https://accounts.example.net',
      client_id: 'client',
      domains: ['example.net'],
      verifications: [
        {
          domain: 'example.net',
          verified_at: null,
          txt_record: expect.stringMatching(/^halyard-verification=[0-9a-f]{40}$/),
        },
      ],
      level_claim: null,
      levels: {},
      default_level: 1,
      is_enforced: false,
      redirect_uri: 'http://localhost/login/sso/callback',
      created_at: '2026-03-10T12:00:00Z',
      updated_at: '2026-03-10T12:00:00Z',
    }
    expect(seen(created)).toEqual({ status: 200, body: settings })
    expect(seen(await session.send('GET', path))).toEqual({ status: 200, body: settings })
    const [row] = await database()
      .select()
      .from(organizationSso)
      .where(eq(organizationSso.organizationId, tenant.organizationId))
    expect(row!.clientSecret).toMatch(/^enc:test:/)

    const { client_secret: _, ...rest } = BODY
    const changed = {
      ...rest,
      domains: [' Other.Example.Net ', '@example.net'],
      level_claim: 'groups',
      levels: { admins: '8' },
      default_level: '8',
    }
    const replaced = await session.send('PUT', path, changed)
    expect(seen(replaced)).toMatchObject({
      status: 200,
      body: {
        domains: ['example.net', 'other.example.net'],
        level_claim: 'groups',
        levels: { admins: 8 },
        default_level: 8,
      },
    })
    expect((await session.send('DELETE', path)).status).toBe(204)
    expect(seen(await session.send('DELETE', path))).toEqual(NOT_SET_UP)

    const { body } = await tenant.get(`/api/projects/${tenant.projectId}/activity_log/?scope=Organization`)
    const change = (action: string, field: string, before: unknown, after: unknown) => ({
      type: 'Organization',
      action,
      field,
      before,
      after,
    })
    expect(body.results.map((each: { detail: { changes: unknown } }) => each.detail.changes)).toEqual([
      [
        change('deleted', 'sso_issuer', BODY.issuer, null),
        change('deleted', 'sso_client_id', 'client', null),
        change('deleted', 'sso_domains', ['example.net', 'other.example.net'], null),
        change('deleted', 'sso_level_claim', 'groups', null),
        change('deleted', 'sso_levels', { admins: 8 }, null),
        change('deleted', 'sso_default_level', 8, null),
        change('deleted', 'sso_is_enforced', false, null),
      ],
      [
        change('changed', 'sso_domains', ['example.net'], ['example.net', 'other.example.net']),
        change('created', 'sso_level_claim', null, 'groups'),
        change('created', 'sso_levels', null, { admins: 8 }),
        change('changed', 'sso_default_level', 1, 8),
      ],
      [
        change('created', 'sso_issuer', null, BODY.issuer),
        change('created', 'sso_client_id', null, 'client'),
        change('created', 'sso_domains', null, ['example.net']),
        change('created', 'sso_default_level', null, 1),
        change('created', 'sso_is_enforced', null, false),
      ],
    ])
    expect(JSON.stringify([created.body, replaced.body, body])).not.toContain('secret text')
  })

  it.each<[string, object, string, string, string?]>([
    [
      'an issuer without a scheme',
      { issuer: 'accounts.example.net' },
      'issuer',
      'Enter a URL that begins with https:// or http://.',
    ],
    [
      'the address of the metadata',
      { issuer: 'https://a.example.net/.well-known/openid-configuration' },
      'issuer',
      'Enter the issuer itself, without /.well-known/openid-configuration.',
    ],
    [
      'an issuer with a query',
      { issuer: 'https://a.example.net/?a=b' },
      'issuer',
      'The issuer has no query and no fragment: enter it without the part from ? or # on.',
    ],
    [
      'an issuer with a password',
      { issuer: 'https://a:b@a.example.net/' },
      'issuer',
      'The URL must not contain a user name or a password.',
    ],
    [
      'the service itself as the issuer',
      { issuer: 'http://localhost/realms/a' },
      'issuer',
      'localhost is this service itself: enter the address of another one.',
    ],
    [
      'no secret at first',
      { client_secret: undefined },
      'client_secret',
      'This field is required.',
      'required',
    ],
    ['no domain', { domains: [] }, 'domains', expect.any(String)],
    [
      'a domain that is none',
      { domains: ['example'] },
      'domains__0',
      'Enter the domain of email addresses, such as example.com.',
    ],
    [
      'a domain with a Kelvin sign',
      { domains: ['\u212aiosk.example.net'] },
      'domains__0',
      'Enter the domain of email addresses, such as example.com.',
    ],
    [
      '21 domains',
      { domains: Array.from({ length: 21 }, (_, at) => `d${at}.example.net`) },
      'domains',
      expect.any(String),
    ],
    ['ownership by a claim', { level_claim: 'groups', levels: { a: 15 } }, 'levels__a', expect.any(String)],
    ['ownership by default', { default_level: 15 }, 'default_level', expect.any(String)],
    [
      'levels without a claim',
      { levels: { a: 8 } },
      'level_claim',
      'Name the claim whose values have these levels.',
      'required',
    ],
    [
      'enforcement without a verified domain',
      { is_enforced: true },
      'is_enforced',
      'Single sign-on can be required with a verified domain only. Verify one first, or do not require it.',
    ],
  ])('reject %s', async (_, more, attr, detail, code) => {
    const { session, path } = await admin()
    const response = await session.send('PUT', path, { ...BODY, ...more })
    const { body } = refused(attr, detail, code)
    expect(seen(response)).toEqual({ status: 400, body: { ...body, code: code ?? expect.any(String) } })
    expect((await session.send('GET', path)).body.issuer).toBeNull()
  })

  it.each([
    'https://localhost/',
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://idp.internal/',
    'https://169.254.169.254/',
    'http://accounts.example.net/',
  ])('reject the issuer %s where private hosts are closed', async (issuer) => {
    const tenant = await createTenant({
      level: 8,
      harness: createHarness({ bindings: { ALLOW_PRIVATE_HOSTS: 'off' } }),
    })
    const session = await localSession(tenant)
    const response = await session.send('PUT', pathOf(tenant), { ...BODY, issuer })
    expect(response).toMatchObject({ status: 400, body: { attr: 'issuer' } })
  })

  it('keep the level of viewers', async () => {
    const { session, path } = await admin()
    const levels = { level_claim: 'groups', levels: { guests: 0 }, default_level: 0 }
    expect(await session.send('PUT', path, { ...BODY, ...levels })).toMatchObject({
      status: 200,
      body: levels,
    })
  })

  it('never send a stored secret to another issuer, or for another client', async () => {
    const { session, path } = await admin()
    await session.send('PUT', path, BODY)
    const { client_secret: _, ...rest } = BODY
    for (const more of [{ issuer: 'https://evil.example.net' }, { client_id: 'other' }])
      expect(seen(await session.send('PUT', path, { ...rest, ...more }))).toEqual(
        refused(
          'client_secret',
          'Enter the client secret again: it belongs to the former issuer and client id.',
          'required',
        ),
      )
  })

  it('are for admins with a recent sign-in, not for keys', async () => {
    const tenant = await createSso({ level: 1 })
    const session = await localSession(tenant)
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PUT', '', BODY],
      ['DELETE', ''],
      ['POST', 'verify_domain/', { domain: tenant.domain }],
      ['POST', 'test/', {}],
    ]
    for (const [method, rest, body] of calls)
      expect(seen(await session.send(method, tenant.path + rest, body))).toEqual(INSUFFICIENT)
    await setLevel(tenant, 15)
    const stale = await localSession(tenant, { authenticatedAt: '2026-03-10T09:00:00.000000Z' })
    for (const [method, rest, body] of calls.slice(1))
      expect(await stale.send(method, tenant.path + rest, body)).toMatchObject({
        status: 403,
        body: { code: 'sensitive_action_required_reauth' },
      })
    const { key } = await createTenant({ harness: tenant, level: 15 })
    expect(
      (await tenant.send('GET', tenant.path, { headers: { Authorization: `Bearer ${key}` } })).status,
    ).toBe(403)
    expect((await tenant.get(tenant.path)).status).toBe(403)
  })

  it('forget who is who when the issuer changes, and keep it when it comes back as another', async () => {
    const tenant = await createSso()
    await signInBySso(tenant, claimsOf(`grace@${tenant.domain}`))
    const session = await localSession(tenant)
    const body = { ...BODY, domains: [tenant.domain] }
    expect((await session.send('PUT', tenant.path, { ...body, issuer: tenant.provider.issuer })).status).toBe(
      200,
    )
    expect(await identitiesOf(tenant)).toHaveLength(1)
    expect((await session.send('PUT', tenant.path, body)).status).toBe(200)
    expect(await identitiesOf(tenant)).toEqual([])
  })
})

describe('a domain', () => {
  const txt = (name: string, data: string, type = 16) => ({ name, type, TTL: 60, data })

  async function withResolver(answers: (record: string) => unknown[]) {
    const resolver = await createReceiver()
    const harness = createHarness({ bindings: { DNS_RESOLVER: `${resolver.url}/dns-query` } })
    const tenant = await createSso({ harness, isVerified: false })
    const session = await localSession(tenant)
    const { body } = await session.send('GET', tenant.path)
    const record = body.verifications[0].txt_record
    await resolver.answer([
      {
        status: 200,
        headers: { 'Content-Type': 'application/dns-json' },
        body: JSON.stringify({
          Status: 0,
          Answer: answers(record).map((answer) => ({ ...(answer as object) })),
        }).replaceAll('DOMAIN', tenant.domain),
      },
    ])
    const verify = (domain = tenant.domain) =>
      session.send('POST', `${tenant.path}verify_domain/`, { domain })
    return { tenant, session, resolver, record, verify }
  }

  it('is verified by its TXT record', async () => {
    const { tenant, resolver, record, verify } = await withResolver((each) => [
      txt('DOMAIN', '"v=spf1 -all"'),
      txt('DOMAIN.', `"${each.slice(0, 30)}" "${each.slice(30)}"`),
    ])
    expect(await verify()).toMatchObject({
      status: 200,
      body: {
        verifications: [{ domain: tenant.domain, verified_at: '2026-03-10T12:00:00Z', txt_record: record }],
      },
    })
    expect(await resolver.calls()).toMatchObject([
      {
        method: 'GET',
        path: `/dns-query?name=${tenant.domain}&type=TXT`,
        headers: { accept: 'application/dns-json' },
      },
    ])
    const { body } = await tenant.get(`/api/projects/${tenant.projectId}/activity_log/?scope=Organization`)
    expect(body.results[0].detail.changes).toEqual([
      {
        type: 'Organization',
        action: 'changed',
        field: 'sso_verified_domain',
        before: null,
        after: tenant.domain,
      },
    ])
  })

  it.each<[string, (record: string) => unknown[]]>([
    ['without a record', () => []],
    [
      'with the record of another organization',
      () => [txt('DOMAIN', `"halyard-verification=${'0'.repeat(40)}"`)],
    ],
    ['with more than the record', (record) => [txt('DOMAIN', `"${record}0"`)]],
    [
      'with the record at the target of an alias',
      (record) => [txt('DOMAIN', 'evil.example.', 5), txt('evil.example', `"${record}"`)],
    ],
    ['with the text in a record of another type', (record) => [txt('DOMAIN', `"${record}"`, 99)]],
  ])('is not verified %s', async (_, answers) => {
    const { tenant, session, record, verify } = await withResolver(answers)
    expect(seen(await verify())).toEqual(
      refused(
        'domain',
        `${tenant.domain} has no TXT record "${record}" yet. A new record can take an hour to appear.`,
        'not_verified',
      ),
    )
    expect((await session.send('GET', tenant.path)).body.verifications[0].verified_at).toBeNull()
  })

  it('is not verified while the resolver fails', async () => {
    const { resolver, verify } = await withResolver(() => [])
    for (const answer of [
      { status: 500 },
      { status: 302, headers: { Location: 'https://example.com/' } },
      { status: 200, bytes: 70_000 },
      { status: 200, body: '{' },
    ]) {
      await resolver.answer([answer])
      expect(await verify()).toMatchObject({ status: 503, body: { code: 'resolver_unavailable' } })
    }
  })

  it('has to be in the settings', async () => {
    const { verify } = await withResolver(() => [])
    expect(seen(await verify('other.example.net'))).toEqual(
      refused('domain', 'Add other.example.net to the domains of single sign-on first.'),
    )
  })

  it('belongs to one organization, until that one leaves it out', async () => {
    const owner = await createSso()
    const second = await createSso({ isVerified: false })
    await updateUser(second, { isStaff: true })
    const session = await localSession(second)
    const body = { ...BODY, issuer: second.provider.issuer, domains: [owner.domain] }
    expect((await session.send('PUT', second.path, body)).status).toBe(200)
    const verify = () =>
      session.send('POST', `${second.path}verify_domain/`, { domain: owner.domain, confirm: true })
    expect(seen(await verify())).toEqual(
      refused(
        'domain',
        `${owner.domain} belongs to another organization of this service. It has to remove the domain from its single sign-on first.`,
        'unique',
      ),
    )
    const first = await localSession(owner)
    await first.send('PUT', owner.path, {
      ...BODY,
      issuer: owner.provider.issuer,
      domains: ['else.example.net'],
    })
    expect((await verify()).status).toBe(200)
  })

  const staffVerifying = async (harness = createHarness()) => {
    const tenant = await createSso({ harness, isVerified: false })
    await updateUser(tenant, { isStaff: true })
    const session = await localSession(tenant)
    const confirm = () =>
      session.send('POST', `${tenant.path}verify_domain/`, { domain: tenant.domain, confirm: true })
    const logged = async () =>
      (await tenant.get(`/api/projects/${tenant.projectId}/activity_log/?scope=Organization`)).body.results
    return { tenant, confirm, logged }
  }

  it('is verified and logged once', async () => {
    const { confirm, logged } = await staffVerifying()
    const first = await confirm()
    expect(first.status).toBe(200)
    expect(seen(await confirm())).toEqual(seen(first))
    expect(await logged()).toHaveLength(1)
  })

  it.each(['sso_domains', 'organization_sso'])('is not verified when %s loses it', async (table) => {
    const { tenant: harness, overtake } = await createOvertaken('insert into "write_guards"')
    const { tenant, confirm, logged } = await staffVerifying(harness)
    const { organizationId } = tenant
    overtake(() =>
      env.DB.prepare(`DELETE FROM ${table} WHERE organization_id = ?`).bind(organizationId).run(),
    )
    expect(seen(await confirm())).toEqual(
      table === 'sso_domains'
        ? refused('domain', `Add ${tenant.domain} to the domains of single sign-on first.`)
        : NOT_SET_UP,
    )
    expect(await logged()).toEqual([])
  })

  it('is confirmed without DNS by staff alone', async () => {
    const tenant = await createSso({ isVerified: false, level: 15 })
    const session = await localSession(tenant)
    const confirm = () =>
      session.send('POST', `${tenant.path}verify_domain/`, { domain: tenant.domain, confirm: true })
    expect(seen(await confirm())).toEqual(
      forbidden('Only staff, who operate this service, can confirm a domain without a DNS record.'),
    )
    await updateUser(tenant, { isStaff: true })
    expect((await confirm()).body.verifications[0].verified_at).toBe('2026-03-10T12:00:00Z')
  })
})

describe('requiring single sign-on', () => {
  it('needs somebody who has signed in with it, and signs out who has not', async () => {
    const tenant = await createSso()
    const session = await localSession(tenant)
    const member = async (level: number, email = `${crypto.randomUUID()}@${tenant.domain}`) => {
      const other = await createMember({ harness: tenant })
      await updateUser(other, { email })
      await joinOrganization(other, tenant.organizationId, level)
      await localSession(other)
      return async () =>
        (await database().select().from(sessions).where(eq(sessions.userId, other.user.id))).length
    }
    const [concerned, elsewhere, owner] = [
      await member(8),
      await member(1, `${crypto.randomUUID()}@example.com`),
      await member(15),
    ]
    const body = { ...BODY, issuer: tenant.provider.issuer, domains: [tenant.domain], is_enforced: true }
    expect(seen(await session.send('PUT', tenant.path, body))).toEqual(
      refused('is_enforced', 'Sign in with single sign-on once before you require it of others.'),
    )
    await signInBySso(tenant, claimsOf(`grace@${tenant.domain}`))
    expect(await session.send('PUT', tenant.path, body)).toMatchObject({
      status: 200,
      body: { is_enforced: true },
    })
    expect([await concerned(), await elsewhere(), await owner()]).toEqual([0, 1, 1])
    expect((await session.send('GET', tenant.path)).status).toBe(200)
    const [grace] = await identitiesOf(tenant)
    expect(await database().select().from(sessions).where(eq(sessions.userId, grace!.userId))).toHaveLength(1)
  })
})

describe('an issuer', () => {
  it('cannot change while single sign-on is required', async () => {
    const tenant = await createSso({ isEnforced: true })
    await signInBySso(tenant, claimsOf(`grace@${tenant.domain}`))
    const session = await localSession(tenant)
    const body = { ...BODY, domains: [tenant.domain] }
    expect(seen(await session.send('PUT', tenant.path, { ...body, is_enforced: true }))).toEqual(
      refused(
        'issuer',
        'Turn the requirement of single sign-on off before you change the issuer, and on again after a sign-in at the new one.',
      ),
    )
    expect(await identitiesOf(tenant)).toHaveLength(1)
    const same = { ...body, issuer: tenant.provider.issuer, is_enforced: true }
    const other = { ...same, domains: ['other.example.net'] }
    expect((await session.send('PUT', tenant.path, other)).body.attr).toBe('is_enforced')
    expect((await session.send('PUT', tenant.path, same)).status).toBe(200)
    expect((await session.send('PUT', tenant.path, body)).body).toMatchObject({ is_enforced: false })
  })
})

describe('the test of the provider', () => {
  const NAMES = [
    'metadata',
    'addresses',
    'code_flow',
    'pkce',
    'client_secret',
    'signature',
    'scopes',
    'domains',
  ]

  it('passes for a provider that has all', async () => {
    const tenant = await createSso()
    const session = await localSession(tenant)
    await tenant.provider.receiver.answer([tenant.provider.metadata()])
    const { status, body } = await session.send('POST', `${tenant.path}test/`, {})
    expect([status, body.is_ok]).toEqual([200, true])
    expect(body.checks.map(({ name, is_ok }: { name: string; is_ok: boolean }) => [name, is_ok])).toEqual(
      NAMES.map((name) => [name, true]),
    )
  })

  it.each([
    [
      'code_flow',
      { response_types_supported: ['id_token'] },
      'It does not support the response type "code": enable the authorization code flow.',
    ],
    [
      'pkce',
      { code_challenge_methods_supported: ['plain'] },
      'It does not support PKCE with S256: enable it.',
    ],
    [
      'client_secret',
      { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
      'It takes none of client_secret_basic, client_secret_post: allow one.',
    ],
    [
      'signature',
      { id_token_signing_alg_values_supported: ['HS256'] },
      /^It signs ID tokens with none of RS256, .*: choose RS256\.$/,
    ],
    [
      'scopes',
      { scopes_supported: ['openid'] },
      'It lacks the scopes email, profile: allow them for this client.',
    ],
    ['addresses', { token_endpoint: undefined }, 'The metadata is not usable. token_endpoint is missing.'],
    ['addresses', { jwks_uri: 'ftp://a.example.net' }, /^The metadata is not usable\. jwks_uri: Enter a URL/],
    [
      'metadata',
      { issuer: 'https://other.example.net' },
      /cannot be used: .*It has to be the same as in the metadata/,
    ],
  ])('names %s when the metadata has %j', async (name, more, says) => {
    const tenant = await createSso()
    const session = await localSession(tenant)
    await tenant.provider.receiver.answer([tenant.provider.metadata(more)])
    const { body } = await session.send('POST', `${tenant.path}test/`, {})
    expect(body.is_ok).toBe(false)
    expect(body.checks.filter(({ is_ok }: { is_ok: boolean }) => !is_ok)).toEqual([
      { name, is_ok: false, detail: expect.stringMatching(says) },
    ])
  })

  it.each([
    ['redirects', { status: 302, headers: { Location: 'https://example.com/' } }],
    [
      'responds with 256 KiB',
      { status: 200, headers: { 'Content-Type': 'application/json' }, bytes: 256 * 1024 + 1 },
    ],
    ['responds with text', { status: 200 }],
  ])('fails when the issuer %s', async (_, answer) => {
    const tenant = await createSso({ isVerified: false })
    const session = await localSession(tenant)
    await tenant.provider.receiver.answer([answer])
    const { body } = await session.send('POST', `${tenant.path}test/`, {})
    expect(body.checks).toEqual([
      {
        name: 'metadata',
        is_ok: false,
        detail: expect.stringMatching(/^The metadata at .* cannot be used: /),
      },
      {
        name: 'domains',
        is_ok: false,
        detail:
          'No domain is verified: all sign-ins are refused. Add the TXT record of a domain, and verify it.',
      },
    ])
  })
})
