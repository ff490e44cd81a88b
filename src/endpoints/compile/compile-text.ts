// Compiles HogQL text: parses it at once, and resolves and prints it with the project's facts.
import type { DefinedName } from '../../analytics/property-definitions/near-names'
import type { PropertyName, PropertyTypes } from '../../analytics/property-definitions/property-type'
import { ApiError } from '../../errors'
import type { ActionStep } from '../../hogql/resolve/filters/action-steps'
import { HogqlError, messageWithPlace, type Warning } from '../../hogql/error'
import type { Selection } from '../../hogql/parser/ast'
import type {
  ActionReference,
  CohortReference,
  ResolveContext,
  StoredFilters,
  StoredTable,
} from '../../hogql/resolve/resolve'
import { type ColumnType, columnTypeOf } from '../../hogql/types'
import type { CompiledVersion } from './compiled-version'
import type { PropertyFilters } from '../query/schema-parts'
import type { VariableType } from '../query/query-types'

export interface QueryText {
  sql: string
  /** IANA name of the project's time zone. */
  timezone: string
  /** The filters that replace `{filters}`. */
  filters?: StoredFilters | null
  /** Values by name: each replaces `{<name>}`. */
  values?: Readonly<Record<string, unknown>> | null
  /** Filters by name: each replaces `{fragments.<name>}`. */
  fragments?: Readonly<Record<string, PropertyFilters>>
  /** A table of materialized rows. */
  stored?: StoredTable
}

/** Facts of the project that the text depends on. */
export interface TextFacts {
  /** Types by code name. */
  variables: Readonly<Record<string, VariableType>>
  types: PropertyTypes
  /** Ids of static cohorts, by id and name. */
  cohorts: ReadonlyMap<CohortReference, number>
  /** Each name that the query refers to has an action, or null when the project has none. Null also marks names for suggestions. */
  actions: ReadonlyMap<ActionReference, ProjectAction | null>
  /** Suggests a name in warnings about misspelt ones. */
  suggestName?: ResolveContext['suggestName']
}

export interface ProjectAction {
  id: number
  /** The number of changes to the action so far. */
  revision: number
  steps: readonly ActionStep[]
}

export interface CompiledText extends Pick<
  CompiledVersion,
  'actions' | 'cohorts' | 'misspelt' | 'properties' | 'queries'
> {
  columns: { name: string; type: ColumnType }[]
  /** The columns that a query of the materialized rows can read. */
  storedColumns: StoredTable['columns']
  warnings: readonly Warning[]
}

export interface PreparedText {
  tree: Selection
  /** Code names of the variables that the text reads, without duplicates. */
  placeholders: string[]
  properties: PropertyName[]
  /** Names of properties and events in the text, which are checked for misspellings. */
  names: DefinedName[]
  /** Cohorts that the text refers to, by id or name. */
  cohorts: CohortReference[]
  /** Actions that the text refers to, by id or name. */
  actions: ActionReference[]
  /** @throws 400, attr `query`, with line and column */
  compile(facts: TextFacts): CompiledText
}

/** @throws 400, attr `query`, with line and column */
export async function prepareText(text: QueryText): Promise<PreparedText> {
  const { parseHogql } = await import('../../hogql/compile')
  let tree: Selection
  try {
    tree = parseHogql(text.sql).tree
  } catch (error) {
    return rejectText(error, text)
  }
  return prepareTree(text, tree)
}

/** @param text `sql` is the source of the tree, as far as it has one */
export async function prepareTree(text: QueryText, tree: Selection): Promise<PreparedText> {
  const { sql, timezone, filters, values, fragments, stored } = text
  const [
    { compileParsed },
    {
      actionsOf,
      allFilters,
      cohortsOf,
      eventNamesOf,
      namesInSteps,
      parseFilterExpressions,
      placeholdersOf,
      propertiesOf,
      stepsInFilters,
    },
  ] = await Promise.all([import('../../hogql/compile'), import('../../hogql/resolve/resolve')])
  const filterExpressions = await parseFilterExpressions(filters, fragments).catch((error: unknown) =>
    rejectText(error, text),
  )
  const parts = [tree, ...filterExpressions.values()]
  const all = allFilters(filters, fragments)
  const inSteps = namesInSteps(stepsInFilters(all))
  const properties = [...propertiesOf(parts, all), ...inSteps.properties]
  return {
    tree,
    placeholders: placeholdersOf(tree).variables,
    properties,
    names: [...eventNamesOf(tree).map((name) => ({ owner: 'event_name' as const, name })), ...properties],
    actions: actionsOf(parts, all),
    cohorts: [...cohortsOf(parts, all), ...inSteps.cohorts],
    compile({ variables, types, cohorts, actions, suggestName }) {
      const readActions = new Map<number, number>()
      const readCohorts = new Map<CohortReference, number>()
      const read = new Map<string, CompiledVersion['properties'][number]>()
      const misspelt = new Map<string, NonNullable<CompiledVersion['misspelt']>[number]>()
      try {
        const {
          queries,
          columns,
          kept: storedColumns,
          warnings,
        } = compileParsed(
          { sql, tree },
          {
            timezone,
            variables,
            filters,
            ...(values ? { values } : {}),
            ...(fragments ? { fragments } : {}),
            ...(stored ? { stored } : {}),
            filterExpressions,
            suggestName(owner, name) {
              const meant = suggestName?.(owner, name)
              if (meant !== undefined) misspelt.set(`${owner} ${name}`, [owner, name])
              return meant
            },
            actionNames: [...actions.keys()].map(String),
            findAction(reference) {
              const found = actions.get(reference)
              if (found) readActions.set(found.id, found.revision)
              return found?.steps
            },
            findCohort(reference) {
              const id = cohorts.get(reference)
              if (id !== undefined) readCohorts.set(reference, id)
              return id
            },
            propertyTypes(owner, name) {
              const type = types(owner, name)
              read.set(`${owner} ${name}`, [owner, name, type ?? null])
              return type
            },
          },
        )
        return {
          queries,
          storedColumns,
          warnings,
          properties: [...read.values()],
          ...(readActions.size > 0 ? { actions: [...readActions] } : {}),
          ...(readCohorts.size > 0 ? { cohorts: [...readCohorts] } : {}),
          ...(misspelt.size > 0 ? { misspelt: [...misspelt.values()] } : {}),
          columns: columns.map(({ name, type }) => ({ name, type: columnTypeOf(type) })),
        }
      } catch (error) {
        return rejectText(error, text)
      }
    },
  }
}

const rejected = (detail: string) => ({
  status: 400,
  type: 'validation_error',
  code: 'invalid_input',
  detail,
  attr: 'query',
})

/** The 400 response for text that does not compile. The reason gives the position in the text, and is not logged. */
export class InvalidText extends ApiError {
  constructor(
    readonly reason: HogqlError,
    text: QueryText,
  ) {
    super(rejected(`Invalid HogQL query: ${messageOf(reason, text)}`))
  }
}

/** Throws the response for an error of compilation. Faults of the compiler itself are logged and not shown. */
function rejectText(error: unknown, text: QueryText): never {
  if (error instanceof HogqlError) throw new InvalidText(error, text)
  throw new ApiError({ ...rejected('Unknown error occurred parsing the query.'), cause: error })
}

/** The message for the caller. An insight's message has no position, because the caller did not write its text. */
const messageOf = (error: HogqlError, { sql, fragments }: QueryText): string =>
  fragments ? error.message : messageWithPlace(error, sql)
