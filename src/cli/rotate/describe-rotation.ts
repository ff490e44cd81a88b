import type { KeyringSecret } from '../../storage/encrypted-columns'
import type { KeyRotation } from '../../storage/reencrypt'
import type { RotateOptions } from './backup-codes'

/** Returns a sentence or two about a verified rotation. */
export const describeRotation = ({ keyId, unreadable }: KeyRotation): string =>
  `every value is encrypted with the new key ${keyId}, and the old keys are retired.` +
  (unreadable > 0
    ? ` ${unreadable} ${unreadable === 1 ? 'value was' : 'values were'} left, which no key opened before either.`
    : '')

/** Names the keys that a run left as they are because it continued the rotation of others. */
export function sayRest(begun: readonly KeyringSecret[], { secrets, say }: RotateOptions): void {
  const rest = begun.length > 0 ? secrets.filter((secret) => !begun.includes(secret)) : []
  if (rest.length > 0) say(`This run continued an earlier one. It left ${rest.join(' and ')} as it is.\n`)
}
