// Choosing between values: calls, and what ClickHouse gives.
import type { CallCase } from './case'

export const CONDITIONALS: readonly CallCase[] = [
  ['xor(1,0)', 1],
  ['xor(true,true)', 0],
  ['isZeroOrNull(0)', 1],
  ['isZeroOrNull(NULL)', 1],
  ['greatest(1,3,2)', 3],
  ['least(1,3)', 1],
  ["greatest('a','b')", 'b'],
  ['greatest(1,2.5)', 2.5],
  ['greatest(NULL,1)', 1],
  ['least(2,NULL,1)', 1],
  ["coalesce(NULL,'a')", 'a'],
  ['ifNull(NULL,5)', 5],
  ['nullIf(1,1)', null],
  ["nullIf('a','b')", 'a'],
  ['identity(5)', 5],
  ['materialize(5)', 5],
  ["materialize(concat('a', 'b'))", 'ab'],
  ['toNullable(1)', 1],
  ["greatest(toDate('2026-01-01'),toDate('2026-02-01'))", '2026-02-01'],
  ["assumeNotNull(toInt('5'))", 5],
  ["assumeNotNull(toInt('x'))", 0],
  ["assumeNotNull(toDateTime('x'))", '1970-01-01T00:00:00Z'],
]
