// Numbered pages of the activity log.
import * as z from 'zod'
import type { ParameterDocs } from '../http/docs/operation-docs'
import { integer } from '../http/fields'

export const pageLinkSchema = z.string().nullable()

const MAX_LIMIT = 1000

/**
 * The query of every activity list. A page or limit below 1 is a 400, unlike in other lists; a limit above 1,000 counts as 1,000, as in
 * them.
 */
export const ActivityQuery = z.object({
  limit: integer({ min: 1 })
    .overwrite((limit) => Math.min(limit, MAX_LIMIT))
    .default(10),
  page: integer({ min: 1 }).default(1),
})

export const activityParameters = (): Readonly<Record<string, ParameterDocs>> => ({
  limit: 'From 1; more than 1,000 counts as 1,000.',
  page: 'From 1; empty past the last.',
})

/** Returns the URL of another page. `page` and `limit` are replaced in their places, or else appended in that order. */
export function linkToPage(url: URL, page: number, limit: number): string {
  const link = new URL(url)
  link.searchParams.delete('personal_api_key')
  link.searchParams.set('page', String(page))
  link.searchParams.set('limit', String(limit))
  return link.href
}
