// Published queries of HogQL over the tables that exist here. Each is rewritten for the data set of the corpus.
import { DOCUMENTATION } from './documentation'
import type { PublishedQueries } from './source'
import { TUTORIALS } from './tutorials'
import { UPSTREAM } from './upstream'

export const PUBLISHED: readonly PublishedQueries[] = [...DOCUMENTATION, ...TUTORIALS, ...UPSTREAM]

/** Values of the variables that the queries read. */
export const VARIABLES = {
  startdate: { type: 'Date', value: '2026-01-01' },
  enddate: { type: 'Date', value: '2026-03-31' },
} as const
