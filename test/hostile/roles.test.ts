// Levels in an organization: nobody rises above themselves, acts on somebody above them, or leaves an organization without an owner.
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { activityLog, memberships } from '../../drizzle'
import { type Level, LEVELS } from '../../src/auth/actor'
import { joinOrganization } from '../support/database/account-rows'
import { forbidden, NOT_FOUND, refused, seen } from '../support/responses'
import { createHarness } from '../support/harness'
import { createOvertaken } from '../support/faults/overtaken'
import { impersonate, signIn } from '../support/session'
import { createTenant, database, setLevel, type Tenant } from '../support/tenant'
import { updateUser } from '../support/user'

const pathOf = ({ organizationId }: Tenant, member: Tenant | '@me') =>
  `/api/organizations/${organizationId}/members/${member === '@me' ? member : member.user.uuid}/`

/** Every member's level, and how many entries the activity log has. */
async function stateOf({ organizationId }: Tenant) {
  const db = database()
  const [levels, entries] = await db.batch([
    db
      .select({ userId: memberships.userId, level: memberships.level })
      .from(memberships)
      .where(eq(memberships.organizationId, organizationId))
      .orderBy(memberships.userId),
    db.select({ id: activityLog.id }).from(activityLog).where(eq(activityLog.organizationId, organizationId)),
  ])
  return { levels, entries: entries.length }
}

const READ_ONLY = forbidden(
  expect.stringMatching(/^Your membership of organization '.+' is read-only/) as string,
)
const ADMINS_ONLY = forbidden('You can only edit others if you are an admin.')
const ABOVE_CALLER = forbidden('You can only edit others with level lower or equal to you.')
const OWNERS_MAKE_OWNERS = forbidden(
  "You can only make another member owner if you're this organization's owner.",
)
const NO_KEY = forbidden(
  'Making, changing or removing admins and owners needs a recent sign-in. Personal API keys can change and remove members and viewers only.',
)
const NOT_RECENT = {
  status: 403,
  body: {
    type: 'authentication_error',
    code: 'sensitive_action_required_reauth',
    detail: 'This action requires you to be recently authenticated.',
    attr: null,
  },
}
const LAST_OWNER = refused(
  null,
  'The last owner of an organization can neither leave nor be demoted. Make another member owner first.',
  'last_owner',
)
const TWO_HOURS_AGO = '2026-03-10T10:00:00.000000Z'

/** An organization with an owner, and a caller and a target of some levels. */
async function arrange(callerLevel: Level, targetLevel: Level) {
  const harness = createHarness()
  const [owner, caller, target] = [
    await createTenant({ harness, level: 15 }),
    await createTenant({ harness }),
    await createTenant({ harness }),
  ]
  await joinOrganization(caller, owner.organizationId, callerLevel)
  await joinOrganization(target, owner.organizationId, targetLevel)
  return { owner, caller, target, path: pathOf(owner, target) }
}

/** What a fresh session of a level is answered; null where it succeeds. */
function expectedOf(caller: Level, target: Level, to: Level | 'removed') {
  if (caller === 0 && to !== 'removed') return READ_ONLY
  if (caller < 8) return ADMINS_ONLY
  if (target > caller) return ABOVE_CALLER
  return to === 15 && caller < 15 ? OWNERS_MAKE_OWNERS : null
}

const CASES = LEVELS.flatMap((caller) =>
  LEVELS.flatMap((target) =>
    ([...LEVELS, 'removed'] as const).map((to) => ({
      caller,
      target,
      to,
      expected: expectedOf(caller, target, to),
    })),
  ),
)

describe.each(CASES)(
  'level $caller, on a member of level $target: $to',
  ({ caller, target, to, expected }) => {
    it(expected ? 'is refused, and changes nothing' : 'succeeds from a fresh session', async () => {
      const world = await arrange(caller, target)
      const browser = await signIn(world.caller)
      const before = await stateOf(world.owner)
      const response =
        to === 'removed' ? await browser.delete(world.path) : await browser.patch(world.path, { level: to })
      if (!expected) return expect(response.status).toBe(to === 'removed' ? 204 : 200)
      expect(seen(response)).toEqual(expected)
      expect(await stateOf(world.owner)).toEqual(before)
    })

    it('takes no key and no old session where admins or owners are concerned', async () => {
      const isSensitive = target >= 8 || (to !== 'removed' && to >= 8)
      const world = await arrange(caller, target)
      const before = await stateOf(world.owner)
      const stale = await signIn(world.caller, { authenticatedAt: TWO_HOURS_AGO })
      for (const [send, refusal] of [
        [world.caller, NO_KEY],
        [stale, NOT_RECENT],
      ] as const) {
        if (!expected && !isSensitive) continue
        const response =
          to === 'removed' ? await send.delete(world.path) : await send.patch(world.path, { level: to })
        expect(seen(response)).toEqual(expected ?? refusal)
      }
      expect(await stateOf(world.owner)).toEqual(before)
    })
  },
)

