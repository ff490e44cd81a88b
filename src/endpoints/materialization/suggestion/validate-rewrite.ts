// Whether a suggested query may take the place of one that cannot be materialized: found out by the checks that an update would run.
import { ApiError } from '../../../errors'
import { placeholdersOf } from '../../../hogql/resolve/resolve'
import { type PreparedText, prepareText } from '../../compile/compile-text'
import { requireRunnable } from '../../compile/compiled-version'
import type { HogqlQuery } from '../../query/query-types'
import type { EndpointRow } from '../../endpoint-rows'
import { readWorldOf } from '../../compile/query-references'
import { planMaterialization } from '../plan-materialization'
import type { Place } from '../plan-rows'

type Columns = EndpointRow['columns']

/**
 * Makes the validation of rewrites of a version's query.
 * @returns what is wrong with a rewrite, in a sentence; null when nothing is.
 */
export async function validatorOf(
  place: Place,
  row: EndpointRow & { query: HogqlQuery },
): Promise<(suggested: string) => Promise<string | null>> {
  const original = await prepared(place, row.query).catch(ignoreRefusal)
  const columns =
    (original && (await columnsOf(place, row.query, original).catch(ignoreRefusal))) ?? row.columns
  return async function validate(suggested) {
    const query = { ...row.query, query: suggested }
    try {
      const text = await prepared(place, query)
      const moved = original && differenceOf(placeholdersIn(original), placeholdersIn(text))
      if (moved) return `The placeholders have to stay the same ones (${moved}).`
      const given = await columnsOf(place, query, text)
      if (!sameColumns(given, columns)) {
        return `The columns have to stay the same, by name, type and order: ${listed(columns)}; not ${listed(given)}.`
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) return error.detail
      throw error
    }
    return (await planMaterialization(place, { ...row, query })).reason
  }
}

const prepared = ({ project: { timezone } }: Place, { query, filters }: HogqlQuery) =>
  prepareText({ sql: query, timezone, filters })

async function columnsOf(place: Place, { variables }: HogqlQuery, text: PreparedText): Promise<Columns> {
  const { columns, queries } = text.compile(await readWorldOf(place, text, variables))
  requireRunnable(queries, place.dialect)
  return columns
}

/** A query that was stored under other rules may not compile any more. */
function ignoreRefusal(error: unknown): null {
  if (error instanceof ApiError && error.status === 400) return null
  throw error
}

function placeholdersIn({ tree }: PreparedText): Set<string> {
  const { variables, filters } = placeholdersOf(tree)
  return new Set([...variables.map((name) => `{variables.${name}}`), ...(filters ? ['{filters}'] : [])])
}

/** What of one set is not in the other, in words; empty when there is nothing. */
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
