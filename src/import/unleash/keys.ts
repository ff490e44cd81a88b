// Finds keys for features whose names are not valid keys. Pure.
import { isKey } from '../../flags/keys/key'
import type { FeatureExport } from './api'

/** The key for a name without letters and numbers. */
const NAMELESS = 'flag'

/** The key of each feature by its name: the name, or one like it that no other feature has. */
export function keysOfFeatures({ features }: Pick<FeatureExport, 'features'>): ReadonlyMap<string, string> {
  const names = features.map(({ name }) => name)
  const keys = new Map(names.filter(isKey).map((name) => [name, name]))
  const taken = new Set(keys.values())
  /** The number to try next, for a name that several features would get. */
  const next = new Map<string, number>()
  // Names are sorted, so that a repeated import gives the same keys.
  for (const name of names.filter((each) => !isKey(each)).toSorted()) {
    const base = proposalFor(name)
    let key = base
    for (let number = next.get(base) ?? 2; taken.has(key); number += 1) {
      key = `${base}-${number}`
      next.set(base, number + 1)
    }
    taken.add(key)
    keys.set(name, key)
  }
  return keys
}

function proposalFor(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '')
  const key = plain.replace(/[^A-Za-z0-9_-]+/g, '-')
  return /[A-Za-z0-9]/.test(key) ? key : NAMELESS
}