describe('the last owner', () => {
  it('neither leaves nor lowers their own level', async () => {
    const { owner } = await arrange(8, 1)
    const browser = await signIn(owner)
    const before = await stateOf(owner)
    for (const path of [pathOf(owner, '@me'), pathOf(owner, owner)]) {
      expect(seen(await browser.delete(path))).toEqual(LAST_OWNER)
      expect(seen(await browser.patch(path, { level: 8 }))).toEqual(LAST_OWNER)
      expect(seen(await browser.patch(path, { level: 1 }))).toEqual(LAST_OWNER)
      expect(seen(await owner.delete(path))).toEqual(NO_KEY)
      expect((await browser.patch(path, { level: 15 })).status).toBe(200)
    }
    expect(await stateOf(owner)).toEqual(before)
  })

  it('is the last active one: a deactivated owner does not count', async () => {
    const { owner, target } = await arrange(8, 15)
    await updateUser(target, { isActive: false })
    const browser = await signIn(owner)
    expect(seen(await browser.delete(pathOf(owner, '@me')))).toEqual(LAST_OWNER)
  })

  it('is an owner of this organization, not of another one', async () => {
    const { owner, target } = await arrange(8, 1)
    await setLevelIn(target, target, 15)
    const browser = await signIn(owner)
    expect(seen(await browser.delete(pathOf(owner, '@me')))).toEqual(LAST_OWNER)
  })
})

const setLevelIn = ({ organizationId }: Tenant, { user }: Tenant, level: Level) =>
  database()
    .update(memberships)
    .set({ level })
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, user.id)))

describe('two concurrent owners', () => {
  const owners = async (tenant: Tenant) =>
    (await stateOf(tenant)).levels.filter(({ level }) => level === 15).length

  it.each<
    [string, (path: { mine: string; theirs: string }) => [method: string, path: string, body?: object]]
  >([
    ['leave', ({ mine }) => ['DELETE', mine]],
    ['lower their own level', ({ mine }) => ['PATCH', mine, { level: 1 }]],
    ['remove each other', ({ theirs }) => ['DELETE', theirs]],
    ['demote each other', ({ theirs }) => ['PATCH', theirs, { level: 8 }]],
  ])('%s: one owner stays', async (_, request) => {
    for (let round = 0; round < 5; round += 1) {
      const { owner, target } = await arrange(8, 15)
      const [first, second] = [await signIn(owner), await signIn(target)]
      const [a, b] = [pathOf(owner, owner), pathOf(owner, target)]
      const responses = await Promise.all(
        (
          [
            [first, { mine: a, theirs: b }],
            [second, { mine: b, theirs: a }],
          ] as const
        ).map(([browser, paths]) => {
          const [method, path, body] = request(paths)
          return browser.send(method, path, body ? { body } : {})
        }),
      )
      expect(responses.filter(({ status }) => status < 300)).toHaveLength(1)
      expect(await owners(owner)).toBe(1)
    }
  })

  it.each([
    ['DELETE', 'delete from "organization_memberships"'],
    ['PATCH', 'update "organization_memberships"'],
  ] as const)(
    'finds by %s that the other one left after the rules were checked',
    async (method, statement) => {
      const { tenant, overtake } = await createOvertaken(statement)
      await setLevel(tenant, 15)
      const other = await createTenant({ harness: tenant })
      await joinOrganization(other, tenant.organizationId, 15)
      const browser = await signIn(tenant)
      overtake(() => setLevelIn(tenant, other, 1))
      const body = method === 'PATCH' ? { body: { level: 8 } } : {}
      expect(seen(await browser.send(method, pathOf(tenant, '@me'), body))).toEqual(LAST_OWNER)
      expect((await stateOf(tenant)).entries).toBe(0)
    },
  )
})

