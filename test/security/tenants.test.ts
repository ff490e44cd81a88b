// What no operation may get wrong about whose things it is on: projects, organizations and users of others. The cases derive from the
// operations, as in operations.test.ts.
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { memberships, organizations } from '../../drizzle'
import { forbidden, seen } from '../support/responses'
import { database, setLevel } from '../support/tenant'
import {
  ABSENT,
  call,
  expectDone,
  inBoth,
  inOrganizations,
  inProjects,
  inProjectsByEachPath,
  onThings,
  onUsers,
  ORGANIZATION_NOT_FOUND,
  paramsFor,
  PROJECT_NOT_FOUND,
  thingOf,
} from './call'
import { stateOf } from './state'
import { refusingTargetOf, strangerOf, targetOf } from './targets'
import { watch } from './watch'

const watched = watch()
const someStranger = strangerOf(watched)
afterEach(() => watched.check())

describe.each(inProjectsByEachPath)('$id: project', (operation) => {
  const refusing = refusingTargetOf(watched, operation)

  it('responds with 403 for a member of another organization, and changes nothing', async () => {
    const { params, expectUnchanged } = await refusing()
    const stranger = await someStranger()
    expect(seen(await call(stranger, operation, { params }))).toEqual(
      forbidden("You don't have access to the project."),
    )
    await expectUnchanged()
  })
})

/** One operation that shows what all have in common. */
const firstWithKeys = inProjects.find(({ scope }) => scope !== null)

describe.each(inProjects)('$id: project', (operation) => {
  const target = targetOf(watched, operation)
  const refusing = refusingTargetOf(watched, operation)
  const itWithKeys = it.runIf(operation.scope !== null)

  itWithKeys(
    'responds with 403 for keys that are restricted to other projects or organizations',
    async () => {
      const [{ tenant, params }, other] = [await refusing(), await someStranger()]
      const elsewhere = await watched.holder(tenant, { scopedTeams: [other.projectId] })
      const outside = await watched.holder(tenant, { scopedOrganizations: [other.organizationId] })
      const before = await stateOf(tenant)
      expect(seen(await call(elsewhere, operation, { params }))).toEqual(
        forbidden(`API key does not have access to the requested project: ID ${tenant.projectId}.`),
      )
      expect(seen(await call(outside, operation, { params }))).toEqual(
        // Only a path may name an organization: whose project it is, the key does not learn.
        forbidden(
          `API key does not have access to the requested organization${operation.path.includes(':organization_id') ? `: ID ${tenant.organizationId}` : ''}.`,
        ),
      )
      const current = { ...params, project_id: '@current' }
      expect(seen(await call(elsewhere, operation, { params: current }))).toEqual(
        forbidden('API key does not have access to the requested project.'),
      )
      expect(await stateOf(tenant)).toEqual(before)
    },
  )

  itWithKeys('accepts keys that are restricted to the project and its organization', async () => {
    const [{ tenant, params }, other] = [await target(), await someStranger()]
    const inside = await watched.holder(tenant, {
      scopedTeams: [other.projectId, tenant.projectId],
      scopedOrganizations: [tenant.organizationId],
    })
    expectDone(operation, await call(inside, operation, { params }))
  })

  itWithKeys('responds with 403 if the organization allows keys to admins only', async () => {
    for (const level of operation === firstWithKeys ? ([1, 8] as const) : ([1] as const)) {
      const { tenant, params } = await (level === 8 ? target() : refusing())
      const [own] = await database().select().from(memberships).where(eq(memberships.userId, tenant.user.id))
      const restrict = (isRestricted: boolean) =>
        database()
          .update(organizations)
          .set({ membersCanUsePersonalApiKeys: !isRestricted })
          .where(eq(organizations.id, tenant.organizationId))
          .returning()
      await setLevel(tenant, level)
      const [organization] = await restrict(true)
      const holder = await watched.holder(tenant, {})
      const response = await call(holder, operation, { params })
      if (level === 8) expectDone(operation, response)
      else {
        expect(seen(response)).toEqual(
          forbidden(
            `Organization '${organization!.name}' does not allow using personal API keys. ` +
              'Contact an admin to enable personal API keys for this organization.',
          ),
        )
      }
      // Other tests use them, too.
      await restrict(false)
      await setLevel(tenant, own!.level as 1 | 8 | 15)
    }
  })

  it('responds with 404 for an invalid project id', async () => {
    const { tenant, params, expectUnchanged } = await refusing()
    const ids = [ABSENT, 0, -1, 'abc', '1e3', '0x1', '1.0', '@other', '١', '\u0000', '9'.repeat(40)]
    for (const id of ids) {
      const response = await call(tenant, operation, { params: { ...params, project_id: id } })
      expect(seen(response), JSON.stringify(id)).toEqual(PROJECT_NOT_FOUND)
    }
    await expectUnchanged()
  })

  itWithKeys('resolves @current to the project of the caller', async () => {
    const { tenant, params } = await target()
    const response = await call(tenant, operation, { params: { ...params, project_id: '@current' } })
    expectDone(operation, response)
    expect(response.line).toMatchObject({
      actor: 'apiKey',
      user_id: tenant.user.id,
      project_id: tenant.projectId,
    })
  })
})

