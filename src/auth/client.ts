// What a request says about the browser that sent it.

export interface Client {
  /** The address as the platform saw it; `unknown` where nothing stands in front of the Worker. */
  ip: string
  userAgent: string | null
  /** `City, Country`, or what is known of it. */
  location: string | null
}

const MAX_USER_AGENT = 512

/**
 * The sender of a request. Only `CF-Connecting-IP` counts as its address: the platform sets it, and whatever a caller wrote there is
 * overwritten. `X-Forwarded-For` is the caller's to choose, and would undo every limit that counts by address.
 */
export function clientOf(request: Request): Client {
  const { city, country } = (request.cf ?? {}) as { city?: string; country?: string }
  return {
    ip: request.headers.get('CF-Connecting-IP') ?? 'unknown',
    userAgent: request.headers.get('User-Agent')?.slice(0, MAX_USER_AGENT) ?? null,
    location: [city, countryName(country)].filter(Boolean).join(', ') || null,
  }
}

/** `DE` as people call it. Codes that are none (`T1` for Tor, `XX` for unknown) say nothing. */
function countryName(code: string | undefined): string | null {
  if (!code || !/^[A-Z]{2}$/.test(code) || code === 'XX') return null
  return new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? null
}
