// Single sign-on all the way: the served Worker, a real OpenID Connect provider, DNS, and a browser between them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBrowser } from '../../support/browser/http-browser'
import { CLIENT } from '../chat/chat-provider'
import { passwordSession, signInBySso, type Sso, startSso } from './sso'

const path = '/api/organizations/@current/sso/'
const DOMAIN = 'example.com'

let sso: Sso
let owner: Awaited<ReturnType<typeof passwordSession>>
let settings: Record<string, unknown>

beforeAll(async () => {
  sso = await startSso()
  const { email, password } = sso.served.credentials
  owner = await passwordSession(sso.served, email, password)
  settings = {
    issuer: sso.provider.issuer,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    domains: [DOMAIN],
    level_claim: 'groups',
    levels: { admins: 8 },
  }
})
afterAll(() => sso?.stop())

const membersOf = async () => {
  const { body } = await owner.call('GET', '/api/organizations/@current/members/')
  return Object.fromEntries(
    body.results.map((each: { user: { email: string }; level: number }) => [each.user.email, each.level]),
  )
}

it('is set up, tested, and refuses everyone until DNS proves the domain', async () => {
  const put = await owner.call('PUT', path, settings)
  expect(put.status).toBe(200)
  const refused = await signInBySso(sso, createBrowser(), `grace@${DOMAIN}`)
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('No organization here'),
  ])

  const verify = () => owner.call('POST', `${path}verify_domain/`, { domain: DOMAIN })
  expect(await verify()).toMatchObject({ status: 400, body: { attr: 'domain', code: 'not_verified' } })
  sso.dns.set(DOMAIN, ['v=spf1 -all', put.body.verifications[0].txt_record])
  expect(await verify()).toMatchObject({
    status: 200,
    body: { verifications: [{ verified_at: expect.any(String) }] },
  })

  const test = await owner.call('POST', `${path}test/`, {})
  expect(test.body).toMatchObject({ is_ok: true })
})

it.each([true, false])(
  'creates members with the level of a claim, in the ID token: %s',
  async (claimsInIdToken) => {
    sso.provider.allow(`${sso.served.url}/login/sso/callback`, { claimsInIdToken })
    const [admin, member] = [`admin-${claimsInIdToken}@${DOMAIN}`, `grace-${claimsInIdToken}@${DOMAIN}`]
    for (const account of [admin, member]) {
      const response = await signInBySso(sso, createBrowser(), account)
      expect([response.status, response.headers.get('Location')]).toEqual([303, '/'])
    }
    expect(await membersOf()).toMatchObject({ [admin]: 8, [member]: 1 })
  },
)

it('asks the owner for the password once', async () => {
  const { email, password } = sso.served.credentials
  const browser = createBrowser()
  const asked = await signInBySso(sso, browser, email)
  expect(asked.headers.get('Location')).toBe('/login/sso/link')
  const form = await (await browser.open(`${sso.served.url}/login/sso/link`)).text()
  const csrf = /name="csrf" value="([^"]+)"/.exec(form)![1]!
  const linked = await browser.open(`${sso.served.url}/login/sso/link`, { form: { csrf, password } })
  expect([linked.status, linked.headers.get('Location')]).toEqual([303, '/'])
  expect((await signInBySso(sso, createBrowser(), email)).headers.get('Location')).toBe('/')
})

it.each([
  [`unconfirmed@${DOMAIN}`, 'Your provider does not confirm your email address.'],
  [`grace@elsewhere.example.net`, 'No organization here has single sign-on for elsewhere.example.net.'],
])('refuses %s', async (account, says) => {
  const before = await membersOf()
  const response = await signInBySso(sso, createBrowser(), account)
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(await response.text()).toContain(says)
  expect(await membersOf()).toEqual(before)
})

it('tells when the client secret is wrong', async () => {
  await owner.call('PUT', path, { ...settings, client_secret: 'wrong' })
  sso.provider.refusals.length = 0
  const response = await signInBySso(sso, createBrowser(), `grace@${DOMAIN}`)
  expect([response.status, await response.text()]).toEqual([
    403,
    expect.stringContaining('Your provider did not confirm who you are'),
  ])
  expect(sso.provider.refusals).toEqual([expect.stringContaining('invalid_client')])
  await owner.call('PUT', path, settings)
})
