// Tuples. They are made by a node of their own; this reads them.
import { argument } from './returns'
import { refuse } from './refuse'
import type { Literal } from '../ir'
import type { Type } from '../types'
import type { ScalarFunction } from './spec'

/** What stands at a constant place of a tuple, counted from 1. */
function itemAt(tuple: Type, place: Literal | undefined): { type: Type; index: number } {
  const type = tuple.kind === 'tuple' && typeof place === 'number' ? tuple.of[place - 1] : undefined
  if (!type || typeof place !== 'number')
    return refuse(`'tupleElement' takes a tuple and the place of one of its elements.`)
  return { type, index: place - 1 }
}

export const TUPLES: readonly ScalarFunction[] = [
  {
    kind: 'scalar',
    name: 'tupleElement',
    takes: ['any', 'integer'],
    returns: (args, constants) => itemAt(argument(args, 0), constants[1]).type,
    sqlite: ([tuple], { types, constants }) => {
      const { index } = itemAt(argument(types, 0), constants[1])
      return `(${tuple} ->> ${index})`
    },
    // The place has to be a literal there.
    clickhouse: ([tuple], { types, constants }) =>
      `tupleElement(${tuple}, ${itemAt(argument(types, 0), constants[1]).index + 1})`,
  },
]
