export interface PublishedQueries {
  /** The page that shows queries of this shape. */
  source: string
  queries: readonly string[]
}
