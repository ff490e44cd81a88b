// Where a caller runs, as far as its request tells (reference/flags-evaluation.md §8.5).

export type Runtime = 'all' | 'client' | 'server' | 'unknown'

const BROWSER = /Mozilla|Chrome|Safari|Firefox|Edge/
const SERVER = /^(posthog-(python|ruby|php|java|go|node|dotnet|elixir)|python-requests|curl)/i
const MOBILE = /^posthog-(android|ios|react-native|flutter)/i
const BROWSER_HEADERS = ['Origin', 'Referer', 'Sec-Fetch-Mode', 'Sec-Fetch-Site', 'Sec-Fetch-Dest']

/**
 * The runtime of a request. What it says of itself counts first, then its user agent, then headers that only browsers send.
 * @param said `evaluation_runtime` of the body; anything that is no runtime counts as `all`.
 */
export function runtimeOf(said: unknown, headers: Headers): Runtime {
  if (said !== undefined && said !== null) {
    const named = typeof said === 'string' ? said.toLowerCase() : null
    return named === 'client' || named === 'server' ? named : 'all'
  }
  const agent = headers.get('User-Agent') ?? ''
  if (MOBILE.test(agent)) return 'client'
  if (SERVER.test(agent)) return 'server'
  if (BROWSER.test(agent)) return 'client'
  return BROWSER_HEADERS.some((name) => headers.has(name)) ? 'client' : 'unknown'
}
