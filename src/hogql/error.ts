// What is wrong with a query, and where.

/** Offsets into the text of the query: from the first character to the one behind the last. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** A query that cannot be parsed, resolved or printed. The message says why, and names the thing; the place is null where it is all of it. */
export class HogqlError extends Error {
  override name = 'HogqlError'
  readonly start: number | null
  readonly end: number | null

  constructor(
    message: string,
    place: Place | null = null,
    readonly code: string = 'not_supported',
  ) {
    super(message)
    this.start = place?.start ?? null
    this.end = place?.end ?? null
  }
}
