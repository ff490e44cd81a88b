// How a HogQLQuery is materialized: its variables become columns of the rows that are kept (reference/endpoints-api.md §5.4, §5.5).
import { prepareText, prepareTree } from '../compile-text'
import type { HogqlQuery } from '../query/shape'
import { readWorldOf } from '../text-world'
import { previewOf } from './analysis/preview'
import { check } from './analysis/rules'
import type { Lifted } from './analysis/shape'
import type { Materializable, Place, Planned } from './plan-shape'
import { planRows, tableOf } from './plan-rows'

/** @throws 400 for what does not compile. */
export async function planHogql(place: Place, subject: Materializable, query: HogqlQuery): Promise<Planned> {
  const { timezone } = place.project
  const table = tableOf(subject)
  const source = { sql: query.query, timezone, filters: query.filters }
  const original = await prepareText(source)
  const world = place.world ?? (await readWorldOf(place, original, query.variables))
  const columns = original.compile(world).columns.map(({ name }) => name)
  const checked = check({ query, overrides: subject.bucketOverrides, tree: original.tree, columns, table })
  if (checked.reason !== null) return checked
  const { write, read, variables } = checked.subject
  if (!write || !read) throw new Error('the checks made no texts of a query that they passed')
  const plan = await planRows(place, world, {
    writing: await prepareTree(source, write),
    reading: (stored) => prepareTree({ sql: '', timezone, stored }, read.tree),
    table,
    indexed: equalitiesFirst(variables).map(({ codeName }) => codeName),
    required: variables.map(({ codeName }) => codeName),
    inlineWhenEmpty: read.inlineWhenEmpty,
  })
  return { reason: null, plan, preview: previewOf(checked.subject, subject.name) }
}

/** An index finds what is compared by equality, and then a range. */
function equalitiesFirst(variables: readonly Lifted[]): Lifted[] {
  const { equality = [], other = [] } = Object.groupBy(variables, ({ comparisons }) =>
    comparisons.every(({ operator }) => operator === '==') ? 'equality' : 'other',
  )
  return [...equality, ...other]
}
