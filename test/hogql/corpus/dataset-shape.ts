// The types of the data set.

export type Properties = Readonly<Record<string, unknown>>

export interface SampleEvent {
  uuid: string
  event: string
  distinctId: string
  /** As it is stored. */
  timestamp: string
  createdAt: string
  properties: Properties
}

export interface SamplePerson {
  uuid: string
  distinctIds: readonly string[]
  createdAt: string
  isIdentified: boolean
  properties: Properties
  /** Whether the one static cohort has them. */
  inCohort: boolean
}
