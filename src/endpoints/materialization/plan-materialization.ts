// How a version is materialized: the query whose rows are kept, and the one that reads them, ready to be run.
import { ApiError } from '../../errors'
import type { HogqlQuery, InsightQuery } from '../query/query-types'
import { type Materializable, type Place, type Planned, planRows, tableOf } from './plan-rows'
import { prepareText, prepareTree } from '../compile/compile-text'
import { readWorldOf } from '../compile/query-references'
import { previewOf } from './analysis/preview-texts'
import { check } from './analysis/rules'
import type { Lifted } from './analysis/analysis-types'
import { insightText } from '../insights/insight.ts'
import { type Breakdown, breakdownsOf, chosenCondition } from '../insights/breakdown'
import type { BreakdownFilter } from '../insights/insight-types'
import { breakdownPropertiesOf } from '../query/written-breakdowns'

/** The plan of a version, or why there is none. Whatever in a query does not compile is such a reason. */
export async function planMaterialization(place: Place, subject: Materializable): Promise<Planned> {
  try {
    return subject.query.kind === 'HogQLQuery'
      ? await planHogql(place, subject, subject.query as HogqlQuery)
      : await planInsight(place, subject, subject.query as InsightQuery)
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return { reason: error.detail }
    throw error
  }
}

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

/** @throws 400 for what does not compile. */
export async function planInsight(
  place: Place,
  subject: Materializable,
  query: InsightQuery,
): Promise<Planned> {
  const { timezone } = place.project
  const table = tableOf(subject)
  const checked = check({ query, overrides: subject.bucketOverrides, tree: null, columns: [], table })
  if (checked.reason !== null) return checked
  const { sql, variables, fragments } = insightText(query)
  const writing = await prepareText({ sql, timezone, fragments })
  const world = place.world ?? (await readWorldOf(place, writing, null, variables))
  const chosen = keptBreakdowns(query)
  const plan = await planRows(place, world, {
    writing,
    reading: (stored) => prepareText({ sql: readingText(stored, chosen), timezone, stored }),
    table,
    indexed: chosen.map(({ expression }) => expression),
    required: breakdownPropertiesOf(query).filter(
      (property) => !subject.optionalBreakdownProperties.includes(property),
    ),
    inlineWhenEmpty: false,
  })
  const shownFrom = (name: string) => readingText({ name, columns: plan.columns }, chosen)
  return {
    reason: null,
    plan,
    preview: {
      transformed_query: sql,
      execution_query: shownFrom(table),
      display_execution_query: shownFrom(subject.name),
      range_pairs: [],
      aggregates: [],
    },
  }
}

/** The breakdowns of kept rows: columns by now. */
const keptBreakdowns = ({ breakdownFilter }: InsightQuery): Breakdown[] =>
  breakdownsOf(breakdownFilter as BreakdownFilter | null).map(({ property }, index) => ({
    property,
    expression: `b${index}`,
  }))

function readingText(
  { name: table, columns }: { name: string; columns: readonly { name: string }[] },
  chosen: readonly Breakdown[],
): string {
  const condition = chosenCondition(chosen)
  return `SELECT ${columns.map(({ name }) => name).join(', ')} FROM \`${table}\`${condition ? ` WHERE ${condition}` : ''}`
}
