// What a request says about the browser that sent it.

export interface Client {
  /** Whom limits count as one: see `networkOf`. `unknown` where nothing stands in front of the Worker. */
  network: string
  userAgent: string | null
  /** `City, Country`, or what is known of it. */
  location: string | null
}

const MAX_USER_AGENT = 512
/** An IPv6 address with an IPv4 tail. */
const MAX_ADDRESS = 45

/**
 * The sender of a request. Only `CF-Connecting-IP` counts as its address: the platform sets it, and whatever a caller wrote there is
 * overwritten. `X-Forwarded-For` is the caller's to choose, and would undo every limit that counts by address.
 */
export function clientOf(request: Request): Client {
  const { city, country } = (request.cf ?? {}) as { city?: string; country?: string }
  return {
    network: networkOf(request.headers.get('CF-Connecting-IP') ?? 'unknown'),
    userAgent: request.headers.get('User-Agent')?.slice(0, MAX_USER_AGENT) ?? null,
    location: [city, countryName(country)].filter(Boolean).join(', ') || null,
  }
}

/**
 * Who stands behind an address, as far as it tells: one IPv4 address, or the /64 that an IPv6 address is in. Providers hand these out whole, and
 * whoever has one has more addresses than could ever be counted.
 */
export function networkOf(ip: string): string {
  // Where nothing stands in front of the Worker, the header is the caller's to write.
  if (ip.length > MAX_ADDRESS) return 'unknown'
  if (!ip.includes(':')) return ip
  // An IPv4 address in IPv6's clothes.
  const dotted = /^::ffff:([\d.]+)$/i.exec(ip)
  if (dotted) return dotted[1]!
  const [before = '', after = ''] = ip.toLowerCase().split('::')
  const [head, tail] = [before, after].map((half) => half.split(':').filter(Boolean)) as [string[], string[]]
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  const groups = [...head, ...zeros, ...tail].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${groups.join(':')}::/64`
}

/** `DE` as people call it. Codes that are none (`T1` for Tor, `XX` for unknown) say nothing. */
function countryName(code: string | undefined): string | null {
  if (!code || !/^[A-Z]{2}$/.test(code) || code === 'XX') return null
  return new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? null
}
