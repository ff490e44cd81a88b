// Bits of all rows together.
import { INTEGER } from '../../types'
import { aggregate } from '../define'
import { always } from '../return-types'
import type { AggregateFunction } from '../spec'

const PLACES = Array.from({ length: 8 }, (_, row) =>
  Array.from({ length: 8 }, (_each, place) => row * 8 + place),
)

/** An aggregate of each bit, at its place. @param whenEmpty without rows */
const bits = (name: string, of: (bit: string) => string, whenEmpty: number): AggregateFunction =>
  aggregate(
    name,
    'integer',
    always(INTEGER),
    (site, value) => {
      const rows = PLACES.map((places) => {
        const terms = places.map((place) => {
          const [call, rest = ''] = of(`((${value} >> ${place}) & 1)`).split('|')
          return `((${site.apply(String(call))}${rest}) << ${place})`
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
  bits('groupBitXor', (bit) => `sum(${bit})| & 1`, 0),
]
