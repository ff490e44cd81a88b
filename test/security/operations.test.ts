// Credentials and scopes of every operation. The cases derive from the operations: a new one is covered without a change here.
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { users } from '../../drizzle'
import { forbidden, seen } from '../support/responses'
import { database } from '../support/tenant'
import { call, expectDone, inEnvironments, operations, unauthorized } from './call'
import { samples } from './samples'
import { stateOf } from './state'
import { refusingTargetOf, targetOf } from './targets'
import { watch } from './watch'

const watched = watch()
afterEach(() => watched.check())

const scopes = [...new Set(operations.flatMap(({ scope }) => (scope && scope !== 'any' ? scope : [])))]
const satisfying = (scope: string) => [...new Set([scope, scope.replace(/:read$/, ':write')])]

describe('the operations', () => {
  it('include every operation that has a sample', () => {
    const ids = new Set([...operations, ...inEnvironments].map(({ id }) => id))
    expect(Object.keys(samples).filter((id) => !ids.has(id))).toEqual([])
  })

  it('have unique ids and paths', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
    expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length)
  })
})

describe.each(operations)('$id: credentials', (operation) => {
  const target = refusingTargetOf(watched, operation)

  it('responds with 401 without a key', async () => {
    const { tenant, params, expectUnchanged } = await target()
    for (const headers of [
      {},
      { Authorization: 'Bearer' },
      { Authorization: `Basic ${btoa('a:b')}` },
    ] as Record<string, string>[]) {
      const response = await call(tenant, operation, { params, key: null, headers })
      const hint = headers.Authorization
        ? ' Send the header as "Authorization: Bearer <personal API key>".'
        : ''
      expect(seen(response)).toEqual(
        unauthorized('not_authenticated', `Authentication credentials were not provided.${hint}`),
      )
      expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer\b/)
      expect(response.line).toMatchObject({ actor: 'anonymous', user_id: null, project_id: null })
    }
    await expectUnchanged()
  })

  it('responds with 401 for an unknown key', async () => {
    const { tenant, params, expectUnchanged } = await target()
    const last = tenant.key.at(-1) === 'a' ? 'b' : 'a'
    for (const key of [
      'phx_unknown',
      'x',
      `${tenant.key}x`,
      tenant.key.slice(0, -1) + last,
      tenant.key.toLowerCase(),
    ]) {
      const response = await call(tenant, operation, { params, key })
      expect(seen(response)).toEqual(
        unauthorized(
          'authentication_failed',
          'Personal API key found in request Authorization header is invalid.',
        ),
      )
      expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer\b/)
    }
    await expectUnchanged()
  })

  const { scope } = operation
  if (scope === null) {
    it('responds with 403 for any key', async () => {
      const { tenant, params, expectUnchanged } = await target()
      expect(seen(await call(tenant, operation, { params, key: tenant.key }))).toEqual(
        forbidden('This action does not support personal API key access'),
      )
      await expectUnchanged()
    })
  } else if (scope !== 'any') {
    it('responds with 403 for a key without the scope', async () => {
      const { tenant, params } = await target()
      const [object = ''] = scope.split(':')
      const lookalikes = [
        object,
        `${object}:`,
        `${object}:*`,
        `${scope}s`,
        scope.toUpperCase(),
        `x${scope}`,
        '**',
        '',
      ]
      const others = scopes.filter((each) => !satisfying(scope).includes(each))
      const holder = await watched.holder(tenant, { scopes: [...others, ...lookalikes] })
      const before = await stateOf(tenant)
      expect(seen(await call(holder, operation, { params }))).toEqual(
        forbidden(`API key missing required scope '${scope}'`),
      )
      expect(await stateOf(tenant)).toEqual(before)
    })
  }

  // The last: the user stays inactive.
  it('responds with 401 for the key of an inactive user', async () => {
    const { tenant, params } = await target()
    const holder = await watched.holder(tenant, {})
    await database().update(users).set({ isActive: false }).where(eq(users.id, tenant.user.id))
    const before = await stateOf(tenant)
    // A key of their own, which no cache has seen yet.
    const response = await call(holder, operation, { params, key: holder.key })
    expect(response.status).toBe(401)
    expect(await stateOf(tenant)).toEqual(before)
  })
})

describe.each(operations.filter(({ scope }) => scope !== null && scope !== 'any'))(
  '$id: scope $scope',
  (operation) => {
    const target = targetOf(watched, operation)

    // A key with `*` sends what envelope.test.ts has.
    it.each(satisfying(operation.scope!))('is satisfied by %s', async (held) => {
      const { tenant, params } = await target()
      const also = operation.alsoScope ? [operation.alsoScope] : []
      const holder = await watched.holder(tenant, { scopes: [held, ...also] })
      expectDone(operation, await call(holder, operation, { params }))
    })

    it.runIf(operation.alsoScope)('responds with 403 for a key without the second scope', async () => {
      const { tenant, params } = await target()
      const others = scopes.filter((each) => !satisfying(operation.alsoScope!).includes(each))
      const holder = await watched.holder(tenant, { scopes: others })
      const before = await stateOf(tenant)
      expect(seen(await call(holder, operation, { params }))).toEqual(
        forbidden(`API key missing required scope '${operation.alsoScope}'`),
      )
      expect(await stateOf(tenant)).toEqual(before)
    })
  },
)
