// What a viewer may do: everything that reads, and what is their own. The cases derive from the operations: a new one is covered without a
// change here.
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { afterEach, describe, expect, it } from 'vitest'
import { activityLog, memberships } from '../../drizzle'
import type { Operation } from '../../src/http/operation'
import { forbidden, seen } from '../support/responses'
import { setLevel } from '../support/tenant'
import { browserOf, call, expectDone, operations } from './call'
import { sampleOf } from './samples'
import { stateOf, tenantTables } from './state'
import { refusingTargetOf, targetOf } from './targets'
import { watch } from './watch'

const watched = watch()
afterEach(() => watched.check())

const READ_ONLY = forbidden(
  expect.stringMatching(
    /^Your membership of organization 'Organization \d+' is read-only \(viewer\)\. Admins and owners can change your level\.$/,
  ) as string,
)

const isInTenant = ({ path }: Operation) => /:(project|organization)_id/.test(path)

const isWrite = ({ scope, method }: Operation) =>
  scope === null || scope === 'any' ? method !== 'get' : scope.endsWith(':write')

/** In a project or an organization, and for viewers too: each has a test below. */
const FOR_VIEWERS = ['organizations_members_destroy']

/** Works in the current organization, which its path does not name. */
const IN_CURRENT = 'projects_create'

const isRefused = (operation: Operation) =>
  operation.id === IN_CURRENT ||
  (isInTenant(operation) && isWrite(operation) && !FOR_VIEWERS.includes(operation.id))

/** Tables with rows of the user alone: sessions, keys, second factors, choices. */
const OWN = new Set([
  'users',
  ...tenantTables.flatMap((table) => {
    if (table === memberships || table === activityLog) return []
    const { name, columns } = getTableConfig(table)
    return columns.some((column) => column.name === 'user_id') ? [name] : []
  }),
])

/** Everything of the organization, but when a query ran. */
const shared = (state: Record<string, unknown[][]>) =>
  Object.fromEntries(
    tenantTables.flatMap((table) => {
      const { name, columns } = getTableConfig(table)
      const isKept = columns.map((column) => column.name !== 'last_executed_at')
      return OWN.has(name) ? [] : [[name, state[name]!.map((row) => row.filter((_, index) => isKept[index]))]]
    }),
  )

it('is for viewers only where a test says so', () => {
  expect(operations.filter(({ forViewers }) => forViewers).map(({ id }) => id)).toEqual(FOR_VIEWERS)
})

describe.each(operations.filter(isRefused))('$id: a viewer', (operation) => {
  const target = refusingTargetOf(watched, operation)

  it('is refused with a session and a key, and changes nothing', async () => {
    const { tenant, params } = await target()
    await setLevel(tenant, 0)
    // A key of its own, which no cache knows as that of a member.
    const holder = await watched.holder(tenant, { scopes: ['*'] })
    const browser = await browserOf(tenant)
    const before = await stateOf(tenant)
    expect(seen(await call(tenant, operation, { params, browser }))).toEqual(READ_ONLY)
    const byKey = await call(holder, operation, { params, key: holder.key })
    expect(seen(byKey)).toEqual(
      operation.scope === null
        ? forbidden('This action does not support personal API key access')
        : READ_ONLY,
    )
    expect(shared(await stateOf(tenant))).toEqual(shared(before))
  })
})

describe.each(operations.filter((operation) => !isRefused(operation)))('$id: a viewer', (operation) => {
  const target = targetOf(watched, operation)

  it.each(['session', ...(operation.scope === null ? [] : ['key'])])(
    'is served with a %s as a member is, and changes nothing of the organization',
    async (by) => {
      const { tenant, params } = await target()
      await setLevel(tenant, 0)
      const holder = await watched.holder(tenant, { scopes: ['*'] })
      const credentials = by === 'key' ? { key: holder.key } : { browser: await browserOf(tenant) }
      const before = await stateOf(tenant)
      const response = await call(holder, operation, { params, ...credentials })
      if (FOR_VIEWERS.includes(operation.id))
        expect(seen(response)).toEqual(forbidden('You can only edit others if you are an admin.'))
      // Members are refused, too.
      else if (sampleOf(operation.id).level) expect(response.status).toBe(403)
      else {
        expectDone(operation, response)
        const { answers, forSession } = sampleOf(operation.id)
        if (!forSession) expect(response.status).toBe(answers ?? response.status)
      }
      expect(shared(await stateOf(tenant))).toEqual(shared(before))
    },
  )
})

describe('organizations_members_destroy: a viewer', () => {
  it.each(['session', 'key'])('leaves the organization with a %s', async (by) => {
    const operation = operations.find(({ id }) => id === 'organizations_members_destroy')!
    const { tenant } = await targetOf(watched, operation)()
    await setLevel(tenant, 0)
    const holder = await watched.holder(tenant, { scopes: ['*'] })
    const credentials = by === 'key' ? { key: holder.key } : { browser: await browserOf(tenant) }
    const params = { organization_id: tenant.organizationId, user_uuid: '@me' }
    expect((await call(holder, operation, { params, ...credentials })).status).toBe(204)
    expect(await call(tenant, operation, { params, browser: await browserOf(tenant) })).toMatchObject({
      status: 403,
      body: { detail: "You don't have access to the organization." },
    })
  })
})
