// From the text of a query to what the engines run: parsed at once, resolved and printed when the project's part of it is known.
import type { PropertyName, PropertyTypes } from '../../analytics/property-type'
import { ApiError, invalid } from '../../errors'
import { HogqlError } from '../../hogql/error'
import type { Node, Selection } from '../../hogql/parser/ast'
import type { StoredFilters, StoredTable } from '../../hogql/resolve/resolve'
import { type ColumnType, columnTypeOf } from '../../hogql/types'
import type { CompiledVersion } from './compiled-version'
import type { PropertyFilters } from '../insights/insight-types'
import type { VariableType } from '../query/query-types'
import { walk } from '../../hogql/parser/walk'

export interface QueryText {
  sql: string
  /** IANA name of the project's time zone. */
  timezone: string
  /** What `{filters}` stands for. */
  filters?: StoredFilters | null
  /** What `{fragments.…}` stand for. */
  fragments?: Readonly<Record<string, PropertyFilters>>
  /** A table of kept rows that it may read. */
  stored?: StoredTable
}

/** What a text has to know of its project. */
export interface TextWorld {
  /** By code name. */
  variables: Readonly<Record<string, VariableType>>
  types: PropertyTypes
  /** Ids of static cohorts, by name. */
  cohorts: ReadonlyMap<string, number>
}

export interface CompiledText extends Pick<CompiledVersion, 'properties' | 'queries'> {
  columns: { name: string; type: ColumnType }[]
  /** What the columns are to a query that reads them from where they are kept. */
  kept: StoredTable['columns']
}

export interface PreparedText {
  tree: Selection
  /** Code names of the variables that it reads, each once. */
  placeholders: string[]
  /** Properties that it may read. */
  properties: PropertyName[]
  /** Names of the cohorts that it looks into. */
  cohorts: string[]
  /** @throws 400, attr `query`, with the place of what is wrong. */
  compile(world: TextWorld): CompiledText
}

/**
 * Parses a text. The compiler is large, and loaded when the first text of an isolate comes.
 * @throws 400, attr `query`, with the place of what is wrong.
 */
export async function prepareText(text: QueryText): Promise<PreparedText> {
  const { parseHogql } = await import('../../hogql/compile')
  const { tree } = await parseHogql(text.sql).catch((error: unknown) => refuse(error, text))
  return prepareTree(text, tree)
}

/** The same for a tree, of which `sql` is the text as far as it has one. */
export async function prepareTree(text: QueryText, tree: Selection): Promise<PreparedText> {
  const { sql, timezone, filters, fragments, stored } = text
  const [{ compileParsed }, { placeholdersOf, propertiesOf }] = await Promise.all([
    import('../../hogql/compile'),
    import('../../hogql/resolve/resolve'),
  ])
  return {
    tree,
    placeholders: placeholdersOf(tree).variables,
    properties: propertiesOf(tree, filters, fragments),
    cohorts: cohortNamesIn(tree),
    compile({ variables, types, cohorts }) {
      const read = new Map<string, CompiledVersion['properties'][number]>()
      try {
        const { queries, columns, kept } = compileParsed(
          { sql, tree },
          {
            timezone,
            variables,
            filters,
            ...(fragments ? { fragments } : {}),
            ...(stored ? { stored } : {}),
            cohortNamed: (name) => cohorts.get(name),
            propertyTypes(owner, name) {
              const type = types(owner, name)
              read.set(`${owner} ${name}`, [owner, name, type ?? null])
              return type
            },
          },
        )
        return {
          queries,
          kept,
          properties: [...read.values()],
          columns: columns.map(({ name, type }) => ({ name, type: columnTypeOf(type) })),
        }
      } catch (error) {
        return refuse(error, text)
      }
    },
  }
}

/** The refusal for a text that cannot be compiled. What is wrong with the compiler itself is for the log. */
function refuse(error: unknown, text: QueryText): never {
  if (error instanceof HogqlError) throw invalid('query', `Invalid HogQL query: ${messageOf(error, text)}`)
  throw new ApiError({
    status: 400,
    type: 'validation_error',
    code: 'invalid_input',
    detail: 'Unknown error occurred parsing the query.',
    attr: 'query',
    cause: error,
  })
}

/** What is wrong, and where: but of an insight, whose text the caller did not write. */
function messageOf({ message, start }: HogqlError, { sql, fragments }: QueryText): string {
  if (start === null || fragments) return message
  const before = sql.slice(0, start).split('\n')
  return `${message.replace(/\.$/, '')} at line ${before.length}, column ${[...before.at(-1)!].length + 1}`
}

/** The names in a parsed text. */
function cohortNamesIn(tree: Node): string[] {
  const names = new Set<string>()
  walk(tree, (node) => {
    if (node.node !== 'CompareOperation' || !/cohort/i.test(node.op)) return
    if (node.right.node === 'Constant' && typeof node.right.value === 'string') names.add(node.right.value)
  })
  return [...names]
}
