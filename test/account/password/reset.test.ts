// Links that set a new password: who may make one for whom, and that each works once.
import { eq, getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import * as schema from '../../../drizzle'
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

/** A tenant has a key, so that a choice is needed. */
const send = (tenant: Tenant, url: string, password: string, headers: Record<string, string> = {}) =>
  submit(tenant, url, { password, other_credentials: 'keep' }, headers)

const submit = (
  tenant: Tenant,
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) => tenant.send('POST', new URL(url).pathname, { raw: new URLSearchParams(fields), headers })

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

describe('what else acts for the user', () => {
  const AT = '2026-03-01 09:00:00'
  const CREDENTIALS = {
    'Personal API key': (userId: number, id: string) => ({
      table: schema.personalApiKeys,
      row: {
        id,
        userId,
        label: 'deploy',
        secureValue: id,
        maskValue: 'phx_',
        scopes: ['*'],
        scopedTeams: [],
        scopedOrganizations: [],
      },
      shown: 'deploy',
    }),
    'Chat identity': (userId: number, id: string) => ({
      table: schema.chatLinks,
      row: {
        id,
        userId,
        chatUserId: 'U1',
        workspaceId: 'T1',
        workspaceName: 'Harbour',
        scope: 'openid',
        linkedAt: AT,
      },
      shown: 'Harbour',
    }),
    'Device that gets notifications': (userId: number, id: string) => ({
      table: schema.pushTokens,
      row: { id, userId, token: id, platform: 'ios', lastSeenAt: AT },
      shown: 'ios',
    }),
    'Single sign-on': (userId: number, id: string) => ({
      table: schema.ssoIdentities,
      row: { organizationId: '', issuer: `https://${id}.test`, subject: 's', userId },
      shown: `https://${id}.test`,
    }),
  }

  /** Gives a user without a key one credential. Returns the path of a link, and how many rows the credential has. */
  async function credential(kind: keyof typeof CREDENTIALS) {
    const { admin, member, browser } = await team()
    await database().delete(schema.personalApiKeys).where(eq(schema.personalApiKeys.userId, member.user.id))
    const { table, row, shown } = CREDENTIALS[kind](member.user.id, crypto.randomUUID())
    if (table === schema.ssoIdentities) {
      await database().insert(schema.organizationSso).values({
        organizationId: admin.organizationId,
        issuer: 'https://a.test',
        clientId: 'c',
        clientSecret: 's',
        createdAt: AT,
        updatedAt: AT,
      })
      Object.assign(row, { organizationId: admin.organizationId })
    }
    await database()
      .insert(table as typeof schema.pushTokens)
      .values({ ...row, createdAt: AT } as never)
    const { body } = await makeLink(browser, admin, member)
    return {
      member,
      url: body.url as string,
      shown,
      count: () => database().$count(table, eq(table.userId, member.user.id)),
    }
  }

  it.each(Object.keys(CREDENTIALS) as (keyof typeof CREDENTIALS)[])('needs a choice: %s', async (kind) => {
    const { member, url, shown, count } = await credential(kind)
    expect(String((await member.send('GET', new URL(url).pathname)).body)).toContain(
      `<li>${kind}: ${shown} <span class="soft">(2026-03-01)</span></li>`,
    )
    const noChoice: Record<string, string>[] = [{}, { other_credentials: 'both' }]
    for (const choice of noChoice) {
      const refusal = await submit(member, url, { password: STRONG, ...choice })
      expect(refusal.status).toBe(400)
      expect(String(refusal.body)).toContain(
        'Choose whether to keep or to remove what else acts for this account.',
      )
    }
    expect(await count()).toBe(1)
    expect((await submit(member, url, { password: STRONG, other_credentials: 'remove' })).status).toBe(200)
    expect(await count()).toBe(0)
  })

  it('is kept if the user chooses so', async () => {
    const { member, url, count } = await credential('Personal API key')
    expect((await submit(member, url, { password: STRONG, other_credentials: 'keep' })).status).toBe(200)
    expect(await count()).toBe(1)
  })

  it('ends at once, and a user without any is not asked', async () => {
    const { admin, member, browser } = await team()
    expect((await member.get('/api/users/@me/')).status).toBe(200)
    const first = await makeLink(browser, admin, member)
    await submit(member, first.body.url, { password: STRONG, other_credentials: 'remove' })
    expect((await member.get('/api/users/@me/')).status).toBe(401)
    const second = await makeLink(browser, admin, member)
    expect(String((await member.send('GET', new URL(second.body.url).pathname)).body)).not.toContain(
      'fieldset',
    )
    expect((await submit(member, second.body.url, { password: `${STRONG}b` })).status).toBe(200)
  })

  it('is every table by user, except what ends anyway, what gives no access, and the second factor', () => {
    const byUser = Object.values(schema)
      .filter((table) => is(table, SQLiteTable) && 'userId' in getTableColumns(table))
      .map((table) => getTableName(table as SQLiteTable))
    const removed = ['personal_api_keys', 'sso_identities', 'chat_links', 'push_tokens']
    const ended = ['sessions', 'login_challenges', 'password_resets']
    const secondFactor = ['totp_devices', 'backup_codes']
    const withoutAccess = ['organization_memberships', 'scene_personalisations', 'activity_log']
    expect(byUser.toSorted()).toEqual([...removed, ...ended, ...secondFactor, ...withoutAccess].toSorted())
  })
})
