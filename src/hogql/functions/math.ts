// Arithmetic beyond the operators. What is no number (0 / 0, the logarithm of -1) is NULL here; nobody sees the difference.
import { FLOAT, INTEGER, type Type } from '../types'
import { always, argument, likeUnlessNull, unlessNull } from './returns'
import type { ScalarFunction, SqliteSite } from './spec'

const isInteger = ({ kind }: Type) => kind === 'integer' || kind === 'boolean'

/** A function of one number that gives a float. */
const real = (name: string, sqlite: (x: string) => string, ...aliases: string[]): ScalarFunction => ({
  kind: 'scalar',
  name,
  aliases,
  takes: ['number'],
  returns: unlessNull(FLOAT),
  sqlite: ([x]) => sqlite(String(x)),
})

/** Rounds to some digits: to the nearest, where the halves of floats go to the even neighbour as in ClickHouse. */
const rounding = (
  name: string,
  float: (x: string, site: SqliteSite) => string,
  whole: (x: string, power: string, site: SqliteSite) => string,
  ...aliases: string[]
): ScalarFunction => ({
  kind: 'scalar',
  name,
  aliases,
  takes: ['number', 'integer'],
  optional: 1,
  returns: likeUnlessNull(0),
  sqlite: ([value, digits], site) => {
    const x = String(value)
    const known = site.constants[1]
    const places = digits === undefined ? 0 : known
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
  },
})

const halfToEven = (x: string, site: SqliteSite): string =>
  site.once(
    x,
    (v) =>
      `CASE WHEN abs(${v}) < 1e15 AND abs(${v} - trunc(${v})) = 0.5 THEN 2 * round(${v} / 2) ELSE round(${v}) END`,
  )

const awayFromZero = (x: string, power: string, site: SqliteSite): string =>
  site.once(x, (v) => `((${v} + sign(${v}) * (${power} / 2)) / ${power} * ${power})`)

const division = (name: string, onZero: string): ScalarFunction => ({
  kind: 'scalar',
  guarded: true,
  name,
  takes: ['number', 'number'],
  returns: unlessNull(INTEGER),
  sqlite: ([x, y], { types }) => {
    const [from, by] = [argument(types, 0), argument(types, 1)]
    const quotient =
      isInteger(from) && isInteger(by) ? `${x} / ${y}` : `CAST(trunc(${x} * 1.0 / ${y}) AS INTEGER)`
    return onZero === '' ? `(${quotient})` : `CASE WHEN ${y} = 0 THEN ${onZero} ELSE ${quotient} END`
  },
  clickhouse: ([x, y]) => `${name}(${x}, ${y})`,
})

const bits = (name: string, operator: string): ScalarFunction => ({
  kind: 'scalar',
  name,
  takes: ['integer', 'integer'],
  returns: unlessNull(INTEGER),
  sqlite: ([x, y]) => `(${x} ${operator} ${y})`,
})

