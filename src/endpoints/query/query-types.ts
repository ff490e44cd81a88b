// Queries of endpoints (decision 28), as stored and shown. Types only: creating the schemas is slow.
import type * as z from 'zod'
import type * as schemas from './query-schemas'

export const VARIABLE_TYPES = ['String', 'Number', 'Boolean', 'List', 'Date'] as const
export type VariableType = (typeof VARIABLE_TYPES)[number]

export type HogqlQuery = z.input<typeof schemas.HogqlQuery>
export type TrendsQuery = z.input<typeof schemas.TrendsQuery>
export type LifecycleQuery = z.input<typeof schemas.LifecycleQuery>
export type RetentionQuery = z.input<typeof schemas.RetentionQuery>
export type FunnelsQuery = z.input<typeof schemas.FunnelsQuery>

/** By id of the project's variable. */
export type QueryVariables = HogqlQuery['variables']
export type QueryVariable = NonNullable<QueryVariables>[string]

export const INSIGHT_KINDS = ['TrendsQuery', 'LifecycleQuery', 'RetentionQuery', 'FunnelsQuery'] as const

export type InsightQuery = TrendsQuery | LifecycleQuery | RetentionQuery | FunnelsQuery
export type EndpointQuery = HogqlQuery | InsightQuery
