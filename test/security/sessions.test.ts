// What no operation may get wrong about a caller who is signed in. The cases derive from the operations, as in operations.test.ts.
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { sessions, users } from '../../drizzle'
import { csrfTokenOf } from '../../src/auth/csrf'
import { forbidden, seen } from '../support/responses'
import { signIn } from '../support/session'
import { database } from '../support/tenant'
import { browserOf, call, expectDone, inProjects, operations, pathOf, unauthorized } from './call'
import { sampleOf } from './samples'
import { refusingTargetOf, strangerOf, targetOf } from './targets'
import { watch } from './watch'

const watched = watch()
const someStranger = strangerOf(watched)
afterEach(() => watched.check())

const unsafe = operations.filter(({ method }) => method !== 'get')
const recent = unsafe.filter(({ recentAuth }) => recentAuth)

const NOT_AUTHENTICATED = unauthorized('not_authenticated', 'Authentication credentials were not provided.')

describe.each(operations)('$id: a session', (operation) => {
  const target = targetOf(watched, operation)
  const refusing = refusingTargetOf(watched, operation)

  it('is accepted', async () => {
    const { tenant, params } = await target()
    const response = await call(tenant, operation, { params, browser: await browserOf(tenant) })
    expectDone(operation, response)
    expect(response.line).toMatchObject({ actor: 'session', user_id: tenant.user.id })
  })

  it('is rejected once expired, revoked, or of an inactive user', async () => {
    const ends = [
      (id: string) =>
        database()
          .update(sessions)
          .set({ expiresAt: '2026-03-10T12:00:00.000000Z' })
          .where(eq(sessions.id, id)),
      (id: string) => database().delete(sessions).where(eq(sessions.id, id)),
      (_: string, userId: number) =>
        database().update(users).set({ isActive: false }).where(eq(users.id, userId)),
    ]
    const { tenant, params } = await refusing()
    for (const end of ends) {
      const browser = await signIn(tenant)
      await end(browser.sessionId, tenant.user.id)
      const { forSession: _, ...sample } = sampleOf(operation.id)
      const response = await tenant.send(operation.method.toUpperCase(), pathOf(operation, params), {
        ...(operation.body ? { body: sample.body ?? {} } : {}),
        headers: browser.headers,
      })
      expect(seen(response)).toEqual(NOT_AUTHENTICATED)
    }
    await database().update(users).set({ isActive: true }).where(eq(users.id, tenant.user.id))
  })
})

describe.each(unsafe)('$id: forged by another page', (operation) => {
  const cases: [string, (token: string) => Record<string, string>][] = [
    ['without the token', () => ({ 'X-CSRFToken': '' })],
    ['with the token of another session', () => ({ 'X-CSRFToken': csrfTokenOf('another') })],
    [
      'with a cookie and header that agree with each other only',
      (token) => ({ Cookie: `sessionid=${token}; posthog_csrftoken=x`, 'X-CSRFToken': 'x' }),
    ],
    ['from another origin', () => ({ Origin: 'https://evil.test' })],
    ['from nowhere', () => ({ Origin: 'null' })],
    ['from a page of another origin', () => ({ Origin: '', Referer: 'https://evil.test/halyard.test' })],
  ]

  const target = refusingTargetOf(watched, operation)

  it('is rejected, and changes nothing', async () => {
    const { tenant, params, expectUnchanged } = await target()
    const browser = await browserOf(tenant)
    for (const [how, headersFor] of cases) {
      const headers = Object.fromEntries(
        Object.entries({ ...browser.headers, ...headersFor(browser.token) }).filter(
          ([, value]) => value !== '',
        ),
      )
      const response = await tenant.send(operation.method.toUpperCase(), pathOf(operation, params), {
        ...(operation.body ? { body: sampleOf(operation.id).body ?? {} } : {}),
        headers,
      })
      expect(seen(response), how).toEqual(forbidden(expect.stringMatching(/^CSRF Failed: /)))
    }
    await expectUnchanged()
  })
})

describe.each(recent)('$id: recent authentication', (operation) => {
  it('is required after two hours', async () => {
    const { tenant, params } = await targetOf(watched, operation)()
    const responses = []
    for (const authenticatedAt of ['2026-03-10T10:00:00.000000Z', '2026-03-10T10:00:00.001000Z']) {
      const browser = await signIn(tenant, { authenticatedAt })
      const body = { ...sampleOf(operation.id).body, first_name: 'Sample' }
      responses.push(await call(tenant, operation, { params, browser, ...(operation.body ? { body } : {}) }))
    }
    expect(seen(responses[0]!)).toEqual({
      status: 403,
      body: {
        type: 'authentication_error',
        code: 'sensitive_action_required_reauth',
        detail: 'This action requires you to be recently authenticated.',
        attr: null,
      },
    })
    expectDone(operation, responses[1]!)
  })
})

describe.each(inProjects)('$id: project of others', (operation) => {
  it('rejects the session of a member of another organization', async () => {
    const [{ params, expectUnchanged }, stranger] = [
      await refusingTargetOf(watched, operation)(),
      await someStranger(),
    ]
    const response = await call(stranger, operation, { params, browser: await browserOf(stranger) })
    expect(seen(response)).toEqual(forbidden("You don't have access to the project."))
    await expectUnchanged()
  })
})
