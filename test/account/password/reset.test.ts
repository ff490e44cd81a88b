// Links that set a new password: who may make one for whom, and that each works once.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { memberships, passwordResets } from '../../../drizzle'
import { joinOrganization } from '../../support/database/account-rows'
import { createHarness, ORIGIN } from '../../support/harness'
import { forbidden, NOT_FOUND, refused, seen } from '../../support/responses'
import { type Browser, signIn } from '../../support/session'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { createMember, login, updateUser } from '../../support/user'
import { pathOf } from '../organizations/project'

const STRONG = 'four-Green-herons-9'
const NOT_ADMIN = forbidden('You can only edit others if you are an admin.')
const ELSEWHERE = forbidden(
  'You have to be an admin, of at least the same level, in every organization of this user.',
)

/** An organization with an admin, and a member of this organization only. */
async function team(level: 1 | 8 | 15 = 8, memberLevel: 1 | 8 | 15 = 1) {
  const harness = createHarness()
  const [admin, member] = [await createTenant({ harness, level }), await createMember({ harness })]
  await database()
    .update(memberships)
    .set({ organizationId: admin.organizationId, level: memberLevel })
    .where(eq(memberships.userId, member.user.id))
  return { harness, admin, member, browser: await signIn(admin) }
}

const makeLink = (browser: Browser, host: Tenant, { user }: Tenant) =>
  browser.post(pathOf(host, `members/${user.uuid}/password_reset/`))

const send = (tenant: Tenant, url: string, password: string, headers: Record<string, string> = {}) =>
  tenant.send('POST', new URL(url).pathname, { raw: new URLSearchParams({ password }), headers })

describe('POST members/:uuid/password_reset', () => {
  it('makes a link that works once and ends all sessions', async () => {
    const { admin, member, browser } = await team()
    const theirs = await signIn(member)
    const response = await makeLink(browser, admin, member)
    expect(seen(response)).toEqual({
      status: 201,
      body: {
        url: expect.stringMatching(new RegExp(`^${ORIGIN}/reset/[0-9A-Za-z_-]{40,}$`)),
        expires_at: '2026-03-10T13:00:00Z',
      },
    })
    const { url } = response.body
    const token = url.split('/').at(-1)
    expect(JSON.stringify(await database().select().from(passwordResets))).not.toContain(token)
    const page = await member.send('GET', new URL(url).pathname)
    expect(page.status).toBe(200)
    expect(String(page.body)).toContain(member.user.email)
    expect(page.line).toMatchObject({ route: '/reset/:token' })
    expect(JSON.stringify(page.line)).not.toContain(token)

    const weak = await send(member, url, 'password1')
    expect(weak.status).toBe(400)
    expect(String(weak.body)).toContain('This password is too weak.')
    expect((await send(member, url, STRONG, { Origin: 'https://evil.test' })).status).toBe(403)
    expect((await send(member, url, STRONG)).status).toBe(200)
    expect((await theirs.get('/api/users/@me/')).status).toBe(401)
    expect((await login(member, { password: STRONG })).status).toBe(200)
    expect((await send(member, url, STRONG)).status).toBe(404)
    expect((await member.send('GET', new URL(url).pathname)).status).toBe(404)
  })

  it('expires after an hour, is replaced by the next one, and ends with a new password', async () => {
    const { admin, member, browser } = await team()
    const links = [await makeLink(browser, admin, member), await makeLink(browser, admin, member)]
    const [first, second] = links.map(({ body }) => body.url as string)
    expect((await send(member, first!, STRONG)).status).toBe(404)
    member.clock.advance({ hours: 1 })
    expect((await send(member, second!, STRONG)).status).toBe(404)
  })

  it('is rejected for members, above the own level, for oneself and for staff', async () => {
    const { admin, member, browser } = await team(1)
    expect(seen(await makeLink(browser, admin, member))).toEqual(NOT_ADMIN)
    const above = await team(8, 15)
    expect(seen(await makeLink(above.browser, above.admin, above.member))).toEqual(
      forbidden('You can only edit others with level lower or equal to you.'),
    )
    expect(seen(await makeLink(above.browser, above.admin, above.admin))).toEqual(
      refused(null, 'Change your own password in your settings.'),
    )
    const staff = await team()
    await updateUser(staff.member, { isStaff: true })
    expect(seen(await makeLink(staff.browser, staff.admin, staff.member))).toEqual(
      forbidden('Only the operator of this service can reset the password of staff.'),
    )
    expect(seen(await makeLink(above.browser, above.admin, await createTenant()))).toEqual(NOT_FOUND)
  })

  it('is rejected for a user of an organization where the caller is not an admin', async () => {
    const { harness, admin, member, browser } = await team()
    const other = await createTenant({ harness, level: 15 })
    await joinOrganization(member, other.organizationId)
    expect(seen(await makeLink(browser, admin, member))).toEqual(ELSEWHERE)
    await joinOrganization(admin, other.organizationId, 1)
    expect(seen(await makeLink(browser, admin, member))).toEqual(ELSEWHERE)
    await database()
      .update(memberships)
      .set({ level: 8 })
      .where(eq(memberships.organizationId, other.organizationId))
    expect((await makeLink(browser, admin, member)).status).toBe(201)
  })

  it('does not work any more when the admin is demoted, or the user has joined elsewhere', async () => {
    const demoted = await team()
    const { body: link } = await makeLink(demoted.browser, demoted.admin, demoted.member)
    await database()
      .update(memberships)
      .set({ level: 1 })
      .where(eq(memberships.userId, demoted.admin.user.id))
    expect((await send(demoted.member, link.url, STRONG)).status).toBe(404)

    const joined = await team()
    const { body } = await makeLink(joined.browser, joined.admin, joined.member)
    const other = await createTenant({ harness: joined.harness })
    await joinOrganization(joined.member, other.organizationId)
    expect((await send(joined.member, body.url, STRONG)).status).toBe(404)
  })
})
