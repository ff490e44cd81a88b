// How far values are apart, and whether two of them go together: from sums, in one pass, as ClickHouse does it.
import { FLOAT } from '../../types'
import { unlessNull } from '../returns'
import type { AggregateFunction, SqliteAggregateSite } from '../spec'

/** The sum of the products of two values' distances from their means. */
function moment(x: string, y: string, site: SqliteAggregateSite): { sum: string; count: string } {
  const known = `${x} IS NOT NULL AND ${y} IS NOT NULL`
  const of = (sql: string) => site.apply(`sum((${sql}) * 1.0)`, known)
  const count = site.apply('count(*)', known)
  return { sum: `(${of(`${x} * ${y}`)} - ${of(x)} * ${of(y)} / ${count})`, count }
}

type Of = (found: { sum: string; count: string }) => string

const population: Of = ({ sum, count }) => `${sum} / ${count}`
const sample: Of = ({ sum, count }) => `${sum} / (${count} - 1)`

const variance = (name: string, of: Of, root: boolean, ...aliases: string[]): AggregateFunction => ({
  kind: 'aggregate',
  name,
  aliases,
  takes: ['number'],
  window: true,
  returns: unlessNull(FLOAT),
  sqlite: ([x], site) => {
    const found = `max(0, ${of(moment(String(x), String(x), site))})`
    return root ? `sqrt(${found})` : found
  },
})

const covariance = (name: string, of: Of): AggregateFunction => ({
  kind: 'aggregate',
  name,
  takes: ['number', 'number'],
  window: true,
  returns: unlessNull(FLOAT),
  sqlite: ([x, y], site) => of(moment(String(x), String(y), site)),
})

export const SPREAD: readonly AggregateFunction[] = [
  variance('varPop', population, false, 'var_pop'),
  variance('varSamp', sample, false, 'var_samp', 'variance'),
  variance('stddevPop', population, true, 'stddev_pop'),
  variance('stddevSamp', sample, true, 'stddev_samp', 'stddev'),
  covariance('covarPop', population),
  covariance('covarSamp', sample),
  {
    kind: 'aggregate',
    name: 'corr',
    takes: ['number', 'number'],
    window: true,
    returns: unlessNull(FLOAT),
    sqlite: (args, site) => {
      // What counts for one count for the other, so that both are taken over the same rows.
      const both = `(${args[0]} + ${args[1]}) * 0`
      const [x, y] = [`(${args[0]} + ${both})`, `(${args[1]} + ${both})`]
      const [xy, xx, yy] = [moment(x, y, site), moment(x, x, site), moment(y, y, site)]
      return `${xy.sum} / sqrt(${xx.sum} * ${yy.sum})`
    },
  },
]
