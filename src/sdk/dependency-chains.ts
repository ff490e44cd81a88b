// Which flags an SDK has to evaluate before one that depends on them (reference/flags-evaluation.md §10). Pure.
import type { FeedDefinition } from '../snapshots/definitions'
import { propertiesIn } from '../flags/filters/flag-filters'

/**
 * Characters of keys in the chains of one feed. A chain lists every flag below it: for 2,000 flags that depend on each other in a row, two
 * million keys.
 */
export const MAX_CHAIN_CHARACTERS = 4_000_000

export interface DependencyChains {
  /**
   * Keys of the flags that a flag depends on, directly or not, in the order of evaluation, with the flag itself last. Empty for a cycle, for
   * a missing flag, and past the limit of the feed: SDKs then ask the service about the flag.
   */
  to(target: FeedDefinition): readonly string[]
}

const NONE: readonly string[] = []

/** A key with its quotes and its comma. */
const costOf = (key: string): number => key.length + 3

/** @param byId every flag of the feed. */
export function createChains(
  byId: ReadonlyMap<number, FeedDefinition>,
  maxCharacters = MAX_CHAIN_CHARACTERS,
): DependencyChains {
  const dependencies = new Map<number, readonly number[]>()
  const chains = new Map<number, readonly string[]>()
  let left = maxCharacters

  function dependenciesOf({ id, filters }: FeedDefinition): readonly number[] {
    let known = dependencies.get(id)
    if (!known) {
      const properties = propertiesIn(filters).filter(({ type }) => type === 'flag')
      dependencies.set(id, (known = [...new Set(properties.map(({ key }) => Number(key)))]))
    }
    return known
  }

  function build(target: FeedDefinition): readonly string[] {
    const chain = new Set<string>()
    const path = new Set<number>()

    function visit(flag: FeedDefinition): boolean {
      left -= costOf(flag.key)
      if (left < 0) return false
      if (chain.has(flag.key)) return true
      if (path.has(flag.id)) return false
      path.add(flag.id)
      for (const id of dependenciesOf(flag)) {
        const next = byId.get(id)
        if (!next || !visit(next)) return false
      }
      path.delete(flag.id)
      chain.add(flag.key)
      return true
    }

    return visit(target) ? [...chain] : NONE
  }

  return {
    to(target) {
      let chain = chains.get(target.id)
      // The feed repeats a chain for every flag that refers to it.
      if (chain) for (const key of chain) left -= costOf(key)
      else chains.set(target.id, (chain = build(target)))
      return left < 0 ? NONE : chain
    },
  }
}
