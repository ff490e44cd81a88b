// Queries of endpoints, as stored and shown. This file has only types, because creating the schemas is slow.
import type * as z from 'zod'
import type * as schemas from './query-schemas'
import type * as wrappers from './wrapper-schemas'

export const VARIABLE_TYPES = ['String', 'Number', 'Boolean', 'List', 'Date'] as const
export type VariableType = (typeof VARIABLE_TYPES)[number]

export type HogqlQuery = z.input<typeof schemas.HogqlQuery>
export type TrendsQuery = z.input<typeof schemas.TrendsQuery>
export type LifecycleQuery = z.input<typeof schemas.LifecycleQuery>
export type RetentionQuery = z.input<typeof schemas.RetentionQuery>
export type WebOverviewQuery = z.input<typeof schemas.WebOverviewQuery>
export type WebStatsTableQuery = z.input<typeof schemas.WebStatsTableQuery>
export type EventsQuery = z.input<typeof schemas.EventsQuery>
export type ActorsQuery = z.input<typeof schemas.ActorsQuery>
export type PathsQuery = z.input<typeof schemas.PathsQuery>
export type StickinessQuery = z.input<typeof schemas.StickinessQuery>
export type FunnelsQuery = z.input<typeof schemas.FunnelsQuery>

/** Variables by the id of the project's variable. */
export type QueryVariables = HogqlQuery['variables']
export type QueryVariable = NonNullable<QueryVariables>[string]

export const INSIGHT_KINDS = [
  'TrendsQuery',
  'LifecycleQuery',
  'RetentionQuery',
  'FunnelsQuery',
  'StickinessQuery',
  'PathsQuery',
  'EventsQuery',
  'ActorsQuery',
  'WebOverviewQuery',
  'WebStatsTableQuery',
] as const

export type InsightQuery = z.input<(typeof schemas)[(typeof INSIGHT_KINDS)[number]]>

/** A query that computes something. */
export type SourceQuery = HogqlQuery | InsightQuery

type Wrapping<Node> = Omit<Node, 'source'> & { source: SourceQuery }

/** A node for a user interface, stored with the query that it wraps. */
export type WrapperQuery =
  | Wrapping<z.input<typeof wrappers.InsightVizNode>>
  | Wrapping<z.input<typeof wrappers.DataVisualizationNode>>
  | Wrapping<z.input<typeof wrappers.DataTableNode>>

export type EndpointQuery = SourceQuery | WrapperQuery
