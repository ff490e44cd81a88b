// Decides when a delivery is attempted again.

/** The most attempts of one delivery, which are made over about a day. */
export const MAX_ATTEMPTS = 8

const FIRST_RETRY_MS = 80_000
const FACTOR = 3
/** A delay is longer or shorter by up to this share, so that deliveries which failed together are not repeated together. */
const JITTER = 0.1

/**
 * A webhook without a success for this long is paused. The time is shorter than the shortest series of MAX_ATTEMPTS, so that the last
 * attempt of a series comes after it.
 */
export const PAUSE_AFTER_MS = 20 * 3_600_000

/**
 * Returns when the next attempt is, or null after the last.
 * @param random from 0 up to 1
 */
export function nextAttempt(attempts: number, now: Date, random: number): Date | null {
  if (attempts >= MAX_ATTEMPTS) return null
  const delayMs = FIRST_RETRY_MS * FACTOR ** (attempts - 1) * (1 + JITTER * (2 * random - 1))
  return new Date(now.getTime() + delayMs)
}
