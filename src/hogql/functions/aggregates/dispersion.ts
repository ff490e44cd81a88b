// Variance, covariance and correlation, from sums in one pass, as ClickHouse computes them.
import { aggregate } from '../define'
import type { AggregateFunction, SqliteAggregateSite } from '../spec'

interface Deviation {
  /** The sum of the products of two values' distances from their means. */
  sum: string
  count: string
}

function deviation(x: string, y: string, site: SqliteAggregateSite): Deviation {
  const known = `${x} IS NOT NULL AND ${y} IS NOT NULL`
  const total = (sql: string) => site.apply(`sum((${sql}) * 1.0)`, known)
  const count = site.apply('count(*)', known)
  return { sum: `(${total(`${x} * ${y}`)} - ${total(x)} * ${total(y)} / ${count})`, count }
}

const population = ({ sum, count }: Deviation) => `${sum} / ${count}`
const sample = ({ sum, count }: Deviation) => `${sum} / (${count} - 1)`

const variance = (names: string, of: typeof sample): AggregateFunction =>
  aggregate(names, 'number', 'float', (site, x) => `max(0, ${of(deviation(x, x, site))})`)

const standardDeviation = (names: string, of: typeof sample): AggregateFunction =>
  aggregate(names, 'number', 'float', (site, x) => `sqrt(max(0, ${of(deviation(x, x, site))}))`)

const covariance = (name: string, of: typeof sample): AggregateFunction =>
  aggregate(name, 'number, number', 'float', (site, x, y) => of(deviation(x, y, site)))

/** Defines the mean of a power of the values' distances from their mean, divided by that power of their standard deviation. */
function moment(names: string, power: 3 | 4, isSample: boolean): AggregateFunction {
  return aggregate(names, 'number', 'float', (site, x) => {
    const known = `${x} IS NOT NULL`
    const count = site.apply('count(*)', known)
    const mean = (times: number) =>
      `(${site.apply(`sum(${Array.from({ length: times }, () => `(${x})`).join(' * 1.0 * ')} * 1.0)`, known)} / ${count})`
    const [first, second, third] = [mean(1), mean(2), mean(3)]
    const centered =
      power === 3
        ? `(${third} - 3 * ${first} * ${second} + 2 * ${first} * ${first} * ${first})`
        : `(${mean(4)} - 4 * ${first} * ${third} + 6 * ${first} * ${first} * ${second} - 3 * ${first} * ${first} * ${first} * ${first})`
    const squares = `(${second} - ${first} * ${first})`
    const spread = isSample ? `(${squares} * ${count} / (${count} - 1))` : squares
    return `${centered} / pow(${spread}, ${power / 2})`
  })
}

export const DISPERSION: readonly AggregateFunction[] = [
  variance('varPop var_pop', population),
  variance('varSamp var_samp variance', sample),
  standardDeviation('stddevPop stddev_pop', population),
  standardDeviation('stddevSamp stddev_samp stddev', sample),
  covariance('covarPop', population),
  covariance('covarSamp', sample),
  aggregate('corr', 'number, number', 'float', (site, one, other) => {
    // Each value becomes NULL when the other is, so that all sums are over the same rows.
    const both = `(${one} + ${other}) * 0`
    const [x, y] = [`(${one} + ${both})`, `(${other} + ${both})`]
    return `${deviation(x, y, site).sum} / sqrt(${deviation(x, x, site).sum} * ${deviation(y, y, site).sum})`
  }),
  moment('skewPop', 3, false),
  moment('skewSamp', 3, true),
  moment('kurtPop', 4, false),
  moment('kurtSamp', 4, true),
]
