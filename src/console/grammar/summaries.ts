// Summarizes an event or a person in a few words. The functions are pure.

type Properties = Readonly<Record<string, unknown>>

/** The most properties that a summary names. */
const MAX_NAMED = 4
/** The most characters of a value. */
const MAX_VALUE = 40

/** Summarizes the project's own properties, without those of the client: `plan: pro · amount: 20`. It is empty for none. */
export function propertiesSummary(properties: Properties, without: ReadonlySet<string> = new Set()): string {
  return Object.entries(properties)
    .filter(([name, value]) => !name.startsWith('$') && !without.has(name) && isPlain(value))
    .slice(0, MAX_NAMED)
    .map(([name, value]) => `${name}: ${shortened(String(value))}`)
    .join(' · ')
}

/** Says what happened in an event. It is empty if its properties do not say it. */
export function eventSummary(event: string, properties: Properties): string {
  const { $feature_flag: flag, $feature_flag_response: value, $el_text: text, $set: set } = properties
  if (event === '$feature_flag_called' && flag !== undefined) return `${String(flag)}: ${String(value)}`
  if (event === '$autocapture' && typeof text === 'string') return `“${shortened(text)}”`
  if ((event === '$identify' || event === '$set') && typeof set === 'object' && set !== null)
    return propertiesSummary(set as Properties)
  const place = placeOf(properties)
  if (event === '$pageview' || event === '$pageleave' || event === '$screen') return place
  return propertiesSummary(properties) || place
}

/** Returns the page or the screen. */
function placeOf({ $current_url: url, $pathname: path, $screen_name: screen }: Properties): string {
  if (typeof screen === 'string') return screen
  if (typeof url === 'string' && URL.canParse(url)) {
    const { host, pathname } = new URL(url)
    return host + pathname
  }
  return typeof path === 'string' ? path : ''
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '')

const shortened = (text: string): string =>
  text.length > MAX_VALUE
    ? // Half a surrogate pair is no character.
      `${text.slice(0, MAX_VALUE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
    : text
