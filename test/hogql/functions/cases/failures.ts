// Calls that both engines reject for the values that they are given, with the code of the error.
export const FAILURES: readonly (readonly [sql: string, code: string])[] = [
  ...[
    'arrayZip([1,2,3],[4,5])',
    'arrayMap((x,y) -> x + y, [1,2,3], [4,5])',
    'arrayMap((x,y,z) -> x + y + z, [1,2], [4,5], [6])',
    'arrayFilter((x,y) -> x > y, [1,2,3], [4,5])',
    'arrayFirst((x,y) -> x < y, [1,2,3], [4,5])',
    'arrayExists((x,y) -> x < y, [1,2,3], [4,5])',
    'arrayCount((x,y) -> x > y, [1,2,3], [4,5])',
    'arraySum((x,y) -> x * y, [1,2,3], [4,5])',
    'arraySort((x,y) -> y, [1,2,3], [4,5])',
    'arrayMap(x -> arraySum((a,b) -> a + b + x, [1,2], [x]), [1,2])',
  ].map((call) => [`SELECT ${call}`, 'sizes_of_arrays'] as const),
  ['SELECT a, b FROM (SELECT [1,2,3] AS x, [4,5] AS y) ARRAY JOIN x AS a, y AS b', 'sizes_of_arrays'],
  ['SELECT a, b FROM (SELECT [1] AS x, [4,5] AS y) ARRAY JOIN x AS a, y AS b', 'sizes_of_arrays'],
  ...[
    '(SELECT number FROM numbers(2))',
    '(SELECT number FROM numbers(2) GROUP BY number)',
    '(SELECT 1 UNION ALL SELECT 2)',
    '1 + (SELECT arrayJoin([1, 2]))',
  ].map((value) => [`SELECT ${value}`, 'several_rows'] as const),
]

/**
 * Unsigned integers that no signed one holds, and negative places: D1 says that they are out of range, ClickHouse that they are not arguments
 * that the function takes.
 */
export const OVERFLOWS: readonly string[] = [
  ...['9223372036854775808', '18446744073709551615', '1.8e19', '"9223372036854775808"'].map(
    (value) => `SELECT JSONExtractUInt('{"a":${value}}', 'a')`,
  ),
  'SELECT bitShiftLeft(8, -1)',
  'SELECT bitShiftRight(x, y) FROM (SELECT 8 AS x, -1 AS y)',
]
