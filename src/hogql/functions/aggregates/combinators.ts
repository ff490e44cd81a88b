// Combinators at the end of an aggregate's name that only ClickHouse has: -Array, -ForEach, -State and -Merge.
import { reject } from '../../error'
import { arrayOf, databaseTypeOf, type Type } from '../../types'
import { aggregateOnClickhouse } from '../define'
import { argument, elementOf } from '../return-types'
import type { AggregateFunction, AggregateSite } from '../spec'

/** Aggregates whose SQL for ClickHouse begins with their own name. */
const BASES =
  'count sum avg min max any anyLast uniq uniqExact groupArray groupUniqArray argMin argMax'.split(' ')

type Base = AggregateFunction

/** Adds the combinator to the name of an aggregate: `uniq(x)` becomes `uniqState(x)`. */
const named =
  (base: Base, combinator: string) =>
  (site: AggregateSite, ...args: string[]): string => {
    const call = base.clickhouse?.(args, site) ?? `${base.name}(${args.join(', ')})`
    return call.replace(base.name, base.name + combinator)
  }

/** Defines an aggregate over the elements of arrays. */
function ofElements(base: Base, combinator: string, give: (type: Type) => Type): AggregateFunction {
  const returns: Base['returns'] = (args, constants) => {
    const { kind } = argument(args, 0)
    if (kind !== 'array') reject(null, `'${base.name}${combinator}' takes an array, and got ${kind}`)
    return give(base.returns(args.map(elementOf), constants))
  }
  return aggregateOnClickhouse(base.name + combinator, 'array', returns, named(base, combinator))
}

/** A state is a tuple with the type of the result. Only -Merge can read it. */
const state = (base: Base): AggregateFunction => ({
  ...base,
  ...aggregateOnClickhouse(
    `${base.name}State`,
    'any',
    (args, constants) => ({
      kind: 'tuple',
      of: [base.returns(args, constants)],
      nullable: false,
      stateOf: base.name,
    }),
    named(base, 'State'),
  ),
  takes: base.takes,
  ofDistinct: undefined,
})

const merge = (base: Base): AggregateFunction =>
  aggregateOnClickhouse(
    `${base.name}Merge`,
    'any',
    ([type]) =>
      type?.kind === 'tuple' && type.stateOf === base.name && type.of[0]
        ? type.of[0]
        : reject(
            null,
            `'${base.name}Merge' takes a column of ${base.name}State(…), and got ${databaseTypeOf(type!)}`,
          ),
    `${base.name}Merge($1)`,
  )

/**
 * Finds an aggregate with a combinator, such as `uniqState`, in any case of letters.
 * @param find finds an aggregate by its name
 */
export function findCombined(
  name: string,
  find: (name: string) => AggregateFunction | undefined,
): AggregateFunction | undefined {
  const [, start = '', combinator = ''] = /^(.+)(array|foreach|state|merge)$/.exec(name.toLowerCase()) ?? []
  const base = find(start)
  if (!base || !BASES.includes(base.name)) return undefined
  switch (combinator) {
    case 'array':
      return ofElements(base, 'Array', (type) => type)
    case 'foreach':
      return ofElements(base, 'ForEach', arrayOf)
    case 'state':
      return state(base)
    default:
      return merge(base)
  }
}
