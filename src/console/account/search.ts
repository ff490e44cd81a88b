// Defines the search parameters of the account page.

export interface AccountSearch {
  /** The page of this service on which to continue when a required second factor is set up. */
  next?: string | undefined
  chat_link_success?: true | undefined
  chat_link_error?: true | undefined
}

/** Returns whether a target is a page of this service: browsers read `//host` and `/\\host` as another service. */
const isOwnPage = (target: unknown): target is string =>
  typeof target === 'string' &&
  /^\/(?![/\\])/.test(target) &&
  URL.parse(target, location.origin)?.origin === location.origin

/** Parses the parameters. Links cannot supply text: only whether linking a chat account succeeded. */
export const parseAccountSearch = (search: Record<string, unknown>): AccountSearch => ({
  next: isOwnPage(search.next) ? search.next : undefined,
  chat_link_success: search.chat_link_success === undefined ? undefined : true,
  chat_link_error: search.chat_link_error === undefined ? undefined : true,
})
