// What every measured engine offers: the same three flags, asked about subject number `index`.

/** Flags that every engine defines in its own terms, as alike as its model allows. */
export interface Engine {
  readonly name: string
  /** On for 30% of everybody. */
  readonly rollout: (index: number) => Answer
  /** On for whom five conditions hold at once. */
  readonly targeting: (index: number) => Answer
  /** Three variants: 50%, 30% and 20% of everybody. */
  readonly variants: (index: number) => Answer
}

/** Whether the flag is on, or the variant. An engine that cannot answer at once answers with a promise. */
export type Answer = boolean | string | Promise<boolean | string>

export const SCENARIOS = ['rollout', 'targeting', 'variants'] as const
export type Scenario = (typeof SCENARIOS)[number]
