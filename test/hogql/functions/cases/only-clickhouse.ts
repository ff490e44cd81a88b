// Calls that only ClickHouse computes: of functions that D1 does not have, and of others with arguments that are not constant.
import type { CallCase } from './case'

export const ONLY_CLICKHOUSE: readonly CallCase[] = [
  ["match('abc', toString(1))", 0],
  ["replaceRegexpAll('abc', toString(1), 'x')", 'abc'],
  ["firstSignificantSubdomain('https://www.news.example.com/')", 'example'],
  ["cutToFirstSignificantSubdomain('https://www.news.example.com/')", 'example.com'],
  ["editDistance('clickhouse', 'mouse')", 6],
  ["stringJaccardIndex('clickhouse', 'mouse')", 0.4],
  ["stringJaccardIndexUTF8('größe', 'größe')", 1],
  ["editDistanceUTF8('größe', 'grosse')", 3],
  ['round(greatCircleDistance(0.0, 0.0, 1.0, 1.0))', 157251],
  ['greatCircleDistance(0.0, 0.0, 0.0, 0.0)', 0],
  ["arrayMap((a, b) -> extract(concat(a, b), 'b.'), ['a'], ['b'])", ['']],
]