describe.each(onThings)('$id: objects of others', (operation) => {
  const target = refusingTargetOf(watched, operation)
  const thing = thingOf(operation)!

  it('responds to ids of other projects as to unknown ids, and changes nothing', async () => {
    const [{ params: theirs, expectUnchanged }, stranger] = [await target(), await someStranger()]
    const params = { ...theirs, project_id: stranger.projectId }
    const before = await stateOf(stranger)
    const foreign = await call(stranger, operation, { params })
    const absent = await call(stranger, operation, { params: { ...params, [thing]: ABSENT } })
    expect(seen(foreign)).toEqual(seen(absent))
    expect(foreign.status).toBeGreaterThanOrEqual(400)
    expect(await stateOf(stranger)).toEqual(before)
    await expectUnchanged()
  })

  it('finds nothing for an invalid id', async () => {
    const { tenant, params, expectUnchanged } = await target()
    const ids = ['0', '-1', '1.5', '1e999', 'abc', '\u0000', "1' OR '1'='1", '9'.repeat(40), '../1']
    for (const id of ids) {
      const { status } = await call(tenant, operation, { params: { ...params, [thing]: id } })
      expect([404, 405], id).toContain(status)
    }
    await expectUnchanged()
  })
})

describe.each(inBoth)('$id: a project of an organization', (operation) => {
  const refusing = refusingTargetOf(watched, operation)

  it('responds with 404 unless the project is in the organization', async () => {
    const { tenant, params, expectUnchanged } = await refusing()
    const stranger = await someStranger()
    const others = [stranger.organizationId, crypto.randomUUID(), 'abc', '@other', "1' OR '1'='1"]
    for (const organization_id of others) {
      const response = await call(tenant, operation, { params: { ...params, organization_id } })
      expect(seen(response), organization_id).toEqual(PROJECT_NOT_FOUND)
    }
    const theirs = { ...params, project_id: stranger.projectId }
    expect(seen(await call(tenant, operation, { params: theirs }))).toEqual(PROJECT_NOT_FOUND)
    await expectUnchanged()
  })

  it('takes @current for both', async () => {
    const { tenant, params } = await targetOf(watched, operation)()
    const current = { ...params, project_id: '@current', organization_id: '@current' }
    expectDone(operation, await call(tenant, operation, { params: current }))
  })
})

describe.each(inOrganizations)('$id: organization', (operation) => {
  const target = targetOf(watched, operation)
  const refusing = refusingTargetOf(watched, operation)

  it('responds with 403 for a member of another organization', async () => {
    const { params, expectUnchanged } = await refusing()
    expect(seen(await call(await someStranger(), operation, { params }))).toEqual(
      forbidden("You don't have access to the organization."),
    )
    await expectUnchanged()
  })

  it.runIf(operation.scope !== null)(
    'responds with 403 for a key that is restricted to other organizations',
    async () => {
      const [{ tenant, params }, other] = [await target(), await someStranger()]
      const outside = await watched.holder(tenant, { scopedOrganizations: [other.organizationId] })
      const inside = await watched.holder(tenant, { scopedOrganizations: [tenant.organizationId] })
      expect(seen(await call(outside, operation, { params }))).toEqual(
        forbidden(`API key does not have access to the requested organization: ID ${tenant.organizationId}.`),
      )
      expect(
        seen(await call(outside, operation, { params: { ...params, organization_id: '@current' } })),
      ).toEqual(forbidden('API key does not have access to the requested organization.'))
      expectDone(operation, await call(inside, operation, { params }))
    },
  )

  it.runIf(operation.scope !== null)(
    'responds with 403 for a key that is restricted to projects',
    async () => {
      const { tenant, params } = await target()
      const holder = await watched.holder(tenant, { scopedTeams: [tenant.projectId] })
      expect(seen(await call(holder, operation, { params }))).toEqual(
        forbidden('API keys with scoped projects are only supported on project-based endpoints.'),
      )
    },
  )

  it('responds with 404 for an invalid organization id', async () => {
    const { tenant, params, expectUnchanged } = await refusing()
    for (const id of [crypto.randomUUID(), 0, 'abc', '@other', '\u0000', "1' OR '1'='1"]) {
      const response = await call(tenant, operation, { params: { ...params, organization_id: id } })
      expect(seen(response), JSON.stringify(id)).toEqual(ORGANIZATION_NOT_FOUND)
    }
    await expectUnchanged()
  })

  it('resolves @current to the organization of the caller', async () => {
    const { tenant, params } = await target()
    expectDone(
      operation,
      await call(tenant, operation, { params: { ...params, organization_id: '@current' } }),
    )
  })
})

describe.each(onUsers)('$id: users', (operation) => {
  const refusing = refusingTargetOf(watched, operation)

  it('accepts the uuid of the caller for @me', async () => {
    const tenant = await watched.tenant()
    for (const uuid of [tenant.user.uuid, tenant.user.uuid.toUpperCase()]) {
      const params = await paramsFor(operation, tenant)
      expectDone(operation, await call(tenant, operation, { params: { ...params, uuid } }))
    }
  })

  it('responds with 403 for other users, existing or not', async () => {
    const [{ tenant, params }, other] = [await refusing(), await someStranger()]
    const detail =
      operation.targetUser?.rejection ??
      "As a non-staff user you're only allowed to access the `@me` user instance."
    const others = [other.user.uuid, other.user.id, crypto.randomUUID(), '@you', 'abc', '0', '\u0000']
    for (const uuid of others) {
      expect(seen(await call(tenant, operation, { params: { ...params, uuid } }))).toEqual(forbidden(detail))
    }
  })
})
