// A flag's key: unique among the flags of a project that are not deleted, and what is left of it when the flag is (reference §1.2, §4.3–4.4).
import { invalid } from '../errors'

/** What a key that is not spelt as one is told. */
export const MISSPELT = {
  detail: 'Only letters, numbers, hyphens (-) & underscores (_) are allowed.',
  code: 'invalid_key',
}

export const isKey = (text: string): boolean => /^[A-Za-z0-9_-]+$/.test(text)

export const keyTaken = () => invalid('key', 'There is already a feature flag with this key.', 'unique')

/** Who holds a key, and what still refers to the holder: JSON texts of lists. */
export interface KeyHolder {
  id: number
  deleted: boolean
  experiments: string
  features: string
}

/** What has to happen to a deleted flag so that its key can be used again. */
export type TombstoneFate =
  | { kind: 'none' }
  | { kind: 'remove'; id: number }
  | { kind: 'rename'; id: number; to: string }

/** @throws 400, attr `key`, when a flag that is not deleted holds the key, or nobody may. */
export function checkKey(key: string, holder: KeyHolder | undefined): void {
  if (holder && !holder.deleted) throw keyTaken()
  if (!isKey(key)) throw invalid('key', MISSPELT.detail, MISSPELT.code)
}

/**
 * Decides about the deleted flag that holds a wanted key.
 * @throws 400, attr null, when something that lives still refers to it.
 */
export function settleTombstone(key: string, holder: KeyHolder | undefined): TombstoneFate {
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

/** The key of a deleted flag that experiments still point at. */
export const tombstoneKey = (key: string, id: number) => `${key}:deleted:${id}`

/** The key that a flag had before it was deleted. */
export const originalKey = (key: string, id: number) =>
  key.endsWith(`:deleted:${id}`) ? key.slice(0, -`:deleted:${id}`.length) : key

/** `key`, or the first of `key-2`, `key-3`, … that nobody holds. */
export function freeKey(key: string, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key
  let count = 2
  while (taken.has(`${key}-${count}`)) count += 1
  return `${key}-${count}`
}
