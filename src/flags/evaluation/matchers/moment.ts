// What a test of a date is told besides the date.

/** When and where a date is read. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly now: number
  /** IANA name of the project's time zone. */
  readonly timezone: string
}
