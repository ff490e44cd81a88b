// The provider of an organization. Admins enter its address, and its metadata contains others. None of them may lead into a private
// network.
import { invalid } from '../../errors'
import { publicUrl } from '../../http/public-url'
import { keyringOf } from '../../storage/cipher'
import type { OpenIdProvider } from '../openid/sign-in'
import type { StoredSettings } from './settings'

export const sealClientSecret = (env: Env, secret: string): Promise<string> =>
  keyringOf(env, 'ACCOUNT_KEYS').encrypt(secret, 'ssoClientSecret')

/** @param requestUrl of the call that needs the provider */
export async function providerOf(
  env: Env,
  { issuer: text, clientId, clientSecret }: Pick<StoredSettings, 'issuer' | 'clientId' | 'clientSecret'>,
  requestUrl: URL,
): Promise<OpenIdProvider> {
  const issuer = new URL(text)
  return {
    issuer,
    // Only a local service accepts an issuer without HTTPS.
    isPlain: issuer.protocol === 'http:',
    clientId,
    clientSecret: await keyringOf(env, 'ACCOUNT_KEYS').decrypt(clientSecret),
    checkAddress: (url) => void publicUrl(url, env, requestUrl),
  }
}

/**
 * @returns the issuer as it is compared with tokens
 * @throws 400, attr `issuer`
 */
export function checkedIssuer(text: string, env: Env, requestUrl: URL): string {
  const url = new URL(publicUrl(text, env, requestUrl, 'issuer'))
  if (url.search !== '' || url.hash !== '')
    throw invalid(
      'issuer',
      'The issuer has no query and no fragment: enter it without the part from ? or # on.',
    )
  if (url.pathname.includes('/.well-known/'))
    throw invalid('issuer', 'Enter the issuer itself, without /.well-known/openid-configuration.')
  return text
}
