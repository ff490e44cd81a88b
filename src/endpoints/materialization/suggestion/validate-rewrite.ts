// Validates a rewritten query with the checks of an update.
import { ApiError } from '../../../errors'
import { placeholdersOf } from '../../../hogql/resolve/resolve'
import { type PreparedText, prepareText } from '../../compile/compile-text'
import { requireRunnable } from '../../compile/compiled-version'
import type { HogqlQuery } from '../../query/query-types'
import type { EndpointRow } from '../../endpoint-rows'
import { readTextFacts } from '../../compile/query-references'
import { compileMaterialization } from '../compile-materialization'
import type { MaterializationContext } from '../compile-rows'

type Columns = EndpointRow['columns']

/** Returns a validator, which returns an error or null. */
export async function validatorOf(
  context: MaterializationContext,
  row: EndpointRow & { query: HogqlQuery },
): Promise<(suggested: string) => Promise<string | null>> {
  const original = await prepared(context, row.query).catch(ignoreRejection)
  const columns =
    (original && (await columnsOf(context, row.query, original).catch(ignoreRejection))) ?? row.columns
  return async function validate(suggested) {
    const query = { ...row.query, query: suggested }
    try {
      const text = await prepared(context, query)
      const moved = original && differenceOf(placeholdersIn(original), placeholdersIn(text))
      if (moved) return `The placeholders have to stay the same ones (${moved}).`
      const given = await columnsOf(context, query, text)
      if (!sameColumns(given, columns)) {
        return `The columns have to stay the same, by name, type and order: ${listed(columns)}; not ${listed(given)}.`
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) return error.detail
      throw error
    }
    return (await compileMaterialization(context, { ...row, query })).reason
  }
}

const prepared = (
  { project: { timezone } }: MaterializationContext,
  { query, filters, values }: HogqlQuery,
) => prepareText({ sql: query, timezone, filters, values })

async function columnsOf(
  context: MaterializationContext,
  { variables }: HogqlQuery,
  text: PreparedText,
): Promise<Columns> {
  const { columns, queries } = text.compile(await readTextFacts(context, text, variables))
  requireRunnable(queries, context.dialect, 'query')
  return columns
}

/** Returns null for a query that does not compile: an older compiler may have accepted it. */
function ignoreRejection(error: unknown): null {
  if (error instanceof ApiError && error.status === 400) return null
  throw error
}

function placeholdersIn({ tree }: PreparedText): Set<string> {
  const { variables, filters } = placeholdersOf(tree)
  return new Set([...variables.map((name) => `{variables.${name}}`), ...(filters ? ['{filters}'] : [])])
}

/** Describes the difference of two sets. The text is empty for equal sets. */
function differenceOf(before: ReadonlySet<string>, after: ReadonlySet<string>): string {
  const said = (what: string, names: ReadonlySet<string>) =>
    names.size > 0 ? [`${what}: ${[...names].sort().join(', ')}`] : []
  return [
    ...said('missing', before.difference(after)),
    ...said('not in the query before', after.difference(before)),
  ].join('; ')
}

const sameColumns = (some: Columns, others: Columns) =>
  some.length === others.length &&
  some.every(({ name, type }, at) => name === others[at]!.name && type === others[at]!.type)

const listed = (columns: Columns) => columns.map(({ name, type }) => `${name} (${type})`).join(', ')
