// Decides which addresses of other services may be called, because addresses that members of a project enter are called from the network of
// the service.
import { isLoopback } from '../auth/client'
import { invalid } from '../errors'

export const MAX_URL_LENGTH = 2_000

const PRIVATE_V4 = [
  /^(0|10|127)\./,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^169\.254\./,
  /^172\.(1[6-9]|2\d|3[01])\./,
  /^192\.(0\.0|0\.2|88\.99|168)\./,
  /^198\.(1[89]|51)\./,
  /^203\.0\.113\./,
  /^(22[4-9]|2[3-5]\d)\./,
]

/** Names that never resolve to a public address (RFC 6761, 6762, 7686, 8375, 9476). */
const PRIVATE_NAMES =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|svc|test|invalid|onion|alt|home\.arpa)$/

/** Returns whether a host is private. The URL parser has already converted other spellings of IPv4 to dotted decimals. */
function isPrivate(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  // Public IPv6 is 2000::/3. In it, documentation, 6to4, Teredo and NAT64 may lead to IPv4 inside.
  if (host.startsWith('['))
    return (
      !/^\[[23][\da-f]{3}:/.test(host) ||
      /^\[(2001:(0?:|:|db8:|0:)|2002:|3fff:)/.test(host) ||
      host.includes('.')
    )
  // Resolvers differ in how they treat empty labels: `localhost..` would not look like `localhost`.
  if (hostname.includes('..')) return true
  if (/^[\d.]+$/.test(host)) return PRIVATE_V4.some((range) => range.test(host))
  return !host.includes('.') || PRIVATE_NAMES.test(host)
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')

/**
 * Returns whether an address is one of the service that a request calls, except for its health check, which does nothing: `npm run verify`
 * has a webhook call it. On a machine, each port of loopback is another service, and loopback has several names; elsewhere, a host may
 * serve several ports.
 */
function isOwn(url: URL, requestUrl: URL, isLocal: boolean): boolean {
  if (url.pathname === '/health') return false
  const [host, own] = [url, requestUrl].map(({ hostname }) => hostname.replace(/\.$/, ''))
  return isLocal ? portOf(url) === portOf(requestUrl) && (isLoopback(url) || host === own) : host === own
}

/**
 * Checks the address of another service.
 * @param requestUrl the URL of the call. Its host alone is no proof of a local service, because a proxy may set any.
 * @param attr the field that has the address
 * @returns its normal form
 * @throws 400
 */
export function publicUrl(
  text: string,
  { ALLOW_PRIVATE_HOSTS }: Pick<Env, 'ALLOW_PRIVATE_HOSTS'>,
  requestUrl: URL,
  attr = 'url',
): string {
  const isLocal = ALLOW_PRIVATE_HOSTS === 'on' && isLoopback(requestUrl)
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalid(attr, `Enter a URL that begins with https://${isLocal ? ' or http://' : ''}.`)
  if (url.username !== '' || url.password !== '')
    throw invalid(attr, 'The URL must not contain a user name or a password.')
  if (isOwn(url, requestUrl, isLocal))
    throw invalid(attr, `${url.hostname} is this service itself: enter the address of another one.`)
  if (isLocal) return url.href
  if (url.protocol !== 'https:') throw invalid(attr, 'The URL must begin with https://.')
  if (isPrivate(url.hostname))
    throw invalid(attr, `${url.hostname} is not a public host: enter one that the internet can reach.`)
  return url.href
}
