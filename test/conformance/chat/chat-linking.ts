// Users who link a chat identity: members of a served Worker's organizations, a real OpenID Connect provider, and browsers between them.
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { chatLinks, users, workspaceIntegrations } from '../../../drizzle'
import {
  newMembership,
  newOrganization,
  newPersonalApiKey,
  newProject,
  newUser,
} from '../../../src/account/provisioning'
import { newSession } from '../../../src/auth/sessions'
import { createIds } from '../../../src/clock'
import { type Database, openDatabase } from '../../../src/storage/database'
import { createMeter } from '../../../src/storage/metered-d1'
import { runBatch } from '../../../src/storage/run-batch'
import { createBrowser, type HttpBrowser, locationOf } from '../../support/browser/http-browser'
import { type ChatProviderServer, CLIENT, signInAtProvider, startChatProvider } from './chat-provider'
import { type ServedWorker, serveWorker } from '../../support/server/served-worker'

const ACCOUNT_KEYS = `served:${Buffer.alloc(32, 3).toString('base64')}`
const ids = createIds()

interface Member {
  id: number
  email: string
  password: string
  projectId: number
  browser: HttpBrowser
  /** Signs the same user in once more, elsewhere. */
  signIn(): Promise<HttpBrowser>
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  /** The chat identities of the user, as they are stored. */
  links(): Promise<(typeof chatLinks.$inferSelect)[]>
}

export interface ChatLinking {
  /** Address of the Worker. */
  url: string
  provider: ChatProviderServer
  db: Database
  /** The Worker's own, as far as it signs states. */
  env: Env
  /** A member of an organization of their own, whose project is connected to the workspace T1. */
  newMember(): Promise<Member>
  /** Has the provider know the Worker, with its claims in the ID token, and forget what it rejected. */
  reset(): void
  stop(): Promise<void>
}

/** Serves the Worker and a provider that it knows. */
export async function startChatLinking(): Promise<ChatLinking> {
  const provider = await startChatProvider()
  const served = await serveWorker({
    bindings: {
      ACCOUNT_KEYS,
      CHAT_ISSUER: provider.issuer,
      CHAT_CLIENT_ID: CLIENT.id,
      CHAT_CLIENT_SECRET: CLIENT.secret,
    },
  })
  const db = openDatabase(served.database, createMeter())
  return {
    url: served.url,
    provider,
    db,
    env: { ACCOUNT_KEYS } as Env,
    newMember: () => newMember(served, db),
    reset() {
      provider.allow(`${served.url}/complete/chat-link/`)
      provider.refusals.length = 0
    },
    async stop() {
      await served.stop()
      await provider.stop()
    },
  }
}

async function newMember(served: ServedWorker, db: Database): Promise<Member> {
  const now = new Date()
  const birth = { db, ids, now }
  const organization = newOrganization(birth, 'Sailors')
  const project = newProject(birth, organization.id, 'Sails')
  const email = `${ids.uuid(now)}@example.com`
  // Everybody has the password of the first user.
  const [owner] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, 1))
  const user = newUser(birth, { email, firstName: 'Ada', passwordHash: owner!.passwordHash })
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
    const session = newSession({ db, ids, now: new Date() }, { userId: id, client })
    await session.statement
    const browser = createBrowser()
    browser.setCookie(served.url, 'sessionid', session.token)
    return browser
  }
  return {
    id,
    email,
    password: served.credentials.password,
    projectId: projects!.id,
    browser: await signIn(),
    signIn,
    links: () => db.select().from(chatLinks).where(eq(chatLinks.userId, id)),
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
export async function startOf(member: Member): Promise<URL> {
  const { status, body } = await member.call('POST', 'chat/start/', {})
  expect(status).toBe(200)
  return new URL((body as { install_url: string }).install_url)
}

/** The provider's URL to which a start leads. */
export async function providerUrlOf(member: Member): Promise<URL> {
  const start = await startOf(member)
  return locationOf(await member.browser.open(start), start)
}

/** The URL with which the provider sends a browser back. */
export async function callbackOf(member: Member, account = 'U1 T1'): Promise<URL> {
  const url = await providerUrlOf(member)
  return signInAtProvider(member.browser, url, url.origin, account)
}

/** What the settings page is told. */
export async function outcome(browser: HttpBrowser, url: URL | string): Promise<string> {
  const response = await browser.open(url)
  expect(response.status).toBe(302)
  expect(response.headers.get('Cache-Control')).toBe('private, no-store')
  return response.headers.get('Location')!
}

export const SUCCESS = '/settings/user-personal-integrations?chat_link_success=1'
export const failure = (code: string) => `/settings/user-personal-integrations?chat_link_error=${code}`

/** The URL with one of its parameters changed. */
export function withParameter(url: URL, name: string, value: string): URL {
  const changed = new URL(url)
  changed.searchParams.set(name, value)
  return changed
}
