// Numbered pages: `page` and `limit`, and links that keep the request's own URL (reference/flags-api.md §6.1–6.2).
import * as z from 'zod'
import { integer } from '../http/fields'

export const pageLinkSchema = z.string().nullable()

const MAX_LIMIT = 1000

/** The query of every activity list. Less than 1 is a 400, unlike other lists; more than 1,000 is cut, as everywhere (decision 3). */
export const ActivityQuery = z.object({
  limit: integer({ min: 1 })
    .overwrite((limit) => Math.min(limit, MAX_LIMIT))
    .default(10),
  page: integer({ min: 1 }).default(1),
})

/** The URL of another page: `page` and `limit` substituted where they stand, else appended in that order. */
export function linkToPage(url: URL, page: number, limit: number): string {
  const link = new URL(url)
  link.searchParams.delete('personal_api_key')
  link.searchParams.set('page', String(page))
  link.searchParams.set('limit', String(limit))
  return link.href
}
