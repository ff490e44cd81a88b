// Decides which deployment is verified, and with which key.
import { UsageError } from '../command'
import { requireUrl } from '../import/options'
import { readSecret } from '../import/secret'
import { LOCAL_CREDENTIALS, readCredentials, storedKey } from '../local/credentials'

/** @throws UsageError */
export async function readTarget(values: {
  url?: string
  key?: string
}): Promise<{ url: string; key: string }> {
  const given = values.url ?? readCredentials(LOCAL_CREDENTIALS)?.base_url
  if (!given)
    throw new UsageError(`--url must say where the service is: ${LOCAL_CREDENTIALS} does not exist.`)
  const url = requireUrl('--url', given)
  if (new URL(url).pathname !== '/')
    throw new UsageError(`--url must be an origin such as https://flags.example.com, got "${url}".`)
  const { origin } = new URL(url)
  const key = await readSecret({
    value: values.key ?? (process.env.HALYARD_KEY || storedKey(origin)),
    option: '--key',
    variable: 'HALYARD_KEY',
    prompt: `Personal API key of ${origin}`,
  })
  return { url: origin, key }
}
