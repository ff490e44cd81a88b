// Linking a chat identity, all the way: the served Worker, a real OpenID Connect provider, and a browser between them.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatLinks, memberships, users, workspaceIntegrations } from '../../drizzle'
import {
  newMembership,
  newOrganization,
  newPersonalApiKey,
  newProject,
  newUser,
} from '../../src/account/tenancy'
import { readState, signState } from '../../src/account/chat/state'
import { newSession } from '../../src/auth/sessions'
import { createIds } from '../../src/clock'
import { type Database, openDatabase } from '../../src/storage/database'
import { createMeter } from '../../src/storage/metered-d1'
import { runBatch } from '../../src/storage/run-batch'
import { createBrowser, type HttpBrowser, locationOf } from '../support/browser'
import {
  abortAtProvider,
  type ChatProviderServer,
  CLIENT,
  signInAtProvider,
  startChatProvider,
} from '../support/chat-provider'
import { type ServedWorker, serveWorker } from '../support/served-worker'

const ACCOUNT_KEYS = `served:${Buffer.alloc(32, 3).toString('base64')}`
const env = { ACCOUNT_KEYS } as Env
const ids = createIds()

let provider: ChatProviderServer
let served: ServedWorker
let db: Database

beforeAll(async () => {
  provider = await startChatProvider()
  served = await serveWorker({
    bindings: {
      ACCOUNT_KEYS,
      CHAT_ISSUER: provider.issuer,
      CHAT_CLIENT_ID: CLIENT.id,
      CHAT_CLIENT_SECRET: CLIENT.secret,
    },
  })
  db = openDatabase(served.database, createMeter())
})
afterAll(async () => {
  await served?.stop()
  await provider?.stop()
})
beforeEach(() => {
  provider.allow(`${served.url}/complete/chat-link/`)
  provider.refusals.length = 0
})

interface Member {
  id: number
  organizationId: string
  projectId: number
  browser: HttpBrowser
  /** Signs the same user in once more, elsewhere. */
  signIn(): Promise<HttpBrowser>
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
}

