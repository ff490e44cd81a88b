// How an insight is materialized: the rows of its text are kept, and read by the values of its breakdowns (reference/endpoints-api.md §3.7).
import { prepareText } from '../compile-text'
import { insightText } from '../insights'
import { type Breakdown, breakdownsOf, chosenCondition } from '../insights/breakdown'
import type { BreakdownFilter } from '../insights/shape'
import { breakdownPropertiesOf } from '../query/breakdowns'
import type { InsightQuery } from '../query/shape'
import { readWorldOf } from '../text-world'
import { check } from './analysis/rules'
import type { Materializable, Place, Planned } from './plan-shape'
import { planRows, tableOf } from './plan-rows'

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
