/** The client of a request. Loopback hosts need no HTTPS, for development and for tests with their own provider. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'

export interface Client {
  /** The unit of rate limits (see `networkOf`). It is `unknown` without a proxy in front of the Worker. */
  network: string
  userAgent: string | null
  /** `City, Country`, or one of them. */
  location: string | null
}

const MAX_USER_AGENT = 512
/** Maximum characters of an address, which an IPv6 address with an IPv4 tail has. */
const MAX_ADDRESS = 45

/**
 * Returns the client. Only `CF-Connecting-IP` is trusted, which the platform overwrites. Callers choose `X-Forwarded-For`, which would
 * bypass rate limits.
 */
export function clientOf(request: Request): Client {
  // The local runtime invents a location.
  const place = isLoopback(new URL(request.url)) ? {} : request.cf
  const { city, country } = (place ?? {}) as { city?: string; country?: string }
  return {
    network: networkOf(request.headers.get('CF-Connecting-IP') ?? 'unknown'),
    userAgent: request.headers.get('User-Agent')?.slice(0, MAX_USER_AGENT) ?? null,
    location: [city, countryName(country)].filter(Boolean).join(', ') || null,
  }
}

/** Returns the IPv4 address, or the /64 of an IPv6 address, because providers assign a /64 as a whole. */
export function networkOf(ip: string): string {
  // Without a proxy in front of the Worker, callers choose the header.
  if (ip.length > MAX_ADDRESS) return 'unknown'
  if (!ip.includes(':')) return ip
  // The address may be IPv4-mapped.
  const dotted = /^::ffff:([\d.]+)$/i.exec(ip)
  if (dotted) return dotted[1]!
  const [before = '', after = ''] = ip.toLowerCase().split('::')
  const [head, tail] = [before, after].map((half) => half.split(':').filter(Boolean)) as [string[], string[]]
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  const groups = [...head, ...zeros, ...tail].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${groups.join(':')}::/64`
}

/** Returns the name of a country code, or null for `T1` (Tor) and `XX` (unknown). */
export function countryName(code: string | undefined): string | null {
  if (!code || !/^[A-Z]{2}$/.test(code) || code === 'XX') return null
  return new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? null
}
