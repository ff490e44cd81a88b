// Arithmetic of integers and of their bits.
import { FLOAT, INTEGER } from '../types'
import { fn } from './define'
import { atMost } from './limits'
import { isInteger, remainder } from './math'
import { unlessNull, type Returns } from './return-types'
import type { ScalarFunction } from './spec'

const GREATEST =
  '(WITH RECURSIVE g(a, b) AS (SELECT abs($1), abs($2) UNION ALL SELECT b, a % b FROM g WHERE b <> 0) SELECT a FROM g WHERE b = 0)'

/** The largest number whose factorial fits into 64 bits. */
const MAX_FACTORIAL = 20

const sameKind: Returns = (args, constants) =>
  unlessNull(args.some(({ kind }) => kind === 'float') ? FLOAT : INTEGER)(args, constants)

export const INTEGERS: readonly ScalarFunction[] = [
  // Branches of UInt64 and Int64 make a Variant, of which `toInt64` turns NULL into 0.
  fn('gcd', 'integer, integer', 'integer', GREATEST, {
    guarded: true,
    clickhouse: 'if($1 = 0 OR $2 = 0, toInt64(abs($1 + $2)), gcd($1, if($2 = 0, 1, $2)))',
  }),
  fn(
    'lcm',
    'integer, integer',
    'integer',
    `CASE WHEN $1 = 0 OR $2 = 0 THEN 0 ELSE abs($1 / ${GREATEST} * $2) END`,
    { guarded: true, clickhouse: 'if($1 = 0 OR $2 = 0, $1 * $2, lcm(if($1 = 0, 1, $1), if($2 = 0, 1, $2)))' },
  ),
  fn(
    'positiveModulo pmod',
    'number, number',
    sameKind,
    (site, x, y) =>
      site.once(y, (by) => {
        const rest = remainder(x, by, site)
        return site.once(rest, (left) => `CASE WHEN ${left} < 0 THEN ${left} + abs(${by}) ELSE ${left} END`)
      }),
    { clickhouse: 'positiveModulo($*)' },
  ),
  fn(
    'moduloOrZero',
    'number, number',
    sameKind,
    (site, x, y) =>
      site.types.every(isInteger)
        ? `CASE WHEN ${y} = 0 THEN 0 ELSE ${remainder(x, y, site)} END`
        : remainder(x, y, site),
    { guarded: true },
  ),
  fn(
    'factorial',
    'integer',
    'integer',
    (_, n) =>
      `(WITH RECURSIVE f(n, product) AS (SELECT 0, 1 UNION ALL SELECT n + 1, product * (n + 1) FROM f WHERE n < ${atMost(n, MAX_FACTORIAL)}) SELECT max(product) FROM f)`,
    { guarded: true },
  ),
  fn(
    'roundToExp2',
    'integer',
    'integer',
    'CASE WHEN $1 < 1 THEN 0 ELSE (WITH RECURSIVE p(n) AS (SELECT 1 UNION ALL SELECT n * 2 FROM p WHERE n <= $1 / 2) SELECT max(n) FROM p) END',
    { guarded: true },
  ),
  fn('bitNot', 'integer', 'integer', '(~$1)', { clickhouse: 'bitNot(toInt64($1))' }),
  fn('bitTest', 'integer, integer', 'integer', '(($1 >> $2) & 1)', {
    clickhouse: 'bitTest(toInt64($1), $2)',
  }),
  fn(
    'bitCount',
    'integer',
    'integer',
    '(WITH RECURSIVE b(n, place, bits) AS (SELECT $1, 0, 0 UNION ALL SELECT n >> 1, place + 1, bits + (n & 1) FROM b WHERE place < 64) SELECT max(bits) FROM b)',
    { guarded: true, clickhouse: 'bitCount(toInt64($1))' },
  ),
]
