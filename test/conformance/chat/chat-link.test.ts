// Linking a chat identity, all the way: the served Worker, a real OpenID Connect provider, and a browser between them.
// What keeps a link to the user who began it is in chat-link-state.test.ts.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { memberships, workspaceIntegrations } from '../../../drizzle'
import { createBrowser } from '../../support/browser/http-browser'
import {
  callbackOf,
  type ChatLinking,
  failure,
  outcome,
  providerUrlOf,
  startChatLinking,
  startOf,
  SUCCESS,
  withParameter,
} from './chat-linking'
import { abortAtProvider, signInAtProvider } from './chat-provider'

let linking: ChatLinking
beforeAll(async () => {
  linking = await startChatLinking()
})
afterAll(() => linking?.stop())
beforeEach(() => linking.reset())

describe('linking a chat identity', () => {
  it('leads to the provider with all parameters of OpenID Connect and PKCE', async () => {
    const url = await providerUrlOf(await linking.newMember())
    expect(url.origin + url.pathname).toBe(`${linking.provider.issuer}/auth`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'halyard',
      scope: 'openid email profile',
      response_type: 'code',
      redirect_uri: `${linking.url}/complete/chat-link/`,
      state: expect.stringMatching(/^[\w-]+\.[0-9a-f]{64}$/),
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  it('records who the user is, lists it, and takes it back', async () => {
    const member = await linking.newMember()
    expect(await outcome(member.browser, await callbackOf(member))).toBe(SUCCESS)

    const links = await member.call('GET', '?kind=chat')
    expect(links).toEqual({
      status: 200,
      body: {
        results: [
          {
            id: expect.any(String),
            kind: 'chat',
            chat_user_id: 'U1',
            chat_team_id: 'T1',
            chat_team_name: 'Workspace T1',
            chat_email_at_link: 'u1@chat.example',
            created_at: expect.any(String),
          },
        ],
      },
    })
    expect((await member.links())[0]!.scope.split(' ').sort()).toEqual(['email', 'openid', 'profile'])
    expect((await member.call('GET', 'chat/linkable_workspaces/')).body).toEqual({ results: [] })
    expect(await member.call('POST', 'chat/start/', {})).toMatchObject({
      status: 400,
      body: { detail: "You're already linked to this chat workspace." },
    })

    expect(await member.call('DELETE', 'chat/U1/')).toEqual({ status: 204, body: null })
    expect(await member.call('DELETE', 'chat/U1/')).toMatchObject({ status: 404 })
    expect((await member.call('GET', '?kind=chat')).body).toEqual({ results: [] })
  })

  it('asks the user-info endpoint for claims that the ID token leaves out', async () => {
    linking.provider.allow(`${linking.url}/complete/chat-link/`, { claimsInIdToken: false })
    const member = await linking.newMember()
    expect(await outcome(member.browser, await callbackOf(member, 'U7 T1'))).toBe(SUCCESS)
    expect(await member.links()).toMatchObject([{ chatUserId: 'U7', workspaceId: 'T1' }])
  })

  it('updates the link when the same identity links again', async () => {
    const member = await linking.newMember()
    const [first, second] = [await callbackOf(member), await callbackOf(member)]
    expect(await outcome(member.browser, first)).toBe(SUCCESS)
    const [before] = await member.links()
    expect(await outcome(member.browser, second)).toBe(SUCCESS)
    const after = await member.links()
    expect(after).toEqual([{ ...before, linkedAt: after[0]!.linkedAt }])
  })

  it('keeps the first link when another workspace has the same user id', async () => {
    const member = await linking.newMember()
    expect(await outcome(member.browser, await callbackOf(member))).toBe(SUCCESS)
    const before = await member.links()
    expect(before).toMatchObject([{ chatUserId: 'U1', workspaceId: 'T1' }])
    await linking.db.insert(workspaceIntegrations).values({
      projectId: member.projectId,
      workspaceId: 'T2',
      workspaceName: 'Quay',
      createdAt: new Date().toISOString(),
    })
    // The provider still has the session of the first account in the member's own browser.
    const callbackAs = async (account: string) =>
      signInAtProvider(createBrowser(), await providerUrlOf(member), linking.provider.issuer, account)
    expect(await outcome(member.browser, await callbackAs('U1 T2'))).toBe(failure('identity_linked'))
    expect(await member.links()).toEqual(before)

    expect(await outcome(member.browser, await callbackAs('U2 T2'))).toBe(SUCCESS)
    expect(await member.links()).toMatchObject([...before, { chatUserId: 'U2', workspaceId: 'T2' }])
  })

  it('lets several users link the same identity', async () => {
    for (const member of [await linking.newMember(), await linking.newMember()])
      expect(await outcome(member.browser, await callbackOf(member))).toBe(SUCCESS)
  })

  it('redirects a signed-out user to the sign-in page, and back', async () => {
    const member = await linking.newMember()
    const start = await startOf(member)
    expect(await outcome(createBrowser(), start)).toBe(
      `/login?next=${encodeURIComponent(start.pathname + start.search)}`,
    )
  })

  it('redirects a user who has signed out to the sign-in page, without the code', async () => {
    const callback = await callbackOf(await linking.newMember())
    expect(await outcome(createBrowser(), callback)).toBe(
      `/login?next=${encodeURIComponent(failure('session_mismatch'))}`,
    )
  })
})

describe('the provider', () => {
  it('shows that the user canceled', async () => {
    const member = await linking.newMember()
    const callback = await abortAtProvider(
      member.browser,
      await providerUrlOf(member),
      linking.provider.issuer,
    )
    expect(callback.searchParams.get('error')).toBe('access_denied')
    expect(await outcome(member.browser, callback)).toBe(failure('access_denied'))
  })

  it('rejects a code whose PKCE challenge was exchanged on the way', async () => {
    const member = await linking.newMember()
    const url = withParameter(await providerUrlOf(member), 'code_challenge', 'x'.repeat(43))
    const callback = await signInAtProvider(member.browser, url, linking.provider.issuer, 'U1 T1')
    expect(await outcome(member.browser, callback)).toBe(failure('exchange_failed'))
    expect(linking.provider.refusals).toEqual([expect.stringMatching(/invalid_grant.*(PKCE|verifier)/)])
    expect(await member.links()).toEqual([])
  })

  it('is not believed when the nonce is not the one of this sign-in', async () => {
    const member = await linking.newMember()
    const url = withParameter(await providerUrlOf(member), 'nonce', 'another')
    const callback = await signInAtProvider(member.browser, url, linking.provider.issuer, 'U1 T1')
    expect(await outcome(member.browser, callback)).toBe(failure('exchange_failed'))
    expect(linking.provider.refusals).toEqual([])
    expect(await member.links()).toEqual([])
  })

  it('is not believed when it is another one that answers', async () => {
    const member = await linking.newMember()
    const callback = await callbackOf(member)
    expect(await outcome(member.browser, withParameter(callback, 'iss', 'https://evil.example'))).toBe(
      failure('exchange_failed'),
    )
  })

  it('can show that the user is in another workspace', async () => {
    const member = await linking.newMember()
    expect(await outcome(member.browser, await callbackOf(member, 'U1 T2'))).toBe(failure('team_mismatch'))
    expect(await member.links()).toEqual([])
  })
})

describe('changes during the sign-in', () => {
  it('counts: the workspace was disconnected', async () => {
    const member = await linking.newMember()
    const [start, callback] = [await startOf(member), await callbackOf(member)]
    await linking.db
      .delete(workspaceIntegrations)
      .where(eq(workspaceIntegrations.projectId, member.projectId))
    expect(await outcome(member.browser, start)).toBe(failure('workspace_not_found'))
    expect(await outcome(member.browser, callback)).toBe(failure('workspace_not_found'))
  })

  it('counts: the user was removed from the organization', async () => {
    const member = await linking.newMember()
    const callback = await callbackOf(member)
    await linking.db.delete(memberships).where(eq(memberships.userId, member.id))
    expect(await outcome(member.browser, callback)).toBe(failure('org_mismatch'))
    expect(await member.links()).toEqual([])
  })
})
