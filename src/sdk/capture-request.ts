// The forms of a capture request: one event, a list of events, or a batch around them. Pure.
import { parseMoment } from '../analytics/capture/parse-datetime'
import { invalid } from '../errors'
import { isObject, type JsonObject } from '../json'

export interface CaptureForm {
  /** Whatever was sent in place of a project token; the first that is found counts. */
  token: unknown
  events: readonly unknown[]
  /** When the client says that it sent the request; null when it does not. */
  sentAt: Date | null
}

/**
 * Reads the body of a capture request.
 * @param body parsed JSON.
 * @param query of the request: browsers put their sending time there, as `_` in epoch milliseconds, and some clients their token.
 * @throws 400 when it is none of the forms.
 */
export function captureForm(body: unknown, query: URLSearchParams): CaptureForm {
  const [envelope, events] = takeApart(body)
  const tokens = [
    ...tokensOf(envelope),
    query.get('api_key'),
    query.get('token'),
    ...events.flatMap((event) => (isObject(event) ? tokensOf(event) : [])),
  ]
  return {
    token: tokens.find((token) => token !== undefined && token !== null && token !== ''),
    events,
    sentAt: sentAtOf(envelope, query),
  }
}

function takeApart(body: unknown): [envelope: JsonObject, events: readonly unknown[]] {
  if (Array.isArray(body)) return [{}, body]
  if (!isObject(body)) throw invalid(null, 'Invalid data. Expected an event, a list of events or a batch.')
  if (body.batch === undefined) return [body, [body]]
  if (!Array.isArray(body.batch)) throw invalid('batch', 'Expected a list of items.', 'not_a_list')
  return [body, body.batch]
}

const tokensOf = ({ api_key: apiKey, token, $token, properties }: JsonObject): unknown[] => [
  apiKey,
  token,
  $token,
  ...(isObject(properties) ? [properties.token, properties.api_key] : []),
]

function sentAtOf({ sent_at: sentAt }: JsonObject, query: URLSearchParams): Date | null {
  const written = parseMoment(sentAt)
  if (written) return new Date(written)
  const millis = Number(query.get('_') ?? Number.NaN)
  // Anything else that caches are avoided with is no time: 2001 is the first year that has 13 digits.
  return millis >= 1e12 && millis < 1e13 ? new Date(millis) : null
}