export const MATH: readonly ScalarFunction[] = [
  rounding('round', halfToEven, awayFromZero, 'roundBankers'),
  rounding(
    'floor',
    (x) => `floor(${x})`,
    (x, power, site) =>
      site.once(
        x,
        (v) =>
          `((${v} - CASE WHEN ${v} < 0 AND ${v} % ${power} <> 0 THEN ${power} ELSE 0 END) / ${power} * ${power})`,
      ),
  ),
  rounding(
    'ceil',
    (x) => `ceil(${x})`,
    (x, power, site) =>
      site.once(
        x,
        (v) =>
          `((${v} + CASE WHEN ${v} > 0 AND ${v} % ${power} <> 0 THEN ${power} ELSE 0 END) / ${power} * ${power})`,
      ),
    'ceiling',
  ),
  rounding(
    'trunc',
    (x) => `trunc(${x})`,
    (x, power) => `(${x} / ${power} * ${power})`,
    'truncate',
  ),
  {
    kind: 'scalar',
    name: 'abs',
    takes: ['number'],
    returns: likeUnlessNull(0),
    sqlite: ([x]) => `abs(${x})`,
  },
  {
    kind: 'scalar',
    name: 'sign',
    takes: ['number'],
    returns: unlessNull(INTEGER),
    sqlite: ([x]) => `sign(${x})`,
  },
  {
    kind: 'scalar',
    name: 'pow',
    aliases: ['power'],
    takes: ['number', 'number'],
    returns: unlessNull(FLOAT),
    sqlite: ([x, y]) => `pow(${x}, ${y})`,
  },
  real('sqrt', (x) => `sqrt(${x})`),
  real('cbrt', (x) => `(sign(${x}) * pow(abs(${x}), 1.0 / 3))`),
  real('exp', (x) => `exp(${x})`),
  real('exp2', (x) => `pow(2.0, ${x})`),
  real('exp10', (x) => `pow(10.0, ${x})`),
  // Of zero it is infinite, which SQLite says NULL to.
  real('log', (x) => `CASE WHEN ${x} = 0 THEN -9e999 ELSE ln(${x}) END`, 'ln'),
  real('log2', (x) => `CASE WHEN ${x} = 0 THEN -9e999 ELSE log2(${x}) END`),
  // Its `log` is the one to base 10; `log10` is not allowed on D1.
  real('log10', (x) => `CASE WHEN ${x} = 0 THEN -9e999 ELSE log(${x}) END`),
  real('sin', (x) => `sin(${x})`),
  real('cos', (x) => `cos(${x})`),
  real('tan', (x) => `tan(${x})`),
  real('asin', (x) => `asin(${x})`),
  real('acos', (x) => `acos(${x})`),
  real('atan', (x) => `atan(${x})`),
  real('degrees', (x) => `degrees(${x})`),
  real('radians', (x) => `radians(${x})`),
  {
    kind: 'scalar',
    name: 'pi',
    takes: [],
    returns: always(FLOAT),
    sqlite: () => 'pi()',
  },
  {
    kind: 'scalar',
    name: 'e',
    takes: [],
    returns: always(FLOAT),
    sqlite: () => 'exp(1)',
  },
  division('intDiv', ''),
  division('intDivOrZero', '0'),
  {
    kind: 'scalar',
    name: 'mod',
    aliases: ['modulo'],
    takes: ['number', 'number'],
    returns: (args) => unlessNull(args.some(({ kind }) => kind === 'float') ? FLOAT : INTEGER)(args),
    sqlite: ([x, y], { types }) => remainder(String(x), String(y), types),
    clickhouse: ([x, y]) => `modulo(${x}, ${y})`,
  },
  {
    kind: 'scalar',
    name: 'max2',
    takes: ['number', 'number'],
    returns: unlessNull(FLOAT),
    sqlite: ([x, y]) => `max(${x}, ${y})`,
  },
  {
    kind: 'scalar',
    name: 'min2',
    takes: ['number', 'number'],
    returns: unlessNull(FLOAT),
    sqlite: ([x, y]) => `min(${x}, ${y})`,
  },
  bits('bitAnd', '&'),
  bits('bitOr', '|'),
  bits('bitShiftLeft', '<<'),
  bits('bitShiftRight', '>>'),
  {
    kind: 'scalar',
    name: 'bitXor',
    takes: ['integer', 'integer'],
    returns: unlessNull(INTEGER),
    sqlite: ([x, y]) => `((${x} | ${y}) - (${x} & ${y}))`,
  },
  // A float that cannot be NULL is NULL only where it is no number.
  {
    kind: 'scalar',
    name: 'isNaN',
    takes: ['number'],
    returns: unlessNull(INTEGER),
    sqlite: ([x], { types }) =>
      argument(types, 0).nullable ? `CASE WHEN ${x} IS NOT NULL THEN 0 END` : `(${x} IS NULL)`,
  },
  {
    kind: 'scalar',
    name: 'isFinite',
    takes: ['number'],
    returns: unlessNull(INTEGER),
    sqlite: ([x], { types }) =>
      argument(types, 0).nullable ? `(abs(${x}) < 9e999)` : `ifnull(abs(${x}) < 9e999, 0)`,
  },
  {
    kind: 'scalar',
    name: 'isInfinite',
    takes: ['number'],
    returns: unlessNull(INTEGER),
    sqlite: ([x], { types }) =>
      argument(types, 0).nullable ? `(abs(${x}) = 9e999)` : `ifnull(abs(${x}) = 9e999, 0)`,
  },
  {
    kind: 'scalar',
    name: 'ifNotFinite',
    takes: ['number', 'number'],
    returns: (args) => unlessNull(FLOAT)(args),
    sqlite: ([x, otherwise], site) =>
      site.once(String(x), (v) => `CASE WHEN abs(${v}) < 9e999 THEN ${v} ELSE ${otherwise} END`),
  },
]

/** With the sign of the dividend. SQLite's operator would cut off the fractions. */
export function remainder(x: string, y: string, types: readonly Type[]): string {
  return types.every(isInteger) ? `(${x} % ${y})` : `mod(${x}, ${y})`
}
