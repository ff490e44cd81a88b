// Arithmetic beyond the operators. NaN (0 / 0, the logarithm of -1) is NULL in SQLite, and in a result of either engine.
import { FLOAT, INTEGER, type Type } from '../types'
import { ofTwo } from './conditionals'
import { fill, fn } from './define'
import { atLeast } from './limits'
import { always, argument, likeUnlessNull, unlessNull } from './return-types'
import type { ScalarFunction, SqliteSite } from './spec'

export const isInteger = ({ kind }: Type) => kind === 'integer' || kind === 'boolean'

/** Defines a function that rounds to some digits; `whole` rounds integers to a multiple of a power of ten. */
const rounding = (
  names: string,
  float: (x: string, site: SqliteSite) => string,
  whole: (x: string, power: string, site: SqliteSite) => string,
): ScalarFunction =>
  fn(names, 'number, integer?', likeUnlessNull(0), (site, x, digits?: string) => {
    const places = digits === undefined ? 0 : site.constants[1]
    if (isInteger(argument(site.types, 0))) {
      if (typeof places === 'number' && places >= 0) return x
      return site.once(`CAST(pow(10, max(0, -(${digits}))) AS INTEGER)`, (power) => whole(x, power, site))
    }
    if (places === 0) return float(x, site)
    if (typeof places === 'number' && Number.isInteger(places) && Math.abs(places) <= 15) {
      const power = `1e${Math.abs(places)}`
      return places > 0
        ? `(${float(`${x} * ${power}`, site)} / ${power})`
        : `(${float(`${x} / ${power}`, site)} * ${power})`
    }
    return site.once(`pow(10.0, ${digits})`, (power) => `(${float(`${x} * ${power}`, site)} / ${power})`)
  })

/** Rounds halves of floats to the even neighbour, as ClickHouse does. */
const halfToEven = (x: string, site: SqliteSite): string =>
  site.once(
    x,
    (v) =>
      `CASE WHEN abs(${v}) < 1e15 AND abs(${v} - trunc(${v})) = 0.5 THEN 2 * round(${v} / 2) ELSE round(${v}) END`,
  )

/** Rounds halves between two multiples to the even multiple. */
const wholeToEven = (v: string, p: string): string => {
  const rest = `abs(${v} % ${p})`
  const isUp = `${rest} > ${p} - ${rest} OR (${rest} = ${p} - ${rest} AND ${v} / ${p} % 2 <> 0)`
  return `((${v} / ${p} + CASE WHEN ${isUp} THEN sign(${v}) ELSE 0 END) * ${p})`
}

const bindingX =
  (write: (v: string, p: string) => string) =>
  (x: string, power: string, site: SqliteSite): string =>
    site.once(x, (v) => write(v, power))

const division = (name: string, onZero?: string): ScalarFunction =>
  fn(
    name,
    'number, number',
    'integer',
    ({ types }, x, y) => {
      const quotient = types.every(isInteger) ? `${x} / ${y}` : `CAST(trunc(${x} * 1.0 / ${y}) AS INTEGER)`
      return onZero === undefined ? `(${quotient})` : `CASE WHEN ${y} = 0 THEN ${onZero} ELSE ${quotient} END`
    },
    { guarded: true },
  )

/**
 * Defines a shift of bits. SQLite repeats the sign of a number that is shifted away, and shifts by a negative number in the other
 * direction.
 */
const shift = (name: string, operator: '<<' | '>>'): ScalarFunction =>
  fn(
    name,
    'integer, integer',
    'integer',
    ({ once }, x, places) =>
      once(
        places,
        (n) =>
          `CASE WHEN ${n} BETWEEN 0 AND 63 THEN ${x} ${operator} ${n} WHEN ${n} < 0 THEN ${atLeast(n, 0)} ELSE 0 END`,
      ),
    { guarded: true },
  )

/** Chooses the SQL for a float that may be NULL, or for one that is NULL only for NaN. */
const ofFloat = (name: string, nullable: string, required: string): ScalarFunction =>
  fn(name, 'number', 'integer', ({ types }, x) => fill(argument(types, 0).nullable ? nullable : required, x))

/**
 * Returns SQL of the remainder, which has the sign of the dividend. For floats it is computed as in ClickHouse, with the same rounding
 * errors.
 */
export const remainder = (
  x: string,
  y: string,
  { types, once }: Pick<SqliteSite, 'types' | 'once'>,
): string =>
  types.every(isInteger)
    ? `(${x} % ${y})`
    : once(x, (a) => once(y, (b) => `(${a} - trunc(${a} * 1.0 / ${b}) * ${b})`))

