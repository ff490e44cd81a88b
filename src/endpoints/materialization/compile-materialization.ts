// Compiles what materializes a version: the query that writes the rows and the query that reads them.
import { ApiError } from '../../errors'
import type { Selection } from '../../hogql/parser/ast'
import type { Type } from '../../hogql/types'
import type { HogqlQuery, InsightQuery } from '../query/query-types'
import {
  type Materializable,
  type MaterializationContext,
  type CompiledMaterialization,
  compileRows,
  tableOf,
} from './compile-rows'
import { type CompiledText, prepareText, prepareTree } from '../compile/compile-text'
import { readTextFacts } from '../compile/query-references'
import { previewOf } from './analysis/preview-texts'
import { type Candidate, check } from './analysis/rules'
import { aliased, NOWHERE } from './analysis/tree'
import type { Lifted } from './analysis/lift-variables'
import { Rejection } from './analysis/reasons'
import { insightText } from '../insights/insight'
import { type Breakdown, chosenCondition } from '../insights/breakdown'
import { sourceOf } from '../query/source-query'
import { breakdownPropertiesOf } from '../query/written-breakdowns'

/** Compiles a materialization. A query that does not compile is rejected with a reason. */
export async function compileMaterialization(
  context: MaterializationContext,
  candidate: Materializable,
): Promise<CompiledMaterialization> {
  try {
    const query = sourceOf(candidate.query)
    return query.kind === 'HogQLQuery'
      ? await compileHogql(context, candidate, query)
      : await compileInsight(context, candidate, query)
  } catch (error) {
    if (error instanceof Rejection) return { reason: error.message }
    if (error instanceof ApiError && error.status === 400) return { reason: error.detail }
    throw error
  }
}

/** The reason for queries of actions: stored rows would not follow an action that changes. */
const READS_ACTIONS = 'Queries of actions are not supported for materialized endpoints.'

/** @throws 400 for a query that does not compile */
async function compileHogql(
  context: MaterializationContext,
  candidate: Materializable,
  query: HogqlQuery,
): Promise<CompiledMaterialization> {
  const { timezone } = context.project
  const table = tableOf(candidate)
  const source = { sql: query.query, timezone, filters: query.filters, values: query.values }
  const original = await prepareText(source)
  if (original.actions.length > 0) return { reason: READS_ACTIONS }
  const facts = context.facts ?? (await readTextFacts(context, original, query.variables))
  const columns = original
    .compile(facts)
    .storedColumns.map(({ name, type }) => ({ name, nullable: type.nullable }))
  const given = { query, overrides: candidate.bucketOverrides, tree: original.tree, columns, table }
  const columnsOf = async (tree: Selection) => (await prepareTree(source, tree)).compile(facts).storedColumns
  const first = check(given)
  const converted = first.reason === null ? await convertedVariables(first.candidate, columnsOf) : null
  const checked = converted ? check({ ...given, converted }) : first
  if (checked.reason !== null) return checked
  const { write, read, variables } = checked.candidate
  if (!write || !read) throw new Error('the checks made no texts of a query that they passed')
  const rows = await compileRows(context, facts, {
    writing: await prepareTree(source, write),
    reading: (stored) => prepareTree({ sql: '', timezone, stored }, read.tree),
    table,
    indexed: equalitiesFirst(variables).map(({ codeName }) => codeName),
    required: variables.map(({ codeName }) => codeName),
    inlineWhenEmpty: read.inlineWhenEmpty,
  })
  return { reason: null, rows, preview: previewOf(checked.candidate, candidate.name) }
}

type Columns = CompiledText['storedColumns']

/**
 * Returns the variables of which a value equals several stored texts, because they are compared as numbers, booleans or dates; null without
 * any.
 */
async function convertedVariables(
  { variables, write }: Candidate,
  columnsOf: (tree: Selection) => Promise<Columns>,
): Promise<ReadonlySet<string> | null> {
  const compared = variables.flatMap(({ codeName, comparisons }) =>
    comparisons.map(({ value }) => ({ codeName, value })),
  )
  if (!write || compared.length === 0) return null
  const select = compared.map(({ value }, index) => aliased(value, `v${index}`))
  const values = await columnsOf({ ...NOWHERE, node: 'SelectQuery', select })
  const others = compared.flatMap(({ codeName }, index) => {
    const kinds = kindsOf(values[index]!.type)
    return kinds === 'string' ? [] : [{ codeName, kinds }]
  })
  if (others.length === 0) return null
  const stored = new Map((await columnsOf(write)).toReversed().map(({ name, type }) => [name, kindsOf(type)]))
  const converted = others.filter(({ codeName, kinds }) => {
    const own = stored.get(codeName)!
    return own !== kinds && /string|json/.test(own)
  })
  return converted.length > 0 ? new Set(converted.map(({ codeName }) => codeName)) : null
}

/** Returns the kind of a type, with those of its items. */
const kindsOf = (type: Type): string =>
  type.kind === 'array' || type.kind === 'tuple'
    ? `${type.kind}(${[type.of].flat().map(kindsOf).join()})`
    : type.kind

/** Sorts the variables as the columns of the index: equality columns, then ranges. */
function equalitiesFirst(variables: readonly Lifted[]): Lifted[] {
  const { equality = [], other = [] } = Object.groupBy(variables, ({ comparisons }) =>
    comparisons.every(({ operator }) => operator === '==') ? 'equality' : 'other',
  )
  return [...equality, ...other]
}

/** @throws 400 for a query that does not compile */
async function compileInsight(
  context: MaterializationContext,
  candidate: Materializable,
  query: InsightQuery,
): Promise<CompiledMaterialization> {
  const { timezone } = context.project
  const table = tableOf(candidate)
  const checked = check({ query, overrides: candidate.bucketOverrides, tree: null, columns: [], table })
  if (checked.reason !== null) return checked
  const { sql, variables, fragments } = await insightText(query)
  const writing = await prepareText({ sql, timezone, fragments })
  if (writing.actions.length > 0) return { reason: READS_ACTIONS }
  const facts = context.facts ?? (await readTextFacts(context, writing, null, variables))
  const chosen = storedBreakdowns(query)
  const rows = await compileRows(context, facts, {
    writing,
    reading: (stored) => prepareText({ sql: readingText(stored, chosen), timezone, stored }),
    table,
    indexed: chosen.map(({ expression }) => expression),
    required: breakdownPropertiesOf(query).filter(
      (property) => !candidate.optionalBreakdownProperties.includes(property),
    ),
    inlineWhenEmpty: false,
  })
  const shownFrom = (name: string) => readingText({ name, columns: rows.columns }, chosen)
  return {
    reason: null,
    rows,
    preview: {
      transformed_query: sql,
      execution_query: shownFrom(table),
      display_execution_query: shownFrom(candidate.name),
      range_pairs: [],
      aggregates: [],
    },
  }
}

/** The breakdowns as they are read from the stored rows, where they are columns. */
const storedBreakdowns = (query: InsightQuery): Breakdown[] =>
  breakdownPropertiesOf(query).map((property, index) => ({ property, expression: `b${index}` }))

function readingText(
  { name: table, columns }: { name: string; columns: readonly { name: string }[] },
  chosen: readonly Breakdown[],
): string {
  const condition = chosenCondition(chosen)
  return `SELECT ${columns.map(({ name }) => name).join(', ')} FROM \`${table}\`${condition ? ` WHERE ${condition}` : ''}`
}
