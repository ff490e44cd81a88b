// Parses `/i/v1/analytics/events`, the format of newer SDKs: the token and the client's clock are in headers, and some properties are
// next to `properties`.
import { sentAtFrom } from '../analytics/capture/parse-datetime'
import type { Captured } from '../analytics/capture/capture'
import { invalid } from '../errors'
import { isEmpty } from '../analytics/capture/event-parts'
import { isObject, type JsonObject } from '../json'
import type { ParsedCapture } from './capture-request'
import { dictionaryIn } from './flags-request'

export const isCaptureV1 = (path: string): boolean => /^\/i\/v1\/analytics\/events\/?$/.test(path)

/** Members of `options`, with the names of the properties that other formats use for them. */
const OPTIONS: Readonly<Record<string, string>> = {
  cookieless_mode: '$cookieless_mode',
  disable_skew_correction: '$ignore_sent_at',
  process_person_profile: '$process_person_profile',
  product_tour_id: '$product_tour_id',
}

/** The header with the time by the client's clock. */
const CLOCK = 'PostHog-Request-Timestamp'

/** @throws 400 unless the body has a list `batch` */
export function parseCaptureV1(body: unknown, headers: Headers): Omit<ParsedCapture, 'token'> {
  const { batch } = dictionaryIn(body)
  if (!Array.isArray(batch)) throw invalid('batch', 'Expected a list of items.', 'not_a_list')
  const [$lib, $lib_version] = (headers.get('PostHog-Sdk-Info') ?? '').split('/')
  const library = $lib ? { $lib, ...($lib_version ? { $lib_version } : {}) } : {}
  return {
    events: batch.map((event: unknown) => (isObject(event) ? withProperties(event, library) : event)),
    ...sentAtFrom(CLOCK, headers.get(CLOCK)),
  }
}

function withProperties(event: JsonObject, library: JsonObject): JsonObject {
  const { session_id, window_id, options, properties, ...rest } = event
  if (!isObject(properties) && !isEmpty(properties)) return event
  const chosen = Object.entries(isObject(options) ? options : {}).flatMap(([name, value]) =>
    Object.hasOwn(OPTIONS, name) ? [[OPTIONS[name]!, value] as const] : [],
  )
  return {
    ...rest,
    properties: {
      ...library,
      ...(session_id === undefined ? {} : { $session_id: session_id }),
      ...(window_id === undefined ? {} : { $window_id: window_id }),
      ...(isObject(properties) ? properties : {}),
      ...Object.fromEntries(chosen),
    },
  }
}

/** Returns the result of each event by its uuid: `ok`, or `drop` with the reason. */
export function resultsV1(events: readonly unknown[], { problems, isAccepted }: Captured): object {
  const firstDetails = new Map(problems.toReversed().map(({ index, detail }) => [index, detail]))
  const results = events.flatMap((event, index) => {
    if (!isObject(event) || typeof event.uuid !== 'string') return []
    if (isAccepted(index)) return [[event.uuid, { result: 'ok' }]]
    const details = firstDetails.get(index)
    return [[event.uuid, { result: 'drop', ...(details ? { details } : {}) }]]
  })
  return { results: Object.fromEntries(results) as object }
}
