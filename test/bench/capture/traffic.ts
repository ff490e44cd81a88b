// Makes the requests of clients: each has 100 events as browsers send them.

export const EVENTS_A_REQUEST = 100
/** Requests are made beforehand and sent repeatedly. Their events have no uuid, so each sending stores new ones. */
const REQUESTS = 50
const PEOPLE = 1_000

/** Defines how many people and properties of the traffic are new. */
export interface Traffic {
  name: string
  /** The distinct id of an event. `sending` counts sendings, so that each can be about a new person. */
  distinctId(number: number, sending: string): string
  /** The person properties that the event sets. */
  set(number: number): Record<string, unknown> | null
}

export const TRAFFIC: readonly Traffic[] = [
  { name: 'known people, nothing new', distinctId: (number) => `user-${number % PEOPLE}`, set: () => null },
  {
    name: 'known people, a property set to what it is',
    distinctId: (number) => `user-${number % PEOPLE}`,
    set: () => ({ plan: 'paid', country: 'FR' }),
  },
  {
    name: 'ten new people a request',
    distinctId: (number, sending) => `new-${sending}-${number % 10}`,
    set: () => ({ plan: 'free' }),
  },
]

const NAMES = ['$pageview', '$autocapture', '$pageview', '$pageleave', 'purchased']

const properties = (number: number) => ({
  $browser: 'Chrome',
  $browser_version: 100 + (number % 30),
  $os: 'Mac OS X',
  $device_type: 'Desktop',
  $host: 'app.example.com',
  $pathname: `/docs/${number % 60}`,
  $current_url: `https://app.example.com/docs/${number % 60}`,
  $referring_domain: '$direct',
  $session_id: `01900000-0000-7000-9000-${String(number % PEOPLE).padStart(12, '0')}`,
  $window_id: `01900000-0000-7000-a000-${String(number % PEOPLE).padStart(12, '0')}`,
  $lib: 'web',
  $lib_version: '1.434.18',
  $screen_width: 1920,
  $screen_height: 1080,
  $geoip_country_code: 'FR',
  load_ms: 50 + (number % 900),
  amount: (number % 5000) / 100,
})

/** A placeholder for what differs from sending to sending. */
const SENDING = '@sending@'

/** Returns the bodies of requests for one kind of traffic. @param token of the project */
export function bodiesOf({ distinctId, set }: Traffic, token: string): ((sending: number) => string)[] {
  return Array.from({ length: REQUESTS }, (_, request) => {
    const batch = Array.from({ length: EVENTS_A_REQUEST }, (__, place) => {
      const number = request * EVENTS_A_REQUEST + place
      const $set = set(number)
      return {
        event: NAMES[number % NAMES.length],
        distinct_id: distinctId(number, SENDING),
        // The age in milliseconds, which browsers send with events that they have queued.
        offset: (EVENTS_A_REQUEST - place) * 97,
        properties: { ...properties(number), ...($set ? { $set } : {}) },
      }
    })
    const text = JSON.stringify({ api_key: token, batch })
    return text.includes(SENDING) ? (sending) => text.replaceAll(SENDING, String(sending)) : () => text
  })
}
