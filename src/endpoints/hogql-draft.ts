// A HogQL query on its way to being stored (reference/endpoints-api.md §1.2).
import { invalid } from '../errors'
import { prepareText } from './compile-text'
import { COMPILER_VERSION } from './compiled-version'
import type { Draft } from './query-draft'
import type { HogqlQuery } from './query/shape'
import { checkVariables, isUuid, type SavedVariable, syncVariables, typesOf } from './query/variables'

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
