// Who is counted where an insight counts somebody: persons, or the groups of one type.
import { invalid } from '../../errors'
import type { Insight } from './shape'

export interface Actor {
  /** HogQL over events. */
  expression: string
  /** What an event needs to have one; null when all have. */
  condition: string | null
}

/** @throws 400 `query` for a group type that cannot be. */
export function actorOf({ aggregation_group_type_index: index }: Insight): Actor {
  if (index === null || index === undefined) return { expression: 'person_id', condition: null }
  if (!(index >= 0 && index <= 4))
    throw invalid('query', 'aggregation_group_type_index is a number from 0 to 4.')
  return { expression: `$group_${index}`, condition: `notEmpty($group_${index})` }
}
