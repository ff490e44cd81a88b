import { type Arrival, sentAtFrom } from '../analytics/capture/parse-datetime'
import { invalid } from '../errors'
import { isObject, type JsonObject } from '../json'
import { inconsistentTokens } from './project-token'

export interface ParsedCapture extends Omit<Arrival, 'now'> {
  token: unknown
  events: readonly unknown[]
}

/**
 * Parses an event, a list of events or a batch.
 * @param query browsers send their time as `_` in epoch milliseconds, and some clients the token
 * @throws 400 for any other form, 401 when the tokens of a request without an envelope differ
 */
export function parseCaptureRequest(body: unknown, query: URLSearchParams): ParsedCapture {
  const [envelope, events] = splitBatch(body)
  return {
    token: firstToken(tokensOf(envelope)) ?? commonToken(query, events),
    events,
    ...sentAtOf(envelope, query),
  }
}

const firstToken = (tokens: readonly unknown[]): unknown =>
  tokens.find((token) => token !== undefined && token !== null && token !== '')

/** Returns the token of the address and of all events. @throws 401 for events of several projects */
function commonToken(query: URLSearchParams, events: readonly unknown[]): unknown {
  let common = firstToken([query.get('api_key'), query.get('token')])
  for (const [index, event] of events.entries()) {
    const token = isObject(event) ? firstToken(tokensOf(event)) : undefined
    if (token === undefined) continue
    common ??= token
    if (token !== common) throw inconsistentTokens(index)
  }
  return common
}

function splitBatch(body: unknown): [envelope: JsonObject, events: readonly unknown[]] {
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

function sentAtOf({ sent_at: sentAt }: JsonObject, query: URLSearchParams) {
  const sent = sentAtFrom('sent_at', sentAt)
  if (sent.sentAt) return sent
  const millis = Number(query.get('_') ?? Number.NaN)
  // Other cache busters have fewer digits. Times with 13 digits begin in 2001.
  return millis >= 1e12 && millis < 1e13 ? { sentAt: new Date(millis) } : sent
}
