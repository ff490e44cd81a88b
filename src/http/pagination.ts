// Makes pages by limit and offset, with their links.
import * as z from 'zod'

/** Returns the schema of a page of `item`. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  })

export type Page<Item> = z.output<ReturnType<typeof pageOf<z.ZodType<Item>>>>

export interface PageQuery {
  limit: number
  offset: number
}

/**
 * Returns a page with its links, which are the request's own URL with sorted parameters, and without `offset` for page one. After a page
 * that ends early because its rows are large, `next` continues from its end.
 * @param results the rows of the list from `offset` on; fewer than `limit` only if the list, or the page, ends
 */
export function page<Item>(
  url: URL,
  { limit, offset }: PageQuery,
  count: number,
  results: Item[],
): Page<Item> {
  const end = offset + results.length
  return {
    count,
    next: results.length > 0 && end < count ? linkTo(url, limit, end) : null,
    previous: offset > 0 ? linkTo(url, limit, Math.max(0, offset - limit)) : null,
    results,
  }
}

/** Returns a page of a list of which all rows have been read. */
export const pageIn = <Item>(url: URL, query: PageQuery, rows: readonly Item[]): Page<Item> =>
  page(url, query, rows.length, rows.slice(query.offset, query.offset + query.limit))

function linkTo(url: URL, limit: number, offset: number): string {
  const link = new URL(url)
  link.searchParams.delete('personal_api_key')
  link.searchParams.set('limit', String(limit))
  if (offset > 0) link.searchParams.set('offset', String(offset))
  else link.searchParams.delete('offset')
  link.searchParams.sort()
  return link.href
}
