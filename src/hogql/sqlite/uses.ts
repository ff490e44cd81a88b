// How often the SQL of a function repeats each of its arguments, and so evaluates it.
import type { SqliteSite } from '../functions/spec'
import type { Aggregate, Node } from '../ir'
import { commonSite, specOf } from '../print/expression'
import { letBinding } from './context'
import { zoneNamed } from './zone'

type Call = Pick<Node<'call'>, 'args' | 'type'>

/** Returns text that stands for an argument, and is not a mere name. */
const placeholder = (index: number): string => `(argument ${index})`

function siteOf(node: Call): SqliteSite {
  const writing = { bind: () => '?', once: letBinding() }
  const zone = zoneNamed('UTC', writing, true)
  return {
    ...commonSite(node, { parameters: writing }),
    zone,
    zoneOf: () => zone,
    zoneNamed: (name) => zoneNamed(name, writing, true),
    once: writing.once,
    parameters: node.args.flatMap((arg) =>
      arg.node === 'lambda' ? arg.parameters.map((id) => `e${id}`) : [],
    ),
  }
}

const placeholders = ({ args }: Pick<Call, 'args'>): string[] => args.map((_, index) => placeholder(index))

const countIn = (sql: string, { args }: Pick<Call, 'args'>): number[] =>
  args.map((_, index) => sql.split(placeholder(index)).length - 1)

function sqlOf(node: Node<'call'>): string {
  const spec = specOf(node.fn)
  if (spec.kind !== 'scalar') throw new Error(`${node.fn} is no scalar function`)
  return spec.sqlite(placeholders(node), siteOf(node))
}

/** Returns whether a call is a subselect, which the database computes once when nothing in it depends on a row. */
export const isSubselect = (node: Node<'call'>): boolean =>
  /^(?:ifnull\(|\(NOT )?(?:EXISTS )?\((?:SELECT|WITH)\b/.test(sqlOf(node))

/** Returns for each argument of a scalar function how often its SQL reads the argument. */
export function usesOfCall(node: Node<'call'>): number[] {
  const spec = specOf(node.fn)
  const isGuarded = spec.kind === 'scalar' && spec.guarded === true && node.type.nullable
  return countIn(sqlOf(node), node).map((count, index) =>
    isGuarded && node.args[index]!.type.nullable ? count + 1 : count,
  )
}

/** Returns for each argument of an aggregate how often its SQL reads the argument. */
export function usesOfAggregate(
  node: Pick<Aggregate, 'fn' | 'args' | 'params' | 'distinct' | 'type'>,
): number[] {
  const spec = specOf(node.fn)
  if (spec.kind !== 'aggregate') throw new Error(`${node.fn} is no aggregate function`)
  const { params, distinct } = node
  const sql = spec.sqlite(placeholders(node), {
    ...siteOf(node),
    params,
    distinct,
    apply: (call, condition = '') => `${call} ${condition}`,
    rank: { place: 'place', count: 'count' },
  })
  return countIn(sql, node)
}
