// The interface of every measured engine: it has the same three flags, and evaluates them for the subject with number `index`.

/** Flags that every engine defines in its own terms, as alike as its model allows. */
export interface Engine {
  readonly name: string
  /** The flag is on for 30% of all subjects. */
  readonly rollout: (index: number) => TestResponse
  /** The flag is on for subjects that match five conditions at once. */
  readonly targeting: (index: number) => TestResponse
  /** The flag has three variants, for 50%, 30% and 20% of all subjects. */
  readonly variants: (index: number) => TestResponse
}

/** Returns whether the flag is on, or its variant. An asynchronous engine returns a promise. */
export type TestResponse = boolean | string | Promise<boolean | string>

export const SCENARIOS = ['rollout', 'targeting', 'variants'] as const
export type Scenario = (typeof SCENARIOS)[number]
