// Values gathered into an array. NULL is never one of them.
import type { Literal } from '../../ir'
import { arrayOf, required, type Type, STRING } from '../../types'
import { refuse } from '../refuse'
import { always, argument } from '../returns'
import type { AggregateFunction, SqliteAggregateSite } from '../spec'
import { asElement, asText } from '../sqlite-values'

const gathered = (args: readonly Type[]): Type => arrayOf(required(argument(args, 0)))

function gather(value: string, distinct: boolean, site: SqliteAggregateSite): string {
  const element = asElement(value, argument(site.types, 0))
  const call = `json_group_array(${distinct ? 'DISTINCT ' : ''}${element})`
  return `ifnull(${site.apply(call, `${value} IS NOT NULL`)}, '[]')`
}

/** How many elements a first pair of parentheses allows. */
function most(params: readonly Literal[], name: string): number | null {
  const [param] = params
  if (param === undefined) return null
  if (typeof param === 'number' && Number.isInteger(param) && param > 0) return param
  return refuse(`'${name}' takes a positive number of elements.`)
}

function group(name: string, distinct: boolean, ...aliases: string[]): AggregateFunction {
  return {
    kind: 'aggregate',
    name,
    aliases,
    params: { min: 0, max: 1 },
    takes: ['any'],
    window: true,
    returns: gathered,
    sqlite: ([value], site) => {
      const all = gather(String(value), distinct || site.distinct, site)
      const limit = most(site.params, name)
      if (limit === null) return all
      const of = argument(site.types, 0)
      return (
        `(SELECT json_group_array(${asElement('a.value', of)}) FROM json_each(${all}) AS a ` +
        `WHERE a.key < ${site.bind(limit)})`
      )
    },
    clickhouse: ([value], { params, distinct: differing }) => {
      const limit = most(params, name)
      return `${distinct || differing ? 'groupUniqArray' : 'groupArray'}${limit === null ? '' : `(${limit})`}(${value})`
    },
  }
}

const TOP = 10

export const COLLECTIONS: readonly AggregateFunction[] = [
  group('groupArray', false, 'array_agg'),
  group('groupUniqArray', true),
  {
    kind: 'aggregate',
    name: 'topK',
    params: { min: 0, max: 1 },
    takes: ['any'],
    window: false,
    returns: gathered,
    // Of values that are equally frequent, the lesser comes first.
    sqlite: ([value], site) => {
      const element = asElement('b.value', argument(site.types, 0))
      return (
        `(SELECT json_group_array(${element}) FROM (SELECT a.value AS value FROM json_each(${gather(String(value), false, site)}) AS a ` +
        `GROUP BY a.value ORDER BY count(*) DESC, a.value LIMIT ${site.bind(most(site.params, 'topK') ?? TOP)}) AS b)`
      )
    },
    clickhouse: ([value], { params }) => `topK(${most(params, 'topK') ?? TOP})(${value})`,
  },
  {
    kind: 'aggregate',
    name: 'groupConcat',
    aliases: ['string_agg', 'group_concat'],
    takes: ['any', 'string'],
    optional: 1,
    window: true,
    returns: always(STRING),
    sqlite: ([value, separator = "''"], site) => {
      const text = asText(String(value), argument(site.types, 0), site)
      return `ifnull(${site.apply(`group_concat(${text}, ${separator})`)}, '')`
    },
    clickhouse: ([value, separator = "''"]) =>
      `arrayStringConcat(groupArray(toString(${value})), ${separator})`,
  },
]
