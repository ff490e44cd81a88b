// Lists of PostHog's API, page by page.
import { isArray, isObject, type JsonObject } from '../../json'
import type { Client } from '../client'

const PAGE = 500
/** Maximum rows of one list. A project with more cannot be moved by a command. */
const MAX_LISTED = 200_000

/** Reads one page of a list. @param query with the page's position; null for the first page */
export async function readListPage(
  client: Client,
  path: string,
  query: string | null,
): Promise<{ rows: JsonObject[]; next: string | null }> {
  const answer = await client.call<unknown>('GET', `${path}${query ?? firstQuery(path)}`)
  if (isArray(answer)) return { rows: answer.filter(isObject), next: null }
  const { results, next } = answer as { results?: unknown; next?: unknown }
  if (!isArray(results)) throw new Error(`GET ${client.url}${path} answered without a list of results.`)
  // Only the query of the URL is used: the service may name itself by another address, and the key may be sent only to the given one.
  return {
    rows: results.filter(isObject),
    next: typeof next === 'string' ? new URL(next, client.url).search : null,
  }
}

/** Lists that one of the services returns whole, and for which a parameter of pages is a 400. */
const UNPAGED = /\/(?:groups_types|approval_policies|webhooks)\/$/

const firstQuery = (path: string) =>
  UNPAGED.test(path) ? '' : `${path.includes('?') ? '&' : '?'}limit=${PAGE}`

/** Reads all rows of a list. @throws CallError; Error for more than the maximum */
export async function readList(client: Client, path: string): Promise<JsonObject[]> {
  const rows: JsonObject[] = []
  let query: string | null = null
  do {
    // `next` also has the parameters of the path.
    const page = await readListPage(client, query === null ? path : path.split('?')[0]!, query)
    for (const row of page.rows) rows.push(row)
    query = page.next
    if (rows.length > MAX_LISTED) throw new Error(`${client.url}${path} has more than ${MAX_LISTED} rows.`)
  } while (query !== null)
  return rows
}
