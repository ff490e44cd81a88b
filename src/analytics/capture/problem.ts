// What is told to a client about events that could not be used as they were meant.

/** Says what could not be done of an event that is kept all the same. */
export type Report = (attr: string, detail: string) => void

/** Something that could not be done, in the terms of the error envelope. */
export interface Problem {
  /** Place of the event in the request. */
  index: number
  detail: string
  attr: string | null
}
