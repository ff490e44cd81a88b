// Checks the provider of an organization as far as that is possible without a sign-in.
import * as z from 'zod'
import { ApiError } from '../../errors'
import type { Organization } from '../../auth/actor'
import type { Deps } from '../../deps'
import { discover, SIGN_IN_SCOPE } from '../openid/sign-in'
import { providerOf } from './provider'
import { notSetUp, requireAdmin, selectDomains, selectSettings } from './settings'

const Check = z.object({
  name: z.enum([
    'metadata',
    'addresses',
    'code_flow',
    'pkce',
    'client_secret',
    'signature',
    'scopes',
    'domains',
  ]),
  is_ok: z.boolean(),
  detail: z.string(),
})

export const SsoTest = z.object({ is_ok: z.boolean(), checks: z.array(Check) })

type Check = z.output<typeof Check>

const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
]
const AUTHENTICATION = ['client_secret_basic', 'client_secret_post']

type Server = Awaited<ReturnType<typeof discover>>

/**
 * Tests the provider. A failure of the provider is a result, and not an error.
 * @throws 403 for members below admin; 404 before it is set up
 */
export async function testProvider(
  deps: Deps,
  organization: Organization,
  url: URL,
): Promise<z.output<typeof SsoTest>> {
  requireAdmin(organization)
  const { db, env } = deps
  const [[settings], domains] = await db.batch([
    selectSettings(db, organization.id),
    selectDomains(db, organization.id),
  ])
  if (!settings) throw notSetUp()
  const provider = await providerOf(env, settings, url)
  const checks: Check[] = []
  const check = (name: Check['name'], isOk: boolean, good: string, bad: string) =>
    checks.push({ name, is_ok: isOk, detail: isOk ? good : bad })
  try {
    const server = await discover(provider)
    check('metadata', true, 'The issuer publishes its metadata.', '')
    checkAddresses(server, provider, check)
    checkFeatures(server, check)
  } catch (error) {
    check('metadata', false, '', metadataProblem(settings.issuer, error))
  }
  const verified = domains.filter(({ verifiedAt }) => verifiedAt !== null).map(({ domain }) => domain)
  check(
    'domains',
    verified.length > 0,
    `Addresses of ${verified.join(', ')} can sign in.`,
    'No domain is verified: all sign-ins are refused. Add the TXT record of a domain, and verify it.',
  )
  return { is_ok: checks.every((each) => each.is_ok), checks }
}

type AddCheck = (name: Check['name'], isOk: boolean, good: string, bad: string) => void

function checkAddresses(
  server: Server,
  { checkAddress }: Awaited<ReturnType<typeof providerOf>>,
  check: AddCheck,
): void {
  const problems = (
    ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const
  ).flatMap((name) => {
    const address = server[name]
    if (address === undefined) return name === 'userinfo_endpoint' ? [] : [`${name} is missing.`]
    try {
      checkAddress?.(address)
      return []
    } catch (error) {
      return [`${name}: ${(error as Error).message}`]
    }
  })
  check(
    'addresses',
    problems.length === 0,
    'Its addresses are public.',
    `The metadata is not usable. ${problems.join(' ')}`,
  )
}

/**
 * Checks the features that the metadata lists. A list that it leaves out counts as complete, because providers support more than they
 * list.
 */
function checkFeatures(server: Server, check: AddCheck): void {
  const lacks = (listed: readonly string[] | undefined, wanted: readonly string[]) =>
    listed !== undefined && !wanted.some((each) => listed.includes(each))
  check(
    'code_flow',
    !lacks(server.response_types_supported, ['code']),
    'It supports the code flow.',
    'It does not support the response type "code": enable the authorization code flow.',
  )
  check(
    'pkce',
    !lacks(server.code_challenge_methods_supported, ['S256']),
    server.code_challenge_methods_supported
      ? 'It supports PKCE with S256.'
      : 'It does not list PKCE; sign-ins send an S256 challenge.',
    'It does not support PKCE with S256: enable it.',
  )
  check(
    'client_secret',
    !lacks(server.token_endpoint_auth_methods_supported, AUTHENTICATION),
    'It takes a client secret. Sign in to find out whether this one is right.',
    `It takes none of ${AUTHENTICATION.join(', ')}: allow one.`,
  )
  check(
    'signature',
    !lacks(server.id_token_signing_alg_values_supported, ALGORITHMS),
    'It signs ID tokens with a supported algorithm.',
    `It signs ID tokens with none of ${ALGORITHMS.join(', ')}: choose RS256.`,
  )
  const missing = SIGN_IN_SCOPE.split(' ').filter((scope) => lacks(server.scopes_supported, [scope]))
  check(
    'scopes',
    missing.length === 0,
    'It has the scopes openid, email and profile.',
    `It lacks the scopes ${missing.join(', ')}: allow them for this client.`,
  )
}

function metadataProblem(issuer: string, error: unknown): string {
  const at = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const why = error instanceof ApiError || error instanceof Error ? error.message : String(error)
  return `The metadata at ${at} cannot be used: ${why}. Check the issuer. It has to be the same as in the metadata, and redirects are not followed.`
}
