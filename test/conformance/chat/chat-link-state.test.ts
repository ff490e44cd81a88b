// What keeps a chat link to the user who began it: a state that is signed, short-lived, spent once and of one session. Without a good one
// every request leads to the settings page.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CALLBACK, START } from '../../../src/account/chat/signed-state'
import { createBrowser } from '../../support/browser/http-browser'
import {
  callbackOf,
  type ChatLinking,
  failure,
  outcome,
  startChatLinking,
  startOf,
  SUCCESS,
  withParameter,
} from './chat-linking'

let linking: ChatLinking
beforeAll(async () => {
  linking = await startChatLinking()
})
afterAll(() => linking?.stop())
beforeEach(() => linking.reset())

describe('a state', () => {
  it.each(['start', 'callback'] as const)('that was changed is rejected at the %s', async (where) => {
    const member = await linking.newMember()
    const url = where === 'start' ? await startOf(member) : await callbackOf(member)
    const state = url.searchParams.get('state')!
    const [body = '', signature = ''] = state.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
    const forged = Buffer.from(JSON.stringify({ ...claims, workspace: 'T2' })).toString('base64url')
    const broken = [
      `${forged}.${signature}`,
      `${body}.${signature.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))}`,
      `${body}.`,
      body,
      `${state}.${signature}`,
      `.${signature}`,
      '',
      'x',
    ]
    for (const each of broken) {
      expect(await outcome(member.browser, withParameter(url, 'state', each))).toBe(failure('invalid_state'))
    }
    expect(await member.links()).toEqual([])
  })

  it('for one step is rejected at the other', async () => {
    const member = await linking.newMember()
    const [start, callback] = [await startOf(member), await callbackOf(member)]
    const [forStart, forCallback] = [start, callback].map((url) => url.searchParams.get('state')!)
    expect(await outcome(member.browser, withParameter(start, 'state', forCallback!))).toBe(
      failure('invalid_state'),
    )
    expect(await outcome(member.browser, withParameter(callback, 'state', forStart!))).toBe(
      failure('invalid_state'),
    )
  })

  it('is rejected once 900 seconds have passed', async () => {
    const member = await linking.newMember()
    const callback = await callbackOf(member)
    const claims = CALLBACK.verify(linking.env, callback.searchParams.get('state')!, new Date())!
    const { user, project, workspace } = claims
    for (const [seconds, expected] of [
      [890, /^http/],
      [901, /chat_link_error=invalid_state$/],
    ] as const) {
      const then = new Date(Date.now() - seconds * 1000)
      const start = new URL('/complete/chat-link/start/', linking.url)
      start.searchParams.set('state', START.sign(linking.env, { user, project, workspace }, then))
      expect(await outcome(member.browser, start)).toMatch(expected)
    }
    const old = CALLBACK.sign(linking.env, claims, new Date(Date.now() - 901_000))
    expect(await outcome(member.browser, withParameter(callback, 'state', old))).toBe(
      failure('invalid_state'),
    )
    expect(await member.links()).toEqual([])
  })

  it('is accepted once', async () => {
    const member = await linking.newMember()
    const callback = await callbackOf(member)
    expect(await outcome(member.browser, callback)).toBe(SUCCESS)
    await member.call('DELETE', 'chat/U1/')
    expect(await outcome(member.browser, callback)).toBe(failure('invalid_state'))
    expect(await member.links()).toEqual([])
  })

  it('is accepted once among concurrent attempts', async () => {
    const member = await linking.newMember()
    const callback = await callbackOf(member)
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => outcome(member.browser, callback)))
    expect(outcomes.filter((each) => each === SUCCESS)).toHaveLength(1)
    expect(outcomes.filter((each) => each === failure('invalid_state'))).toHaveLength(4)
  })

  it('is spent even when the sign-in behind it fails', async () => {
    const member = await linking.newMember()
    const callback = await callbackOf(member)
    expect(await outcome(member.browser, withParameter(callback, 'code', 'guessed'))).toBe(
      failure('exchange_failed'),
    )
    expect(await outcome(member.browser, callback)).toBe(failure('invalid_state'))
  })
})

describe("another user's sign-in", () => {
  it('is rejected in the session of another user, and stays good for its own', async () => {
    const [member, stranger] = [await linking.newMember(), await linking.newMember()]
    const start = await startOf(member)
    expect(await outcome(stranger.browser, start)).toBe(failure('session_mismatch'))
    const callback = await callbackOf(member)
    expect(await outcome(stranger.browser, callback)).toBe(failure('session_mismatch'))
    expect(await stranger.links()).toEqual([])
    expect(await outcome(member.browser, callback)).toBe(SUCCESS)
  })

  it('is rejected in another session of the same user', async () => {
    const member = await linking.newMember()
    const callback = await callbackOf(member)
    expect(await outcome(await member.signIn(), callback)).toBe(failure('session_mismatch'))
    expect(await member.links()).toEqual([])
  })

  it('cannot be slipped into a sign-in of ours: the code fits one verifier', async () => {
    const [member, attacker] = [await linking.newMember(), await linking.newMember()]
    const [callback, theirs] = [await callbackOf(member), await callbackOf(attacker, 'U9 T1')]
    const injected = withParameter(callback, 'code', theirs.searchParams.get('code')!)
    expect(await outcome(member.browser, injected)).toBe(failure('exchange_failed'))
    expect(linking.provider.refusals).toEqual([expect.stringContaining('invalid_grant')])
    expect(await member.links()).toEqual([])
  })
})

describe('redirects', () => {
  it('lead to the settings page for any request', async () => {
    const { browser } = await linking.newMember()
    const callback = new URL('/complete/chat-link/', linking.url)
    const start = new URL('/complete/chat-link/start/', linking.url)
    const elsewhere = 'https://evil.example/'
    const tries = [
      withParameter(callback, 'error', elsewhere),
      withParameter(callback, 'error', '//evil.example'),
      withParameter(callback, 'error', 'a\r\nLocation: https://evil.example'),
      withParameter(callback, 'next', elsewhere),
      withParameter(withParameter(callback, 'code', 'x'), 'redirect_uri', elsewhere),
      withParameter(start, 'next', elsewhere),
      withParameter(start, 'redirect_uri', elsewhere),
      new URL('/complete/chat-link/', linking.url),
    ]
    for (const url of tries) expect(await outcome(browser, url)).toBe(failure('invalid_state'))
  })

  it('keep a sign-in page that comes back to us', async () => {
    const url = new URL('/complete/chat-link//evil.example', linking.url)
    const response = await createBrowser().open(url)
    expect(response.status).toBe(404)
    await response.body?.cancel()
  })
})