export const MATH: readonly ScalarFunction[] = [
  rounding(
    'round',
    halfToEven,
    bindingX((v, p) => `((${v} + sign(${v}) * (${p} / 2)) / ${p} * ${p})`),
  ),
  rounding('roundBankers', halfToEven, bindingX(wholeToEven)),
  rounding(
    'floor',
    (x) => `floor(${x})`,
    bindingX(
      (v, p) => `((${v} - CASE WHEN ${v} < 0 AND ${v} % ${p} <> 0 THEN ${p} ELSE 0 END) / ${p} * ${p})`,
    ),
  ),
  rounding(
    'ceil ceiling',
    (x) => `ceil(${x})`,
    bindingX(
      (v, p) => `((${v} + CASE WHEN ${v} > 0 AND ${v} % ${p} <> 0 THEN ${p} ELSE 0 END) / ${p} * ${p})`,
    ),
  ),
  rounding(
    'trunc truncate',
    (x) => `trunc(${x})`,
    (x, power) => `(${x} / ${power} * ${power})`,
  ),
  fn('abs', 'number', likeUnlessNull(0)),
  fn('sign', 'number', 'integer'),
  fn('pow power', 'number, number', 'float'),
  fn('sqrt', 'number', 'float'),
  fn('cbrt', 'number', 'float', '(sign($1) * pow(abs($1), 1.0 / 3))'),
  fn('exp', 'number', 'float'),
  fn('exp2', 'number', 'float', 'pow(2.0, $1)'),
  fn('exp10', 'number', 'float', 'pow(10.0, $1)'),
  // The logarithm of zero is infinite, and NULL in SQLite.
  fn('log ln', 'number', 'float', 'CASE WHEN $1 = 0 THEN -9e999 ELSE ln($1) END'),
  fn('log2', 'number', 'float', 'CASE WHEN $1 = 0 THEN -9e999 ELSE log2($1) END'),
  // SQLite's `log` is the one to base 10; D1 does not allow `log10`.
  fn('log10', 'number', 'float', 'CASE WHEN $1 = 0 THEN -9e999 ELSE log($1) END'),
  fn('sin', 'number', 'float'),
  fn('cos', 'number', 'float'),
  fn('tan', 'number', 'float'),
  fn('asin', 'number', 'float'),
  fn('acos', 'number', 'float'),
  fn('atan', 'number', 'float'),
  fn('sinh', 'number', 'float'),
  fn('cosh', 'number', 'float'),
  fn('tanh', 'number', 'float'),
  fn('asinh', 'number', 'float'),
  fn('acosh', 'number', 'float'),
  fn('atanh', 'number', 'float'),
  fn('atan2', 'number, number', 'float'),
  // The result is computed from the quotient of both sides, because the squares of large numbers would exceed a float.
  fn('hypot', 'number, number', 'float', ({ once }, x, y) =>
    once(`max(abs(${x} * 1.0), abs(${y} * 1.0))`, (side) =>
      once(
        `min(abs(${x} * 1.0), abs(${y} * 1.0)) / ${side}`,
        (part) => `ifnull(${side} * sqrt(1 + ${part} * ${part}), ${side})`,
      ),
    ),
  ),
  // The sum of 1 and a small number would lose digits. For such numbers, the first terms of the series are exact.
  fn('log1p', 'number', 'float', ({ once }, x) =>
    once(
      `${x} * 1.0`,
      (v) =>
        `CASE WHEN ${v} = -1 THEN -9e999 WHEN abs(${v}) < 1e-5 THEN ${v} - ${v} * ${v} / 2 + ${v} * ${v} * ${v} / 3 ELSE ln(1 + ${v}) END`,
    ),
  ),
  fn('degrees', 'number', 'float'),
  fn('radians', 'number', 'float'),
  fn('pi', '', always(FLOAT)),
  fn('e', '', always(FLOAT), 'exp(1)'),
  division('intDiv'),
  division('intDivOrZero', '0'),
  fn(
    'mod modulo',
    'number, number',
    (args, constants) =>
      unlessNull(args.some(({ kind }) => kind === 'float') ? FLOAT : INTEGER)(args, constants),
    (site, x, y) => remainder(x, y, site),
    { clickhouse: 'modulo($*)' },
  ),
  fn('max2', 'number, number', 'float', ofTwo('max')),
  fn('min2', 'number, number', 'float', ofTwo('min')),
  fn('bitAnd', 'integer, integer', 'integer', '($1 & $2)'),
  fn('bitOr', 'integer, integer', 'integer', '($1 | $2)'),
  shift('bitShiftLeft', '<<'),
  shift('bitShiftRight', '>>'),
  fn('bitXor', 'integer, integer', 'integer', '(($1 | $2) - ($1 & $2))'),
  ofFloat('isNaN', 'CASE WHEN $1 IS NOT NULL THEN 0 END', '($1 IS NULL)'),
  ofFloat('isFinite', '(abs($1) < 9e999)', 'ifnull(abs($1) < 9e999, 0)'),
  ofFloat('isInfinite', '(abs($1) = 9e999)', 'ifnull(abs($1) = 9e999, 0)'),
  fn(
    'ifNotFinite',
    'number, number',
    'float',
    (site, x, otherwise) =>
      // Multiplication makes an integer a float, because SQLite cannot negate the smallest integer.
      site.once(`${x} * 1.0`, (v) => `CASE WHEN abs(${v}) < 9e999 THEN ${v} ELSE ${otherwise} END`),
    { clickhouse: 'ifNotFinite(toFloat64($1), toFloat64($2))' },
  ),
]
