// What an array holds, and where.
import { INTEGER, STRING, type Type, nullable } from '../../types'
import { always, argument, elementOf } from '../returns'
import type { ScalarFunction } from '../spec'
import { asText, orDefault } from '../sqlite-values'

/** Whether each, or any, of the elements of one array is among those of another. */
const among = (name: string, every: boolean): ScalarFunction => ({
  kind: 'scalar',
  name,
  takes: ['array', 'array'],
  returns: always(INTEGER),
  sqlite: ([array, others]) => {
    const found = `EXISTS (SELECT 1 FROM json_each(${array}) AS b WHERE b.value IS a.value)`
    return every
      ? `(NOT EXISTS (SELECT 1 FROM json_each(${others}) AS a WHERE NOT ${found}))`
      : `EXISTS (SELECT 1 FROM json_each(${others}) AS a WHERE ${found})`
  },
})

export const ASKING: readonly ScalarFunction[] = [
  {
    kind: 'scalar',
    name: 'has',
    takes: ['array', 'any'],
    returns: always(INTEGER),
    sqlite: ([array, value]) => `EXISTS (SELECT 1 FROM json_each(${array}) AS a WHERE a.value IS ${value})`,
  },
  among('hasAny', false),
  among('hasAll', true),
  {
    kind: 'scalar',
    name: 'indexOf',
    takes: ['array', 'any'],
    returns: always(INTEGER),
    sqlite: ([array, value]) =>
      `ifnull((SELECT min(a.key) + 1 FROM json_each(${array}) AS a WHERE a.value IS ${value}), 0)`,
  },
  {
    kind: 'scalar',
    name: 'countEqual',
    takes: ['array', 'any'],
    returns: always(INTEGER),
    sqlite: ([array, value]) => `(SELECT count(*) FROM json_each(${array}) AS a WHERE a.value IS ${value})`,
  },
  {
    kind: 'scalar',
    name: 'arrayElement',
    takes: ['array', 'integer'],
    returns: (args) =>
      argument(args, 1).nullable ? nullable(elementOf(argument(args, 0))) : elementOf(argument(args, 0)),
    sqlite: ([array, place], site) =>
      orDefault(elementAt(String(array), String(place), site.constants[1]), site.type),
  },
  {
    kind: 'scalar',
    name: 'arrayElementOrNull',
    takes: ['array', 'integer'],
    returns: (args) => nullable(elementOf(argument(args, 0))),
    sqlite: ([array, place], site) => elementAt(String(array), String(place), site.constants[1]),
  },
  {
    kind: 'scalar',
    name: 'arrayUniq',
    takes: ['array'],
    returns: always(INTEGER),
    sqlite: ([array]) =>
      `(SELECT count(DISTINCT a.value) + max(0, ifnull(max(a.value IS NULL), 0)) FROM json_each(${array}) AS a)`,
  },
  {
    kind: 'scalar',
    name: 'arrayStringConcat',
    takes: ['array', 'string'],
    optional: 1,
    returns: always(STRING),
    sqlite: ([array, separator = "''"], site) => {
      const of: Type = elementOf(argument(site.types, 0))
      const text = asText('a.value', of, { ...site, once: (sql, write) => write(sql) })
      return `ifnull((SELECT group_concat(${text}, ${separator} ORDER BY a.key) FROM json_each(${array}) AS a WHERE a.value IS NOT NULL), '')`
    },
  },
]

/** Places count from 1, or from the end when negative. */
function elementAt(array: string, place: string, known: unknown): string {
  if (typeof known === 'number' && known > 0) return `(${array} ->> (${place} - 1))`
  const negative = `'$[#' || ${place} || ']'`
  return `(CASE WHEN ${place} > 0 THEN ${array} ->> (${place} - 1) WHEN ${place} < 0 THEN ${array} ->> (${negative}) END)`
}
