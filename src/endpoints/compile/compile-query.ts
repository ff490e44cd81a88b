// Compiles the queries of all kinds.
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid } from '../../errors'
import type { Warning } from '../../hogql/error'
import type { Selection } from '../../hogql/parser/ast'
import type { ColumnType } from '../../hogql/types'
import type {
  EndpointQuery,
  HogqlQuery,
  InsightQuery,
  QueryVariables,
  SourceQuery,
} from '../query/query-types'
import {
  checkVariableCount,
  checkVariables,
  isUuid,
  type SavedVariable,
  syncVariables,
  typesOf,
} from '../query/query-variables'
import { isWrapper, sourceOf } from '../query/source-query'
import { prepareText, type TextFacts } from './compile-text'
import { COMPILER_VERSION, type CompiledVersion } from './compiled-version'
import { readQueryFacts, readTextFacts } from './query-references'

export interface StoredQuery {
  query: EndpointQuery
  compiled: CompiledVersion
  columns: { name: string; type: ColumnType }[]
  facts: TextFacts
  warnings: readonly Warning[]
  /** The SQL of the query; that of an insight was written for it. */
  tree: Selection
}

type CompiledSource = StoredQuery & { query: SourceQuery }

export interface CompileContext {
  deps: Pick<Deps, 'db'>
  project: Pick<Project, 'id' | 'timezone'>
}

/** Parses the `query` of a body. @throws 400 `parse_error` for an invalid query; 400, attr `query`, for an unsupported option */
export async function parseSent(sent: Record<string, unknown>): Promise<EndpointQuery> {
  // Creating the schemas of all kinds is slow, so that they are not created when an isolate starts.
  const { parseQuery } = await import('../query/parse-query')
  return parseQuery(sent)
}

/**
 * Compiles a query, with facts that it reads in one round trip, and one before it for actions.
 * @param sentAt null for a stored query: its dates are not checked, and its variables not synchronized with the project's
 * @throws 400, attr `query`
 */
export async function compileQuery(
  context: CompileContext,
  query: EndpointQuery,
  sentAt: Date | null,
): Promise<StoredQuery> {
  const source = sourceOf(query)
  const stored =
    source.kind === 'HogQLQuery'
      ? await compileHogql(context, source, sentAt ? 'sent' : 'stored')
      : await compileInsight(context, source, sentAt)
  // The node around a query is stored with it.
  return isWrapper(query) ? { ...stored, query: { ...query, source: stored.query } } : stored
}

/** @throws 400, attr `query` */
async function compileHogql(
  { deps, project: { id: projectId, timezone } }: CompileContext,
  query: HogqlQuery,
  origin: 'sent' | 'stored',
): Promise<CompiledSource> {
  if (query.connectionId) {
    throw invalid(
      'query',
      "Endpoints can't query a direct connection. Remove the connection and query a table of the project instead.",
    )
  }
  const text = await prepareText({
    sql: query.query,
    timezone,
    filters: query.filters,
    values: query.values,
  })
  const { placeholders } = text
  if (origin === 'sent') checkVariableCount(query.variables, placeholders)
  const { variables: saved, ...facts } = await readQueryFacts(deps.db, projectId, {
    ...text,
    variables: { ids: idsIn(query.variables), codeNames: origin === 'sent' ? placeholders : [] },
  })
  const variables = origin === 'sent' ? syncVariables(query.variables, placeholders, saved) : query.variables
  if (origin === 'sent') checkVariables(variables, placeholders, saved)
  const textFacts = { ...facts, variables: typesOf(variables, saved) }
  const { columns, storedColumns: _stored, warnings, ...compiled } = text.compile(textFacts)
  return {
    facts: textFacts,
    query: { ...query, variables },
    columns,
    warnings,
    tree: text.tree,
    compiled: {
      compiler: COMPILER_VERSION,
      timezone,
      variables: typesRead(variables, saved),
      ...(warnings.length > 0 ? { warnings: warnings.map(({ message }) => message) } : {}),
      ...compiled,
    },
  }
}

/** The ids that a map of variables has as keys or in its values. */
const idsIn = (variables: QueryVariables): string[] => {
  const ids = Object.entries(variables ?? {}).flatMap(([id, { variableId }]) => [id, variableId])
  return [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))]
}

function typesRead(variables: QueryVariables, saved: readonly SavedVariable[]) {
  const types = new Map(saved.map(({ id, type }) => [id, type]))
  return Object.keys(variables ?? {}).map((key): [string, SavedVariable['type'] | null] => {
    const id = key.toLowerCase()
    return [id, types.get(id) ?? null]
  })
}

/** @throws 400, attr `query`, for a query that cannot be run */
async function compileInsight(
  context: CompileContext,
  query: InsightQuery,
  sentAt: Date | null,
): Promise<CompiledSource> {
  const { timezone } = context.project
  const [{ insightText, requireComputable }, { requireExpressions }] = await Promise.all([
    import('../insights/insight.ts'),
    import('../insights/expressions'),
  ])
  requireExpressions(query)
  const { sql, variables, fragments } = await insightText(query)
  if (sentAt) requireComputable(query, { timezone, now: sentAt })
  const text = await prepareText({ sql, timezone, fragments })
  const facts = await readTextFacts(context, text, null, variables)
  const { columns: _rows, storedColumns: _stored, warnings: _warnings, ...compiled } = text.compile(facts)
  return {
    facts,
    query,
    columns: [],
    warnings: [],
    tree: text.tree,
    compiled: { compiler: COMPILER_VERSION, timezone, variables: [], ...compiled },
  }
}
