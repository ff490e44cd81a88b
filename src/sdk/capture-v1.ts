// Parses `/i/v1/analytics/events`, the format of newer SDKs: the token and the client's clock are in headers, and some properties are
// next to `properties`.
import { sentAtFrom } from '../analytics/capture/parse-datetime'
import type { Captured } from '../analytics/capture/capture'
import { invalid } from '../errors'
import { isEmpty } from '../analytics/capture/event-parts'
import { booleanOf } from '../http/fields'
import { isObject, type JsonObject, type JsonValue } from '../json'
import type { ParsedCapture } from './capture-request'
import { dictionaryIn } from './flags-request'

export const isCaptureV1 = (path: string): boolean => /^\/i\/v1\/analytics\/events\/?$/.test(path)

/** Booleans of `options`, with the names of the properties that other formats use for them. The other option is `product_tour_id`. */
const SWITCHES: Readonly<Record<string, string>> = {
  cookieless_mode: '$cookieless_mode',
  disable_skew_correction: '$ignore_sent_at',
  process_person_profile: '$process_person_profile',
}

/** The header with the time by the client's clock. */
const CLOCK = 'PostHog-Request-Timestamp'

/** A request, and details of options that are ignored, by the index of the event. */
export interface ParsedCaptureV1 extends Omit<ParsedCapture, 'token'> {
  ignoredOptions: ReadonlyMap<number, string>
}

/** @throws 400 unless the body has a list `batch` */
export function parseCaptureV1(body: unknown, headers: Headers): ParsedCaptureV1 {
  const { batch } = dictionaryIn(body)
  if (!Array.isArray(batch)) throw invalid('batch', 'Expected a list of items.', 'not_a_list')
  const [$lib, $lib_version] = (headers.get('PostHog-Sdk-Info') ?? '').split('/')
  const library = $lib ? { $lib, ...($lib_version ? { $lib_version } : {}) } : {}
  const ignoredOptions = new Map<number, string>()
  return {
    events: batch.map((event: unknown, index) =>
      isObject(event)
        ? withProperties(event, library, (detail) => void ignoredOptions.set(index, detail))
        : event,
    ),
    ignoredOptions,
    ...sentAtFrom(CLOCK, headers.get(CLOCK)),
  }
}

type ReportOptions = (detail: string) => void

function withProperties(event: JsonObject, library: JsonObject, report: ReportOptions): JsonObject {
  const { session_id, window_id, options, properties, ...others } = event
  const rest = { ...others, ...trimmed('distinct_id', others), ...trimmed('uuid', others) }
  if (!isObject(properties) && !isEmpty(properties)) return { ...rest, properties }
  return {
    ...rest,
    properties: {
      ...library,
      ...(session_id === undefined ? {} : { $session_id: session_id }),
      ...(window_id === undefined ? {} : { $window_id: window_id }),
      ...(isObject(properties) ? properties : {}),
      ...propertiesOf(options, report),
    },
  }
}

const trimmed = (name: string, { [name]: value }: JsonObject): JsonObject =>
  typeof value === 'string' ? { [name]: value.trim() } : {}

/** Returns the properties that options stand for. Booleans may be numbers or words, as upstream. */
function propertiesOf(options: JsonValue | undefined, report: ReportOptions): JsonObject {
  if (!isObject(options)) {
    if (!isEmpty(options)) report('options: Expected an object, so this is ignored.')
    return {}
  }
  const properties: Record<string, JsonValue> = {}
  for (const [name, property] of Object.entries(SWITCHES)) {
    const value = options[name] ?? null
    if (value === null) continue
    const isOn = booleanOf(typeof value === 'string' ? value.trim() : value)
    if (isOn === null) report(`options.${name}: Must be true or false, so this is ignored.`)
    else properties[property] = isOn
  }
  const { product_tour_id: tour } = options
  return tour === undefined ? properties : { ...properties, $product_tour_id: tour }
}

/**
 * Returns the result of each event by its uuid: `ok`, or `drop`, with details of the first problem. An event without a uuid has its index,
 * where there is a problem.
 */
export function resultsV1(
  { events, ignoredOptions }: Pick<ParsedCaptureV1, 'events' | 'ignoredOptions'>,
  { problems, isAccepted }: Captured,
): object {
  const firstDetails = new Map([
    ...ignoredOptions,
    ...problems.toReversed().map(({ index, detail }) => [index, detail] as const),
  ])
  const results = events.flatMap((event, index) => {
    const details = firstDetails.get(index)
    const uuid = isObject(event) && typeof event.uuid === 'string' ? event.uuid : null
    if (uuid === null && details === undefined) return []
    const result = isAccepted(index) ? 'ok' : 'drop'
    return [[uuid ?? String(index), { result, ...(details ? { details } : {}) }]]
  })
  return { results: Object.fromEntries(results) as object }
}
