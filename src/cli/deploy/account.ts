import { runWrangler } from '../wrangler'
import { type Cloudflare, createCloudflare, withPermission } from './cloudflare'
import { PreflightError } from '../command'

export interface Account {
  id: string
  cloudflare: Cloudflare
}

type Environment = Readonly<Record<string, string | undefined>>

const PUBLIC_API = 'https://api.cloudflare.com/client/v4'

/**
 * Opens the account that wrangler would use.
 * @param configured `account_id` of wrangler.toml
 * @throws PreflightError without a login, or when the account is ambiguous
 */
export async function openAccount(configured: string | null, env: Environment): Promise<Account> {
  const base = (env.CLOUDFLARE_API_BASE_URL || PUBLIC_API).replace(/\/$/, '')
  const cloudflare = createCloudflare(base, await credentials(env))
  return { id: configured ?? (env.CLOUDFLARE_ACCOUNT_ID || (await onlyAccount(cloudflare))), cloudflare }
}

/** Returns credentials for Cloudflare. Wrangler stores logins, and renews those that expired. */
async function credentials(env: Environment): Promise<Record<string, string>> {
  if (env.CLOUDFLARE_API_TOKEN && !env.CLOUDFLARE_API_KEY) {
    return { Authorization: `Bearer ${env.CLOUDFLARE_API_TOKEN}` }
  }
  const printed = await runWrangler(['auth', 'token', '--json']).catch(() => {
    throw new PreflightError(
      'Not logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN to a token of the template ' +
        '"Edit Cloudflare Workers" with the permissions D1:Edit and Queues:Edit added.',
    )
  })
  const { token, key, email } = JSON.parse(printed) as { token?: string; key?: string; email?: string }
  return token
    ? { Authorization: `Bearer ${token}` }
    : { 'X-Auth-Key': String(key), 'X-Auth-Email': String(email) }
}

async function onlyAccount(cloudflare: Cloudflare): Promise<string> {
  const accounts = await withPermission(
    'Account Settings:Read',
    cloudflare.list<{ id: string; name: string }>('/accounts'),
  )
  const [first, ...others] = accounts
  if (!first) {
    throw new PreflightError(
      'This login shows no account. Set CLOUDFLARE_ACCOUNT_ID to the id of the account to deploy to.',
    )
  }
  if (others.length === 0) return first.id
  const lines = accounts.map(({ id, name }) => `  ${id}  ${name}`).join('\n')
  throw new PreflightError(
    `This login has several accounts. Set CLOUDFLARE_ACCOUNT_ID to one of them:\n${lines}`,
  )
}
