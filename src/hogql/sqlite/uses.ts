// The SQL of functions without their arguments, and how often it repeats each of them, and so evaluates it.
import { isInPaths, lookup } from '../functions/json-lookup'
import type { Aggregate, Node } from '../ir'
import { specOf } from '../print/expression'
import { siteOf } from './calls'
import { stateOf } from './context'
import { shift } from './dialect'
import { Parameters } from './parameters'

type Call = Pick<Node<'call'>, 'args'>

/** Returns text that stands for an argument, and is not a mere name. */
const placeholder = (index: number): string => `(argument ${index})`

const placeholders = ({ args }: Call): string[] => args.map((_, index) => placeholder(index))

const countIn = (sql: string, { args }: Call): number[] =>
  args.map((_, index) => sql.split(placeholder(index)).length - 1)

const stateIn = (timezone: string) => stateOf(timezone, new Parameters())

function sqlOf(node: Node<'call'>, timezone: string): string {
  const spec = specOf(node.fn)
  if (spec.kind !== 'scalar') throw new Error(`${node.fn} is no scalar function`)
  return spec.sqlite(placeholders(node), siteOf(node, stateIn(timezone)))
}

/** Returns whether a call is a subselect, which the database computes once when nothing in it depends on a row. */
export const isSubselect = (node: Node<'call'>): boolean =>
  /^(?:ifnull\(|\(NOT )?(?:EXISTS )?\((?:SELECT|WITH)\b/.test(sqlOf(node, 'UTC'))

/**
 * Returns the SQL of a scalar function, and for each argument how often the SQL reads it.
 * @param timezone the project's
 */
export function textOfCall(node: Node<'call'>, timezone: string): { sql: string; uses: number[] } {
  const spec = specOf(node.fn)
  const isGuarded = spec.kind === 'scalar' && spec.guarded === true && node.type.nullable
  const sql = sqlOf(node, timezone)
  const uses = countIn(sql, node).map((count, index) =>
    isGuarded && node.args[index]!.type.nullable ? count + 1 : count,
  )
  return { sql, uses }
}

/**
 * Returns the SQL that searches for a property and its type where no path of SQLite leads to it, without the conversion to text. Null where
 * one does.
 */
export function searchOfProperty({ path }: Pick<Node<'property'>, 'path'>): Search | null {
  const from = path.findIndex((step) => !isInPaths(step))
  if (from < 0) return null
  const { type, value } = lookup(placeholder(0), path, () => placeholder(1))
  return { sql: `${type} ${value}`, from, steps: path.filter((step) => !isInPaths(step)).length }
}

interface Search {
  sql: string
  /** The steps that a path of SQLite has, and the number of the others. */
  from: number
  steps: number
}

/** Returns the SQL of a shift. */
export const textOfShift = (node: Node<'shift'>, timezone: string): string =>
  shift(node, { ...stateIn(timezone), expr: () => placeholder(0) })

/** Returns for each argument of an aggregate how often its SQL reads the argument. */
export function usesOfAggregate(
  node: Pick<Aggregate, 'fn' | 'args' | 'params' | 'distinct' | 'type'>,
): number[] {
  const spec = specOf(node.fn)
  if (spec.kind !== 'aggregate') throw new Error(`${node.fn} is no aggregate function`)
  const { params, distinct } = node
  const sql = spec.sqlite(placeholders(node), {
    ...siteOf(node, stateIn('UTC')),
    params,
    distinct,
    apply: (call, condition = '') => `${call} ${condition}`,
    rank: { place: 'place', count: 'count' },
  })
  return countIn(sql, node)
}
