// Values gathered into an array. NULL is never one of them.
import type { Literal } from '../../ir'
import { arrayOf, required, type Type, STRING } from '../../types'
import { refuse } from '../refuse'
import { always, argument, elementOf } from '../returns'
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
    isDistinct: distinct,
    sqlite: ([value], site) => gather(String(value), distinct || site.distinct, site),
    keeps: {
      count: (params) => most(params, name),
      sqlite: ([array, limit], site) =>
        `(SELECT json_group_array(${asElement('a.value', elementOf(site.type))}) FROM json_each(${array}) AS a WHERE a.key < ${limit})`,
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
    sqlite: ([value], site) => gather(String(value), false, site),
    keeps: {
      count: (params) => most(params, 'topK') ?? TOP,
      // Of values that are equally frequent, the lesser comes first.
      sqlite: ([array, limit], site) =>
        `(SELECT json_group_array(${asElement('b.value', elementOf(site.type))}) FROM (SELECT a.value AS value FROM json_each(${array}) AS a ` +
        `GROUP BY a.value ORDER BY count(*) DESC, a.value LIMIT ${limit}) AS b)`,
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
