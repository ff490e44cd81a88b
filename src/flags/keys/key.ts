// The key of a flag: unique among the flags of a project that are not deleted. docs/reference/flags.md#keys.
import { invalid } from '../../errors'

export const MALFORMED_KEY = {
  detail: 'Only letters, numbers, hyphens (-) & underscores (_) are allowed.',
  code: 'invalid_key',
}

export const isKey = (text: string): boolean => /^[A-Za-z0-9_-]+$/.test(text)

export const keyTaken = () => invalid('key', 'There is already a feature flag with this key.', 'unique')

/** The flag that has a key, and what still refers to it, as JSON texts of lists. */
export interface KeyHolder {
  id: number
  deleted: boolean
  experiments: string
  features: string
}

/** How a deleted flag is renamed so that its key can be used again. */
export type TombstonePlan =
  | { kind: 'none' }
  | { kind: 'remove'; id: number }
  | { kind: 'rename'; id: number; to: string }

/**
 * A deleted flag gives its key to one that is not deleted, and only to that.
 * @param forDeleted whether the flag that gets the key is deleted
 * @throws 400, attr `key`, when the key is taken
 */
export function requireFreeKey(holder: KeyHolder | undefined, forDeleted: boolean): void {
  if (holder && (forDeleted || !holder.deleted)) throw keyTaken()
}

/** @throws 400, attr `key`, when the key is taken or malformed. */
export function checkKey(key: string, holder: KeyHolder | undefined, forDeleted: boolean): void {
  requireFreeKey(holder, forDeleted)
  if (!isKey(key)) throw invalid('key', MALFORMED_KEY.detail, MALFORMED_KEY.code)
}

/** @throws 400, attr null, when an experiment or feature still refers to the deleted flag that has the key. */
export function planTombstone(key: string, holder: KeyHolder | undefined): TombstonePlan {
  if (!holder) return { kind: 'none' }

  const experiments = JSON.parse(holder.experiments) as { id: number; name: string; deleted: 0 | 1 }[]
  const features = JSON.parse(holder.features) as { id: string; name: string }[]
  const live = [
    ...experiments
      .filter(({ deleted }) => !deleted)
      .map(({ id, name }) => `experiment "${name}" (ID: ${id})`),
    ...features.map(({ id, name }) => `early access feature "${name}" (ID: ${id})`),
  ]
  if (live.length > 0) {
    throw invalid(
      null,
      `Cannot reuse key '${key}': a soft-deleted flag with this key is still referenced by ${live.join(', ')}. ` +
        'Please contact support.',
    )
  }
  return experiments.length > 0
    ? { kind: 'rename', id: holder.id, to: tombstoneKey(key, holder.id) }
    : { kind: 'remove', id: holder.id }
}

/** Returns the key that a deleted flag gets while experiments still refer to it. */
export const tombstoneKey = (key: string, id: number) => `${key}:deleted:${id}`

/** Returns the key that a flag had before it was deleted. */
export const originalKey = (key: string, id: number) =>
  key.endsWith(`:deleted:${id}`) ? key.slice(0, -`:deleted:${id}`.length) : key

/** Returns `key`, or the first of `key-2`, `key-3`, … that is not taken. */
export function freeKey(key: string, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key
  let count = 2
  while (taken.has(`${key}-${count}`)) count += 1
  return `${key}-${count}`
}
