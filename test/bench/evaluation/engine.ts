// What every measured engine offers: the same three flags, asked about subject number `index`.

/** Flags that every engine defines in its own terms, as alike as its model allows. */
export interface Engine {
  readonly name: string
  /** On for 30% of everybody. */
  readonly rollout: (index: number) => TestResponse
  /** On for whom five conditions hold at once. */
  readonly targeting: (index: number) => TestResponse
  /** Three variants: 50%, 30% and 20% of everybody. */
  readonly variants: (index: number) => TestResponse
}

/** Whether the flag is on, or the variant. An engine that cannot answer at once answers with a promise. */
export type TestResponse = boolean | string | Promise<boolean | string>

export const SCENARIOS = ['rollout', 'targeting', 'variants'] as const
export type Scenario = (typeof SCENARIOS)[number]
