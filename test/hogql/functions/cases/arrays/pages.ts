// Subqueries with arrays that have a page of their own, under everything that reads an array once for each of its elements.
import type { QueryCase } from '../case'

/** What ends a subquery of the numbers 0 to 3, and the numbers that are left. */
const PAGES: readonly (readonly [string, readonly number[]])[] = [
  ['', [0, 1, 2, 3]],
  ['ORDER BY number LIMIT 2', [0, 1]],
  ['ORDER BY number DESC LIMIT 2', [2, 3]],
  ['ORDER BY number OFFSET 2', [2, 3]],
  ['ORDER BY number LIMIT 1 OFFSET 2', [2]],
  ['LIMIT 4', [0, 1, 2, 3]],
  ['OFFSET 4', []],
  ['ORDER BY number LIMIT 1 BY number % 2', [0, 1]],
  ['ORDER BY number LIMIT 1 BY number % 2 LIMIT 1', [0]],
]

const list = (number: number) => [[number, [String(number), 'x']]]
const elements = (number: number) => [
  [number, String(number)],
  [number, 'x'],
]

/** What reads the subquery, and its rows for one number. */
const READERS: readonly (readonly [(pages: string) => string, (number: number) => unknown[][]])[] = [
  [(pages) => `SELECT number AS n, arrayJoin(p) AS x FROM (${pages})`, elements],
  [(pages) => `SELECT number AS n, x FROM (${pages}) ARRAY JOIN p AS x`, elements],
  [(pages) => `SELECT n, x FROM (SELECT number AS n, arrayJoin(p) AS x, p FROM (${pages}))`, elements],
  [(pages) => `WITH a AS (${pages}) SELECT number AS n, arrayJoin(p) AS x FROM a`, elements],
  [(pages) => `SELECT number AS n, arrayMap(x -> lower(x), p) AS x FROM (${pages})`, list],
  [(pages) => `SELECT a.number AS n, p FROM (${pages}) AS a CROSS JOIN numbers(1) AS b`, list],
  [
    (pages) => `SELECT a.number AS n, p FROM numbers(4) AS b JOIN (${pages}) AS a ON a.number = b.number`,
    list,
  ],
  [
    (pages) =>
      `SELECT a.number AS n, p FROM (${pages}) AS a LEFT JOIN numbers(1) AS b ON a.number = b.number`,
    list,
  ],
]

export const PAGES_OF_ARRAYS: readonly QueryCase[] = READERS.flatMap(([read, rows]) =>
  PAGES.map(([end, numbers]) => ({
    sql: `${read(`SELECT number, splitByChar('-', concat(toString(number), '-x')) AS p FROM numbers(4) ${end}`.trimEnd())} ORDER BY n${rows === elements ? ', x' : ''}`,
    rows: numbers.flatMap(rows),
  })),
)
