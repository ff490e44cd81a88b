// How often the SQL of a function has each of its arguments: that often an argument is evaluated.
import { functionNamed } from '../functions'
import type { SqliteSite } from '../functions/spec'
import type { Aggregate, Expr } from '../ir'
import { commonSite } from '../print/calls'
import { letBinding } from './context'
import { zoneNamed } from './zone'

type Call = Extract<Expr, { node: 'call' }>

/** Stands for an argument that is no mere name. */
const markOf = (index: number): string => `(argument ${index} ${'of a call '.repeat(12)})`

function siteOf(node: Pick<Call, 'args' | 'type'>): SqliteSite {
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

const marksIn = (sql: string, args: readonly Expr[]): number[] =>
  args.map((_, index) => sql.split(markOf(index)).length - 1)

const sqlOf = (node: Call): string => {
  const spec = functionNamed(node.fn)
  if (spec?.kind !== 'scalar') throw new Error(`${node.fn} is no scalar function`)
  return spec.sqlite(
    node.args.map((_, index) => markOf(index)),
    siteOf(node),
  )
}

/** Whether a call is a subselect, which the database computes once where nothing in it depends on a row. */
export const isSubselect = (node: Call): boolean =>
  /^(?:ifnull\(|\(NOT )?(?:EXISTS )?\((?:SELECT|WITH)\b/.test(sqlOf(node))

/** By argument of a scalar function. */
export function usesOfCall(node: Call): number[] {
  const spec = functionNamed(node.fn)
  const uses = marksIn(sqlOf(node), node.args)
  const isGuarded = spec?.kind === 'scalar' && spec.guarded === true && node.type.nullable
  return uses.map((count, index) => count + (isGuarded && node.args[index]!.type.nullable ? 1 : 0))
}

/** By argument of an aggregate. */
export function usesOfAggregate(
  node: Pick<Aggregate, 'fn' | 'args' | 'params' | 'distinct' | 'type'>,
): number[] {
  const spec = functionNamed(node.fn)
  if (spec?.kind !== 'aggregate') throw new Error(`${node.fn} is no aggregate function`)
  const sql = spec.sqlite(
    node.args.map((_, index) => markOf(index)),
    {
      ...siteOf(node),
      params: node.params,
      distinct: node.distinct,
      apply: (aggregate, condition = '') => `${aggregate} ${condition}`,
      rank: { place: 'place', count: 'count' },
    },
  )
  return marksIn(sql, node.args)
}
