// A served Worker whose organization has single sign-on at a real OpenID Connect provider, and the DNS that it asks.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Configuration } from 'oidc-provider'
import { csrfTokenOf } from '../../../src/auth/csrf'
import type { HttpBrowser } from '../../support/browser/http-browser'
import { type ServedWorker, serveWorker } from '../../support/server/served-worker'
import { type ChatProviderServer, CLIENT, signInAtProvider, startChatProvider } from '../chat/chat-provider'

export interface Sso {
  served: ServedWorker
  provider: ChatProviderServer
  /** TXT records by name. */
  dns: Map<string, string[]>
  stop(): Promise<void>
}

/** Whoever signs in as an address has it, confirmed unless it begins with `unconfirmed`; those of `admin…` are in the group `admins`. */
const configurationFor = (redirectUri: string, claimsInIdToken: boolean): Configuration => ({
  clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
  features: { devInteractions: { enabled: true } },
  pkce: { required: () => true },
  conformIdTokenClaims: !claimsInIdToken,
  claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['given_name'] },
  scopes: ['openid', 'email', 'profile'],
  cookies: { keys: ['for tests only'] },
  findAccount: (_, accountId) => ({
    accountId,
    claims: () => ({
      sub: accountId,
      email: accountId,
      email_verified: !accountId.startsWith('unconfirmed'),
      given_name: 'Grace',
      groups: accountId.startsWith('admin') ? ['admins'] : [],
    }),
  }),
})

export async function startSso(): Promise<Sso> {
  const dns = new Map<string, string[]>()
  const resolver = createServer((request, response) => {
    const name = new URL(request.url!, 'http://resolver').searchParams.get('name')!
    const Answer = (dns.get(name) ?? []).map((data) => ({ name, type: 16, TTL: 1, data: `"${data}"` }))
    response.setHeader('Content-Type', 'application/dns-json').end(JSON.stringify({ Status: 0, Answer }))
  })
  await new Promise<void>((resolve) => resolver.listen(0, '127.0.0.1', resolve))
  const provider = await startChatProvider(configurationFor)
  const served = await serveWorker({
    bindings: { DNS_RESOLVER: `http://127.0.0.1:${(resolver.address() as AddressInfo).port}/dns-query` },
  })
  provider.allow(`${served.url}/login/sso/callback`)
  return {
    served,
    provider,
    dns,
    async stop() {
      await served.stop()
      await provider.stop()
      resolver.close()
    },
  }
}

/** Signs in with a password. */
export async function passwordSession({ url }: ServedWorker, email: string, password: string) {
  const response = await fetch(`${url}/api/login/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0]!)
  const token = cookies.find((each) => each.startsWith('sessionid='))?.slice('sessionid='.length)
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        Cookie: cookies.join('; '),
        'X-CSRFToken': token ? csrfTokenOf(token) : '',
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    // oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever came back
    return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as any }
  }
  return { status: response.status, body: (await response.json()) as unknown, call }
}

/** Goes to the provider, signs in there as `account`, and follows what comes back. @returns the last response. */
export async function signInBySso(
  { served: { url }, provider }: Sso,
  browser: HttpBrowser,
  account: string,
): Promise<Response> {
  const form = await (await browser.open(`${url}/login/sso`)).text()
  const csrf = /name="csrf" value="([^"]+)"/.exec(form)![1]!
  const departure = await browser.open(`${url}/login/sso`, { form: { csrf, email: account, next: '/' } })
  const target = departure.headers.get('Refresh')?.replace('0; url=', '')
  if (!target) return departure
  await departure.body?.cancel()
  return browser.open(await signInAtProvider(browser, new URL(target), provider.issuer, account))
}
