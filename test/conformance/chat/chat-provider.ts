// A real OpenID Connect provider on this machine, with the claims of a chat service. Whoever signs in as `U1 T1` is user U1 of workspace T1.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, Provider } from 'oidc-provider'
import { type HttpBrowser, locationOf } from '../../support/browser/http-browser'

export const CLIENT = { id: 'halyard', secret: 'a secret that the provider and the service share' }

export interface ChatProviderServer {
  issuer: string
  /** What the token endpoint rejected, as the provider explains it. */
  refusals: string[]
  /** Where users may be sent back to; has to be said before the first sign-in. */
  allow(redirectUri: string, options?: { claimsInIdToken?: boolean }): void
  stop(): Promise<void>
}

/** Starts the provider. Its address is known before its client's. */
export async function startChatProvider(configure = configurationFor): Promise<ChatProviderServer> {
  let answer: ReturnType<Provider['callback']> | undefined
  const server = createServer((request, response) => void answer!(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const refusals: string[] = []
  const providers = new Map<string, Provider>()
  const providerFor = (redirectUri: string, claimsInIdToken: boolean) => {
    const name = `${redirectUri} ${claimsInIdToken}`
    const known = providers.get(name)
    if (known) return known
    const provider = new Provider(issuer, configure(redirectUri, claimsInIdToken))
    provider.on('grant.error', (_, error) => {
      refusals.push([error.error, error.error_detail].filter(Boolean).join(': '))
    })
    providers.set(name, provider)
    return provider
  }
  return {
    issuer,
    refusals,
    allow(redirectUri, { claimsInIdToken = true } = {}) {
      answer = providerFor(redirectUri, claimsInIdToken).callback()
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const configurationFor = (redirectUri: string, claimsInIdToken: boolean): Configuration => ({
  clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
  // The forms that ask who one is; they take any name.
  features: { devInteractions: { enabled: true } },
  pkce: { required: () => true },
  conformIdTokenClaims: !claimsInIdToken,
  claims: {
    openid: ['sub', 'https://slack.com/user_id', 'https://slack.com/team_id', 'https://slack.com/team_name'],
    email: ['email'],
  },
  scopes: ['openid', 'email', 'profile'],
  cookies: { keys: ['for tests only'] },
  findAccount: (_, accountId) => {
    const [userId = '', teamId = ''] = accountId.split(' ')
    return {
      accountId,
      claims: () => ({
        sub: accountId,
        email: `${userId.toLowerCase()}@chat.example`,
        'https://slack.com/user_id': userId,
        'https://slack.com/team_id': teamId,
        'https://slack.com/team_name': `Workspace ${teamId}`,
      }),
    }
  },
})

/**
 * Signs in at the provider, and agrees to everything.
 * @param url the authorization URL.
 * @returns the URL to which the provider leads back.
 */
export async function signInAtProvider(
  browser: HttpBrowser,
  url: URL,
  issuer: string,
  account: string,
): Promise<URL> {
  let at = url
  for (let steps = 0; steps < 12; steps += 1) {
    const page = await browser.open(at)
    if (page.status >= 300 && page.status < 400) {
      at = await locationOf(page, at)
      if (at.origin !== issuer) return at
      continue
    }
    const html = await page.text()
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1]
    if (!prompt) throw new Error(`the provider says ${page.status}: ${html}`)
    const form: Record<string, string> =
      prompt === 'login' ? { prompt, login: account, password: 'any' } : { prompt }
    at = await locationOf(await browser.open(at, { form }), at)
  }
  throw new Error('the provider keeps asking')
}

/** Goes to the provider's first page, and turns back there. */
export async function abortAtProvider(browser: HttpBrowser, url: URL, issuer: string): Promise<URL> {
  const interaction = await locationOf(await browser.open(url), url)
  await (await browser.open(interaction)).body?.cancel()
  let at = new URL(`${interaction.pathname}/abort`, issuer)
  for (let step = 0; step < 10 && at.origin === issuer; step += 1)
    at = await locationOf(await browser.open(at), at)
  return at
}
