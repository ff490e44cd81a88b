// Compiles the queries of all kinds. Parsing comes first; `finish` completes the compilation with facts from D1.
import { type QueryCompilation, NO_REFERENCES } from './query-compilation'
import type {
  EndpointQuery,
  HogqlQuery,
  InsightQuery,
  QueryVariables,
  WrapperQuery,
} from '../query/query-types'
import { isWrapper, sourceOf } from '../query/source-query'
import { invalid } from '../../errors'
import { prepareText } from './compile-text'
import { COMPILER_VERSION } from './compiled-version'
import {
  checkVariableCount,
  checkVariables,
  isUuid,
  type SavedVariable,
  syncVariables,
  typesOf,
} from '../query/query-variables'

/**
 * Parses the `query` of a body. The errors inside the query are thrown later, by `finish`.
 * @throws 400 `parse_error` for an invalid query; 400, attr `query`, for an unsupported kind
 */
export async function compileQuery(
  sent: Record<string, unknown>,
  timezone: string,
  now: Date,
): Promise<QueryCompilation> {
  // Creating the schemas of all kinds is slow, so that they are not created when an isolate starts.
  const { parseQuery } = await import('../query/parse-query')
  return compileKind(parseQuery(sent), timezone, now)
}

/** Compiles a stored query again; its variables stay as stored. */
export const compileStored = (query: EndpointQuery, timezone: string): Promise<QueryCompilation> =>
  compileKind(query, timezone, null)

async function compileKind(
  query: EndpointQuery,
  timezone: string,
  sentAt: Date | null,
): Promise<QueryCompilation> {
  try {
    if (isWrapper(query)) return wrapped(query, await compileKind(query.source, timezone, sentAt))
    return query.kind === 'HogQLQuery'
      ? await compileHogql(query, timezone, sentAt ? 'sent' : 'stored')
      : await compileInsight(query, timezone, sentAt)
  } catch (error) {
    return {
      references: NO_REFERENCES,
      finish() {
        throw error
      },
    }
  }
}

/** Compiles a wrapped query. The node around it is stored with it. */
const wrapped = (node: WrapperQuery, { references, finish }: QueryCompilation): QueryCompilation => ({
  references,
  finish(facts) {
    const stored = finish(facts)
    return { ...stored, query: { ...node, source: sourceOf(stored.query) } }
  },
})

/** Compiles a HogQLQuery. The variables of a stored one are not synchronized with the project's. @throws 400, attr `query` */
async function compileHogql(
  query: HogqlQuery,
  timezone: string,
  origin: 'sent' | 'stored',
): Promise<QueryCompilation> {
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
  const { placeholders, properties, cohorts, actions, names } = text
  if (origin === 'sent') checkVariableCount(query.variables, placeholders)
  return {
    references: {
      variables: { ids: idsIn(query.variables), codeNames: origin === 'sent' ? placeholders : [] },
      properties,
      cohorts,
      actions,
      names,
    },
    finish({ variables: saved, ...facts }) {
      const variables =
        origin === 'sent' ? syncVariables(query.variables, placeholders, saved) : query.variables
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

/**
 * @param sentAt null for a stored query, whose dates are not checked.
 * @throws 400, attr `query`, for a query that cannot be run
 */
async function compileInsight(
  query: InsightQuery,
  timezone: string,
  sentAt: Date | null,
): Promise<QueryCompilation> {
  const [{ insightText, requireComputable }, { requireExpressions }] = await Promise.all([
    import('../insights/insight.ts'),
    import('../insights/expressions'),
  ])
  await requireExpressions(query)
  const { sql, variables, fragments } = await insightText(query)
  if (sentAt) requireComputable(query, { timezone, now: sentAt })
  const text = await prepareText({ sql, timezone, fragments })
  return {
    references: {
      variables: { ids: [], codeNames: [] },
      properties: text.properties,
      cohorts: text.cohorts,
      actions: text.actions,
      names: [],
    },
    finish({ types, cohorts, actions }) {
      const facts = { variables, types, cohorts, actions }
      const { columns: _rows, storedColumns: _stored, warnings: _warnings, ...compiled } = text.compile(facts)
      return {
        facts,
        query,
        columns: [],
        warnings: [],
        tree: text.tree,
        compiled: { compiler: COMPILER_VERSION, timezone, variables: [], ...compiled },
      }
    },
  }
}
