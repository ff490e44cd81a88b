// Order of evaluation of flags that depend on others: docs/reference/evaluation.md#definitions-for-sdks.
import type { FeedDefinition } from '../snapshots/definitions'
import { propertiesIn } from '../flags/filters/flag-filters'

/** Maximum characters of the keys in a feed. When 2,000 flags depend on each other in a row, their chains have two million keys. */
export const MAX_CHAIN_CHARACTERS = 4_000_000

export interface DependencyChains {
  /**
   * Returns the keys of all dependencies in order of evaluation, then the flag's own. The list is empty for a cycle, for a missing flag,
   * and past the limit. SDKs then ask the service.
   */
  to(target: FeedDefinition): readonly string[]
}

const NONE: readonly string[] = []

/** The characters of a key with its quotes and comma. */
const costOf = (key: string): number => key.length + 3

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
      if (left < 0) return NONE
      let chain = chains.get(target.id)
      if (chain) for (const key of chain) left -= costOf(key)
      else chains.set(target.id, (chain = build(target)))
      return left < 0 ? NONE : chain
    },
  }
}
