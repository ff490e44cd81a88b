// Rollout, variants and holdouts, drawn from one hash, `hash01` in `sha1.ts`: docs/reference/evaluation.md#the-hash.
import { hash01 } from './sha1'

/** Names of events, and ids of people and devices are cut to this length where a request enters. Keys of groups are not. */
export const MAX_IDENTIFIER_LENGTH = 200

/** Returns the first 200 Unicode scalar values of an identifier, for hashing and for every query. */
export function cutIdentifier(identifier: string): string {
  if (identifier.length <= MAX_IDENTIFIER_LENGTH) return identifier
  return [...identifier].slice(0, MAX_IDENTIFIER_LENGTH).join('')
}

/**
 * Returns the draw of an identifier for a flag, in [0, 1]. An empty identifier draws 0, so that it is in every rollout and gets the first
 * variant.
 * @param prefix the flag's key and a dot
 */
export const rolloutDraw = (prefix: string, identifier: string): number =>
  identifier === '' ? 0 : hash01(prefix, identifier, '')

const variantDraw = (prefix: string, identifier: string): number =>
  identifier === '' ? 0 : hash01(prefix, identifier, 'variant')

/** Minimum steps of a hash, and the units of its text that take one more. */
const STEPS_PER_HASH = 8
const HASHED_UNITS_PER_STEP = 4

/** Returns the steps of hashing a text of this length. */
export const hashingSteps = (units: number): number =>
  STEPS_PER_HASH + Math.floor(units / HASHED_UNITS_PER_STEP)

/** Whether a draw is within a percentage, which includes the limit itself. */
export const isWithin = (draw: number, percentage: number): boolean => draw <= percentage / 100

/** Returns the upper boundaries of variants. They are added left to right, as every client adds them. */
export function variantBoundaries(percentages: readonly number[]): readonly number[] {
  let boundary = 0
  return percentages.map((percentage) => (boundary += percentage / 100))
}

/**
 * Returns the index of the variant that an identifier gets. It is -1 when the weights leave a gap at the end and the identifier falls
 * into it.
 */
export function variantIndex(prefix: string, identifier: string, boundaries: readonly number[]): number {
  const draw = variantDraw(prefix, identifier)
  for (let index = 0; index < boundaries.length; index++) {
    if (draw < boundaries[index]!) return index
  }
  return -1
}

/** Whether a holdout excludes an identifier. It excludes the same identifiers for every flag, and hashes empty ones, too. */
export const isHeldOut = (identifier: string, percentage: number): boolean =>
  percentage === 100 || isWithin(hash01('holdout-', identifier, ''), percentage)
