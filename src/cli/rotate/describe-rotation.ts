import type { KeyRotation } from '../../storage/reencrypt'

/** Returns a sentence or two about a verified rotation. */
export const describeRotation = ({ keyId, unreadable }: KeyRotation): string =>
  `every value is encrypted with the new key ${keyId}, and the old keys are retired.` +
  (unreadable > 0
    ? ` ${unreadable} ${unreadable === 1 ? 'value was' : 'values were'} left, which no key opened before either.`
    : '')
