// Aggregates of bits.
import { INTEGER } from '../../types'
import { aggregate } from '../define'
import { always } from '../return-types'
import type { AggregateFunction } from '../spec'

const PLACES = Array.from({ length: 8 }, (_, row) =>
  Array.from({ length: 8 }, (_each, place) => row * 8 + place),
)

/**
 * Defines an aggregate that is computed for each bit and puts the result at the bit's place.
 * @param whenEmpty the result without rows
 * @param write makes the result's bit of the aggregated one
 */
const bits = (
  name: string,
  of: (bit: string) => string,
  whenEmpty: number,
  write = (all: string) => all,
): AggregateFunction =>
  aggregate(
    name,
    'integer',
    always(INTEGER),
    (site, value) => {
      const rows = PLACES.map((places) => {
        const terms = places.map((place) => {
          const aggregated = site.apply(of(`((${value} >> ${place}) & 1)`))
          return `((${write(aggregated)}) << ${place})`
        })
        return `(${terms.join(' | ')})`
      })
      return `ifnull(${rows.join(' | ')}, ${whenEmpty})`
    },
    { clickhouse: `${name}(ifNull(toInt64($1), ${whenEmpty}))` },
  )

export const BITS: readonly AggregateFunction[] = [
  bits('groupBitOr', (bit) => `max(${bit})`, 0),
  bits('groupBitAnd', (bit) => `min(${bit})`, -1),
  bits(
    'groupBitXor',
    (bit) => `sum(${bit})`,
    0,
    (sum) => `${sum} & 1`,
  ),
]
