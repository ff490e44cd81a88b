// How many different values there are.
import { INTEGER } from '../../types'
import { always } from '../returns'
import type { AggregateFunction } from '../spec'
import { oneOf } from './basic'

const uniq = (name: string, ...aliases: string[]): AggregateFunction => ({
  kind: 'aggregate',
  name,
  aliases,
  takes: ['any'],
  rest: 'any',
  window: true,
  isDistinct: true,
  returns: always(INTEGER),
  // Exactly, whichever of ClickHouse's estimates is asked for.
  sqlite: (args, site) => site.apply(`count(DISTINCT ${oneOf(args)})`),
})

export const DISTINCT: readonly AggregateFunction[] = [
  uniq('uniq'),
  uniq('uniqExact', 'countDistinct', 'approx_distinct'),
  uniq('uniqHLL12'),
  uniq('uniqCombined'),
  uniq('uniqCombined64'),
]
