import { expect, it } from 'vitest'
import { authorizationUrl, MAX_PROVIDER_BYTES } from '../../../src/account/openid/sign-in'
import { createReceiver } from '../../support/server/receiver'

const signIn = { redirectUri: 'http://localhost/', state: 'a', nonce: 'b', codeVerifier: 'c'.repeat(64) }

/** The address of a provider that responds with metadata of so many bytes. */
async function urlFrom(bytes: number): Promise<URL> {
  const { url, answer } = await createReceiver()
  const metadata = { issuer: url, authorization_endpoint: `${url}/authorize`, more: '' }
  metadata.more = 'x'.repeat(bytes - JSON.stringify(metadata).length)
  const headers = { 'Content-Type': 'application/json' }
  await answer([{ status: 200, headers, body: JSON.stringify(metadata) }])
  const provider = { issuer: new URL(url), isPlain: true, clientId: 'id', clientSecret: 'secret' }
  return authorizationUrl(provider, signIn)
}

it('reads metadata of a provider up to a limit of bytes', async () => {
  expect((await urlFrom(MAX_PROVIDER_BYTES)).pathname).toMatch(/\/authorize$/)
  await expect(urlFrom(MAX_PROVIDER_BYTES + 1)).rejects.toThrow(
    `the provider responded with more than ${MAX_PROVIDER_BYTES} bytes`,
  )
})
