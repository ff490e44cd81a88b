// Choices that are not all as likely.
import * as fc from 'fast-check'

/** One of several, as often as its weight says. */
export const weighted = <T>(weights: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]) =>
  fc.oneof(...weights.map(([weight, arbitrary]) => ({ weight, arbitrary })))
