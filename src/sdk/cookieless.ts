// Ids for visitors who allow no stored identity. posthog-js in `cookieless_mode` sends the same distinct id for all of them. Each visitor
// gets an id of the day that is computed from the connection and a salt. Once the salt is deleted, an id cannot be traced to an address.
import { createHmac } from 'node:crypto'
import { clientOf } from '../auth/client'
import { isObject, type JsonObject } from '../json'

const COOKIELESS = '$posthog_cookieless'

/** The property with further text for the id, by which SDKs separate visitors with equal connections. */
const EXTRA = '$cookieless_extra'

/** Properties from which an id is computed. They are not stored. */
const NOT_STORED: ReadonlySet<string> = new Set([EXTRA, '$ip', '$raw_user_agent'])

/**
 * Returns the id that stands for a visitor until midnight in UTC.
 * @param extra text of the SDK; a value that is no text counts as none
 * @throws 503 when the salt of the day cannot be read
 */
export type VisitorIds = (extra: unknown) => Promise<string>

/** Returns the function that computes the ids of visitors in one request. @param readSalt is called at most once */
export function visitorIds(projectId: number, request: Request, readSalt: () => Promise<string>): VisitorIds {
  const { network, userAgent } = clientOf(request)
  const host = hostOf(request)
  let salt: Promise<string> | undefined
  return async (extra) => {
    const parts = [projectId, network, userAgent, host, typeof extra === 'string' ? extra : null]
    const hash = createHmac('sha256', await (salt ??= readSalt()))
      .update(JSON.stringify(parts))
      .digest()
    return `cookieless_${hash.subarray(0, 16).toString('base64url')}`
  }
}

/** Returns the host of the page, which browsers name in requests to other origins. */
function hostOf({ headers }: Request): string | null {
  const page = headers.get('Origin') ?? headers.get('Referer') ?? ''
  return URL.canParse(page) ? new URL(page).host : null
}

/** Returns a body of `/flags` with the id of its visitor. */
export async function withVisitorId(body: JsonObject, idOf: VisitorIds): Promise<JsonObject> {
  if (!Object.values(body).includes(COOKIELESS)) return body
  return replaced(body, await idOf(body.cookieless_hash_extra))
}

/** Returns captured events with the ids of their visitors. */
export const withVisitorIds = (events: readonly unknown[], idOf: VisitorIds): Promise<unknown[]> =>
  Promise.all(
    events.map(async (event) => {
      if (!isObject(event)) return event
      const properties = isObject(event.properties) ? event.properties : {}
      if (![...Object.values(event), ...Object.values(properties)].includes(COOKIELESS)) return event
      const id = await idOf(properties[EXTRA])
      if (!isObject(event.properties)) return replaced(event, id)
      const stored = Object.entries(replaced(properties, id)).filter(([name]) => !NOT_STORED.has(name))
      return { ...replaced(event, id), properties: Object.fromEntries(stored) }
    }),
  )

/** Replaces the values that stand for an id, whatever the names of their fields. */
const replaced = (fields: JsonObject, id: string): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value === COOKIELESS ? id : value]))