/** A member of an organization of their own, whose project is connected to the workspace T1. */
async function newMember(): Promise<Member> {
  const now = new Date()
  const birth = { db, ids, now }
  const organization = newOrganization(birth, 'Sailors')
  const project = newProject(birth, organization.id, 'Sails')
  const user = newUser(birth, {
    email: `${ids.uuid(now)}@example.com`,
    firstName: 'Ada',
    passwordHash: null,
  })
  const key = await newPersonalApiKey(birth, user.uuid, { label: 'test', scopes: ['user:write'] })
  await runBatch(db, [
    organization.statement,
    project.statement,
    user.statement,
    newMembership(birth, user.uuid, organization.id, 1),
    key.statement,
  ])
  const projects = await served.database
    .prepare('SELECT id FROM projects WHERE uuid = ?')
    .bind(project.uuid)
    .first<{ id: number }>()
  const [{ id }] = (await db.select({ id: users.id }).from(users).where(eq(users.uuid, user.uuid))) as [
    { id: number },
  ]
  await db.insert(workspaceIntegrations).values({
    projectId: projects!.id,
    workspaceId: 'T1',
    workspaceName: 'Harbour',
    createdAt: now.toISOString(),
  })
  const signIn = async () => {
    const client = { network: 'unknown', userAgent: null, location: null }
    const session = newSession({ db, ids, now: new Date() }, { userId: id, loginMethod: 'password', client })
    await session.statement
    const browser = createBrowser()
    browser.setCookie(served.url, 'sessionid', session.token)
    return browser
  }
  return {
    id,
    organizationId: organization.id,
    projectId: projects!.id,
    browser: await signIn(),
    signIn,
    async call(method, path, body) {
      const response = await fetch(`${served.url}/api/users/@me/integrations/${path}`, {
        method,
        headers: { Authorization: `Bearer ${key.value}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
    },
  }
}

/** Our own URL that leads to the provider. */
async function startOf(member: Member): Promise<URL> {
  const { status, body } = await member.call('POST', 'chat/start/', {})
  expect(status).toBe(200)
  return new URL((body as { install_url: string }).install_url)
}

/** The provider's URL to which a start leads. */
async function providerUrlOf(member: Member): Promise<URL> {
  const start = await startOf(member)
  return locationOf(await member.browser.open(start), start)
}

/** The URL with which the provider sends a browser back. */
async function callbackOf(member: Member, account = 'U1 T1'): Promise<URL> {
  return signInAtProvider(member.browser, await providerUrlOf(member), provider.issuer, account)
}

/** What the settings page is told. */
async function outcome(browser: HttpBrowser, url: URL | string): Promise<string> {
  const response = await browser.open(url)
  expect(response.status).toBe(302)
  expect(response.headers.get('Cache-Control')).toBe('private, no-store')
  return response.headers.get('Location')!
}

const SUCCESS = '/settings/user-personal-integrations?chat_link_success=1'
const failure = (code: string) => `/settings/user-personal-integrations?chat_link_error=${code}`
const linksOf = ({ id }: Member) => db.select().from(chatLinks).where(eq(chatLinks.userId, id))

/** The URL with one of its parameters changed. */
function withParameter(url: URL, name: string, value: string): URL {
  const changed = new URL(url)
  changed.searchParams.set(name, value)
  return changed
}

describe('linking a chat identity', () => {
  it('leads to the provider with everything that OpenID Connect and PKCE ask for', async () => {
    const url = await providerUrlOf(await newMember())
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/auth`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'halyard',
      scope: 'openid email profile',
      response_type: 'code',
      redirect_uri: `${served.url}/complete/chat-link/`,
      state: expect.stringMatching(/^[\w-]+\.[0-9a-f]{64}$/),
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  it('records who the user is, lists it, and takes it back', async () => {
    const member = await newMember()
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
    expect((await linksOf(member))[0]!.scope.split(' ').sort()).toEqual(['email', 'openid', 'profile'])
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
    provider.allow(`${served.url}/complete/chat-link/`, { claimsInIdToken: false })
    const member = await newMember()
    expect(await outcome(member.browser, await callbackOf(member, 'U7 T1'))).toBe(SUCCESS)
    expect(await linksOf(member)).toMatchObject([{ chatUserId: 'U7', workspaceId: 'T1' }])
  })

  it('updates the link when the same identity links again', async () => {
    const member = await newMember()
    const [first, second] = [await callbackOf(member), await callbackOf(member)]
    expect(await outcome(member.browser, first)).toBe(SUCCESS)
    const [before] = await linksOf(member)
    expect(await outcome(member.browser, second)).toBe(SUCCESS)
    const after = await linksOf(member)
    expect(after).toEqual([{ ...before, linkedAt: after[0]!.linkedAt }])
  })

  it('lets several users link the same identity', async () => {
    for (const member of [await newMember(), await newMember()])
      expect(await outcome(member.browser, await callbackOf(member))).toBe(SUCCESS)
  })

  it('sends somebody who is not signed in to the sign-in page, and from there back', async () => {
    const member = await newMember()
    const start = await startOf(member)
    expect(await outcome(createBrowser(), start)).toBe(
      `/login?next=${encodeURIComponent(start.pathname + start.search)}`,
    )
  })

  it('sends somebody who is not signed in any more to the sign-in page without the code', async () => {
    const callback = await callbackOf(await newMember())
    expect(await outcome(createBrowser(), callback)).toBe(
      `/login?next=${encodeURIComponent(failure('session_mismatch'))}`,
    )
  })
})

describe('a state', () => {
  it.each(['start', 'callback'] as const)('that was changed is refused at the %s', async (where) => {
    const member = await newMember()
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
    expect(await linksOf(member)).toEqual([])
  })

  it('for one step is refused at the other', async () => {
    const member = await newMember()
    const [start, callback] = [await startOf(member), await callbackOf(member)]
    const [forStart, forCallback] = [start, callback].map((url) => url.searchParams.get('state')!)
    expect(await outcome(member.browser, withParameter(start, 'state', forCallback!))).toBe(
      failure('invalid_state'),
    )
    expect(await outcome(member.browser, withParameter(callback, 'state', forStart!))).toBe(
      failure('invalid_state'),
    )
  })

  it('is refused once 900 seconds have passed', async () => {
    const member = await newMember()
    const callback = await callbackOf(member)
    const claims = readState(env, 'callback', callback.searchParams.get('state')!, new Date())!
    const { user, project, workspace } = claims
    for (const [seconds, expected] of [
      [890, /^http/],
      [901, /chat_link_error=invalid_state$/],
    ] as const) {
      const then = new Date(Date.now() - seconds * 1000)
      const start = new URL('/complete/chat-link/start/', served.url)
      start.searchParams.set('state', signState(env, 'start', { user, project, workspace }, then))
      expect(await outcome(member.browser, start)).toMatch(expected)
    }
    const old = signState(env, 'callback', claims, new Date(Date.now() - 901_000))
    expect(await outcome(member.browser, withParameter(callback, 'state', old))).toBe(
      failure('invalid_state'),
    )
    expect(await linksOf(member)).toEqual([])
  })

  it('comes back once', async () => {
    const member = await newMember()
    const callback = await callbackOf(member)
    expect(await outcome(member.browser, callback)).toBe(SUCCESS)
    await member.call('DELETE', 'chat/U1/')
    expect(await outcome(member.browser, callback)).toBe(failure('invalid_state'))
    expect(await linksOf(member)).toEqual([])
  })

  it('comes back once, however many try at the same time', async () => {
    const member = await newMember()
    const callback = await callbackOf(member)
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => outcome(member.browser, callback)))
    expect(outcomes.filter((each) => each === SUCCESS)).toHaveLength(1)
    expect(outcomes.filter((each) => each === failure('invalid_state'))).toHaveLength(4)
  })

  it('is spent even when the sign-in behind it fails', async () => {
    const member = await newMember()
    const callback = await callbackOf(member)
    expect(await outcome(member.browser, withParameter(callback, 'code', 'guessed'))).toBe(
      failure('exchange_failed'),
    )
    expect(await outcome(member.browser, callback)).toBe(failure('invalid_state'))
  })
})

describe("somebody else's sign-in", () => {
  it('is refused in the session of another user, and stays good for its own', async () => {
    const [member, stranger] = [await newMember(), await newMember()]
    const start = await startOf(member)
    expect(await outcome(stranger.browser, start)).toBe(failure('session_mismatch'))
    const callback = await callbackOf(member)
    expect(await outcome(stranger.browser, callback)).toBe(failure('session_mismatch'))
    expect(await linksOf(stranger)).toEqual([])
    expect(await outcome(member.browser, callback)).toBe(SUCCESS)
  })

  it('is refused in another session of the same user', async () => {
    const member = await newMember()
    const callback = await callbackOf(member)
    expect(await outcome(await member.signIn(), callback)).toBe(failure('session_mismatch'))
    expect(await linksOf(member)).toEqual([])
  })

  it('cannot be slipped into a sign-in of ours: the code fits one verifier', async () => {
    const [member, attacker] = [await newMember(), await newMember()]
    const [callback, theirs] = [await callbackOf(member), await callbackOf(attacker, 'U9 T1')]
    const injected = withParameter(callback, 'code', theirs.searchParams.get('code')!)
    expect(await outcome(member.browser, injected)).toBe(failure('exchange_failed'))
    expect(provider.refusals).toEqual([expect.stringContaining('invalid_grant')])
    expect(await linksOf(member)).toEqual([])
  })
})

describe('the provider', () => {
  it('says that the user turned back', async () => {
    const member = await newMember()
    const callback = await abortAtProvider(member.browser, await providerUrlOf(member), provider.issuer)
    expect(callback.searchParams.get('error')).toBe('access_denied')
    expect(await outcome(member.browser, callback)).toBe(failure('access_denied'))
  })

  it('refuses a code whose PKCE challenge was exchanged on the way', async () => {
    const member = await newMember()
    const url = withParameter(await providerUrlOf(member), 'code_challenge', 'x'.repeat(43))
    const callback = await signInAtProvider(member.browser, url, provider.issuer, 'U1 T1')
    expect(await outcome(member.browser, callback)).toBe(failure('exchange_failed'))
    expect(provider.refusals).toEqual([expect.stringMatching(/invalid_grant.*(PKCE|verifier)/)])
    expect(await linksOf(member)).toEqual([])
  })

  it('is not believed when the nonce is not the one of this sign-in', async () => {
    const member = await newMember()
    const url = withParameter(await providerUrlOf(member), 'nonce', 'another')
    const callback = await signInAtProvider(member.browser, url, provider.issuer, 'U1 T1')
    expect(await outcome(member.browser, callback)).toBe(failure('exchange_failed'))
    expect(provider.refusals).toEqual([])
    expect(await linksOf(member)).toEqual([])
  })

  it('is not believed when it is another one that answers', async () => {
    const member = await newMember()
    const callback = await callbackOf(member)
    expect(await outcome(member.browser, withParameter(callback, 'iss', 'https://evil.example'))).toBe(
      failure('exchange_failed'),
    )
  })

  it('may say that the user is in another workspace', async () => {
    const member = await newMember()
    expect(await outcome(member.browser, await callbackOf(member, 'U1 T2'))).toBe(failure('team_mismatch'))
    expect(await linksOf(member)).toEqual([])
  })
})

describe('what happened meanwhile', () => {
  it('counts: the workspace was disconnected', async () => {
    const member = await newMember()
    const [start, callback] = [await startOf(member), await callbackOf(member)]
    await db.delete(workspaceIntegrations).where(eq(workspaceIntegrations.projectId, member.projectId))
    expect(await outcome(member.browser, start)).toBe(failure('workspace_not_found'))
    expect(await outcome(member.browser, callback)).toBe(failure('workspace_not_found'))
  })

  it('counts: the user was removed from the organization', async () => {
    const member = await newMember()
    const callback = await callbackOf(member)
    await db.delete(memberships).where(eq(memberships.userId, member.id))
    expect(await outcome(member.browser, callback)).toBe(failure('org_mismatch'))
    expect(await linksOf(member)).toEqual([])
  })
})

describe('redirects', () => {
  it('lead to the settings page whatever a request says', async () => {
    const { browser } = await newMember()
    const callback = new URL('/complete/chat-link/', served.url)
    const start = new URL('/complete/chat-link/start/', served.url)
    const elsewhere = 'https://evil.example/'
    const tries = [
      withParameter(callback, 'error', elsewhere),
      withParameter(callback, 'error', '//evil.example'),
      withParameter(callback, 'error', 'a\r\nLocation: https://evil.example'),
      withParameter(callback, 'next', elsewhere),
      withParameter(withParameter(callback, 'code', 'x'), 'redirect_uri', elsewhere),
      withParameter(start, 'next', elsewhere),
      withParameter(start, 'redirect_uri', elsewhere),
      new URL('/complete/chat-link/', served.url),
    ]
    for (const url of tries) expect(await outcome(browser, url)).toBe(failure('invalid_state'))
  })

  it('keep a sign-in page that comes back to us', async () => {
    const url = new URL('/complete/chat-link//evil.example', served.url)
    const response = await createBrowser().open(url)
    expect(response.status).toBe(404)
    await response.body?.cancel()
  })
})