describe('a change between the check and the write', () => {
  it.each<[string, (tenant: Tenant, target: Tenant) => Promise<unknown>, object]>([
    ['of the target to owner', (tenant, target) => setLevelIn(tenant, target, 15), ABOVE_CALLER],
    ['of the caller to member', (tenant) => setLevelIn(tenant, tenant, 1), ADMINS_ONLY],
    [
      'that removes the caller',
      (tenant) => database().delete(memberships).where(eq(memberships.userId, tenant.user.id)),
      forbidden("You don't have access to the organization."),
    ],
    [
      'that removes the target',
      (_, target) => database().delete(memberships).where(eq(memberships.userId, target.user.id)),
      NOT_FOUND,
    ],
  ])('%s is noticed', async (_, meanwhile, expected) => {
    const { tenant, overtake } = await createOvertaken('delete from "organization_memberships"')
    await setLevel(tenant, 8)
    const target = await createTenant({ harness: tenant })
    await joinOrganization(target, tenant.organizationId)
    overtake(() => meanwhile(tenant, target))
    expect(seen(await tenant.delete(pathOf(tenant, target)))).toEqual(expected)
    expect((await stateOf(tenant)).entries).toBe(0)
  })
})

describe('users outside the organization', () => {
  it('are answered like users who do not exist', async () => {
    const { owner } = await arrange(8, 1)
    const stranger = await createTenant({ harness: owner })
    const browser = await signIn(owner)
    const unknown = { ...stranger, user: { ...stranger.user, uuid: crypto.randomUUID() } }
    for (const each of [stranger, unknown]) {
      expect(seen(await browser.delete(pathOf(owner, each)))).toEqual(NOT_FOUND)
      expect(seen(await browser.patch(pathOf(owner, each), { level: 1 }))).toEqual(NOT_FOUND)
      expect(seen(await browser.patch(pathOf(owner, each), { level: 15 }))).toEqual(NOT_FOUND)
    }
    expect((await stateOf(stranger)).levels).toEqual([{ userId: stranger.user.id, level: 1 }])
  })

  it('cannot change members, by key or session', async () => {
    const { owner, target, path } = await arrange(8, 1)
    const stranger = await createTenant({ harness: owner, level: 15 })
    const before = await stateOf(owner)
    for (const caller of [stranger, await signIn(stranger)]) {
      const no = forbidden("You don't have access to the organization.")
      expect(seen(await caller.patch(path, { level: 1 }))).toEqual(no)
      expect(seen(await caller.delete(path))).toEqual(no)
      expect(seen(await caller.delete(pathOf(owner, '@me')))).toEqual(no)
      // Their own organization does not make them a member of this one.
      expect(seen(await caller.delete(pathOf(stranger, target)))).toEqual(NOT_FOUND)
    }
    expect(await stateOf(owner)).toEqual(before)
  })
})

describe('staff who impersonate an owner', () => {
  it('change and remove no member', async () => {
    const { owner, path } = await arrange(8, 1)
    const staff = await createTenant({ harness: owner })
    const browser = await impersonate(staff, owner)
    const before = await stateOf(owner)
    const blocked = {
      status: 403,
      body: {
        type: 'authentication_error',
        code: 'impersonation_path_blocked',
        detail: 'This action is not allowed during impersonation.',
        attr: null,
      },
    }
    expect(seen(await browser.patch(path, { level: 8 }))).toEqual(blocked)
    expect(seen(await browser.delete(path))).toEqual(blocked)
    expect(await stateOf(owner)).toEqual(before)
  })
})

describe('a removed admin', () => {
  it('is not regained by an invite that they made for another address', async () => {
    const { owner, target, path } = await arrange(8, 8)
    const browser = await signIn(target)
    const { body: invite } = await browser.post(`/api/organizations/${owner.organizationId}/invites/`, {
      target_email: `${crypto.randomUUID()}@example.com`,
      level: 8,
    })
    expect((await (await signIn(owner)).delete(path)).status).toBe(204)
    const account = { first_name: 'Mallory', password: 'four-Green-herons-9' }
    expect(seen(await owner.send('POST', `/api/signup/${invite.id}/`, { body: account }))).toEqual(
      refused(null, 'The provided invite ID is not valid.'),
    )
  })
})
