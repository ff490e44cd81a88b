// Nodes of user interfaces around a query. They change no result; a version stores them as they were sent, with their defaults.
import * as z from 'zod'
import { dictionary } from '../../http/fields'
import { orNull } from './schema-parts'

const Source = dictionary()
const flag = () => orNull(z.boolean())
const flags = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, flag()])) as Record<Name, ReturnType<typeof flag>>

export const InsightVizNode = z.strictObject({
  ...flags(
    'embedded',
    'full',
    'hidePersonsModal',
    'hideTooltipOnScroll',
    'showCorrelationTable',
    'showFilters',
    'showHeader',
    'showLastComputation',
    'showLastComputationRefresh',
    'showResults',
    'showTable',
    'suppressSessionAnalysisWarning',
  ),
  kind: z.literal('InsightVizNode'),
  source: Source,
  version: orNull(z.number()),
  vizSpecificOptions: orNull(dictionary()),
})

export const DataVisualizationNode = z.strictObject({
  chartSettings: orNull(dictionary()),
  display: orNull(z.string()),
  kind: z.literal('DataVisualizationNode'),
  source: Source,
  tableSettings: orNull(dictionary()),
  version: orNull(z.number()),
})

export const DataTableNode = z.strictObject({
  ...flags(
    'allowSorting',
    'embedded',
    'expandable',
    'full',
    'propertiesViaUrl',
    'showActions',
    'showColumnConfigurator',
    'showCount',
    'showDateRange',
    'showElapsedTime',
    'showEventFilter',
    'showExport',
    'showHogQLEditor',
    'showOpenEditorButton',
    'showPersistentColumnConfigurator',
    'showPropertyFilter',
    'showRecordingColumn',
    'showReload',
    'showResultsTable',
    'showSavedFilters',
    'showSavedQueries',
    'showSearch',
    'showSourceQueryOptions',
    'showTableViews',
    'showTestAccountFilters',
    'showTimings',
  ),
  columns: orNull(z.array(z.string())),
  context: orNull(dictionary()),
  contextKey: orNull(z.string()),
  defaultColumns: orNull(z.array(z.string())),
  hiddenColumns: orNull(z.array(z.string())),
  kind: z.literal('DataTableNode'),
  pinnedColumns: orNull(z.array(z.string())),
  response: orNull(dictionary()),
  source: Source,
  tags: orNull(dictionary()),
  version: orNull(z.number()),
})
