// Writes the table of insight options in the compatibility page of saved queries, from the schemas of the queries.
import { supportByOption } from '../endpoints/query/query-options'
import * as schemas from '../endpoints/query/query-schemas'
import { tableOf, withPart } from './markdown'
import type { Support } from '../endpoints/query/schema-parts'

const KINDS = {
  Trends: schemas.TrendsQuery,
  Lifecycle: schemas.LifecycleQuery,
  Retention: schemas.RetentionQuery,
  Funnels: schemas.FunnelsQuery,
  Stickiness: schemas.StickinessQuery,
  Paths: schemas.PathsQuery,
  Events: schemas.EventsQuery,
  Actors: schemas.ActorsQuery,
  'Web overview': schemas.WebOverviewQuery,
  'Web stats': schemas.WebStatsTableQuery,
}

/** Returns the page with the current table. */
export const withInsightOptions = (page: string): string => withPart(page, 'insight options', optionsText())

function optionsText(): string {
  const byKind = Object.values(KINDS).map((schema) => new Map(supportByOption(schema)))
  const paths = [...new Set(byKind.flatMap((options) => [...options.keys()]))].toSorted()
  const rows = paths
    .map((path) => [path, ...byKind.map((options) => options.get(path))] as const)
    .filter(([, ...supports]) => supports.some((support) => support !== undefined && support !== 'display'))
    .map(([path, ...supports]) => [`\`${path}\``, ...supports.map(cellOf)])
  const shown = paths.filter((path) =>
    byKind.every((options) => [undefined, 'display'].includes(options.get(path) as never)),
  )
  return `${tableOf([['Option', ...Object.keys(KINDS)], ...rows])}

Stored for user interfaces, without effect on results: ${shown.map((path) => `\`${path}\``).join(', ')}.`
}

function cellOf(support: Support | undefined): string {
  if (support === undefined) return ''
  if (support === 'supported') return 'yes'
  if (support === 'ignored' || support === 'display') return 'no effect'
  return support === 'rejected' ? 'rejected' : `only ${support.map((value) => `\`${value}\``).join(', ')}`
}
