// A query on its way to being stored: by its kind to what it has to be told of the project, and what becomes of it then.
import { type Draft, NO_NEEDS } from './query-compilation'
import type { EndpointQuery, HogqlQuery, InsightQuery } from '../query/query-types'
import { invalid } from '../../errors'
import { prepareText } from './compile-text'
import { COMPILER_VERSION } from './compiled-version'
import { checkVariables, isUuid, type SavedVariable, syncVariables, typesOf } from '../query/query-variables'
import type { Insight } from '../insights/insight-types'

/**
 * Reads the `query` of a body. What is wrong inside the query is told by `finish`, when it is its turn.
 * @param timezone of the project: what moments in the text mean.
 * @param now when it came.
 * @throws 400 `parse_error` for anything that is no query; 400, attr `query`, for a kind that is not run here.
 */
export async function draftQuery(sent: Record<string, unknown>, timezone: string, now: Date): Promise<Draft> {
  // The shapes of all kinds are many: they are made when the first query is written, not when an isolate starts.
  const { parseQuery } = await import('../query/parse-query')
  return draftOf(parseQuery(sent), timezone, now)
}

/** A query that is stored already, to be compiled again: its variables are as they are, whatever became of the project's. */
export const draftStored = (query: EndpointQuery, timezone: string): Promise<Draft> =>
  draftOf(query, timezone, null)

async function draftOf(query: EndpointQuery, timezone: string, sentAt: Date | null): Promise<Draft> {
  try {
    switch (query.kind) {
      case 'HogQLQuery':
        return await draftHogql(query, timezone, sentAt ? 'sent' : 'stored')
      case 'TrendsQuery':
      case 'LifecycleQuery':
      case 'RetentionQuery':
      case 'FunnelsQuery':
        return await draftInsight(query, timezone, sentAt)
    }
  } catch (error) {
    return {
      needs: NO_NEEDS,
      finish() {
        throw error
      },
    }
  }
}

/**
 * Parses the text of a query.
 * @param origin whether the query is new, or stored already: then its variables stay as they are.
 * @throws 400, attr `query`.
 */
export async function draftHogql(
  query: HogqlQuery,
  timezone: string,
  origin: 'sent' | 'stored',
): Promise<Draft> {
  if (query.connectionId) {
    throw invalid(
      'query',
      "Endpoints can't query a direct connection. Remove the connection and query a table of the project instead.",
    )
  }
  const text = await prepareText({ sql: query.query, timezone, filters: query.filters })
  const { placeholders, properties, cohorts } = text
  return {
    needs: {
      variables: { ids: idsIn(query.variables), codeNames: origin === 'sent' ? placeholders : [] },
      properties,
      cohorts,
    },
    finish({ variables: saved, ...world }) {
      const variables =
        origin === 'sent' ? syncVariables(query.variables, placeholders, saved) : query.variables
      if (origin === 'sent') checkVariables(variables, placeholders, saved)
      const told = { ...world, variables: typesOf(variables, saved) }
      const { columns, kept: _kept, ...compiled } = text.compile(told)
      return {
        world: told,
        query: { ...query, variables },
        columns,
        compiled: {
          compiler: COMPILER_VERSION,
          timezone,
          variables: typesRead(variables, saved),
          ...compiled,
        },
      }
    },
  }
}

/** The ids that a query calls variables by: those of its map, and those inside. */
const idsIn = (variables: HogqlQuery['variables']): string[] => {
  const ids = Object.entries(variables ?? {}).flatMap(([id, { variableId }]) => [id, variableId])
  return [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))]
}

const typesRead = (variables: HogqlQuery['variables'], saved: readonly SavedVariable[]) =>
  Object.keys(variables ?? {}).map((key): [string, SavedVariable['type'] | null] => {
    const id = key.toLowerCase()
    return [id, saved.find((each) => each.id === id)?.type ?? null]
  })

/**
 * Writes an insight as HogQL. Its rows are no columns of the caller's: they become the insight's own result.
 * @param sentAt when it came; null for one that is stored already, which is taken as it is.
 * @throws 400, attr `query`, for what cannot be run.
 */
export async function draftInsight(
  query: InsightQuery,
  timezone: string,
  sentAt: Date | null,
): Promise<Draft> {
  const [{ insightText, requireAnswerable }, { requireExpressions }] = await Promise.all([
    import('../insights/insight.ts'),
    import('../insights/expressions'),
  ])
  await requireExpressions(query as Insight)
  const { sql, variables, fragments } = insightText(query)
  if (sentAt) requireAnswerable(query, { timezone, now: sentAt })
  const text = await prepareText({ sql, timezone, fragments })
  return {
    needs: { variables: { ids: [], codeNames: [] }, properties: text.properties, cohorts: text.cohorts },
    finish({ types, cohorts }) {
      const world = { variables, types, cohorts }
      const { columns: _rows, kept: _kept, ...compiled } = text.compile(world)
      return {
        world,
        query,
        columns: [],
        compiled: { compiler: COMPILER_VERSION, timezone, variables: [], ...compiled },
      }
    },
  }
}
