// Checks the SQL of a query without running it.
import * as z from 'zod'
import { dialectOf } from '../../analytics/engine/select-engine'
import { ApiError, invalid } from '../../errors'
import type { Warning } from '../../hogql/error'
import type { Selection } from '../../hogql/parser/ast'
import { walk } from '../../hogql/parser/walk'
import { findTable } from '../../hogql/tables/tables'
import { dictionary } from '../../http/fields'
import { firstFailure } from '../../http/validation'
import { compileQuery, parseSent } from '../compile/compile-query'
import { requireRunnable } from '../compile/compiled-version'
import { InvalidText, type PreparedText, prepareText } from '../compile/compile-text'
import { readQueryFacts } from '../compile/query-references'
import type { EndpointContext } from '../context'
import { HogqlQuery } from '../query/query-schemas'
import { WRAPPER_KINDS } from '../query/source-query'
import { syncVariables, typesOf } from '../query/query-variables'
import type { QueryCheck } from './query-request'

const { filters, values, variables } = HogqlQuery.shape

const Metadata = z.strictObject({
  kind: z.literal('HogQLMetadata'),
  language: z.enum(['hogQL']),
  query: z.string(),
  filters,
  values,
  variables,
  debug: z.boolean().nullish(),
  response: z.unknown().optional(),
  sourceQuery: dictionary().nullish(),
  version: z.number().nullish(),
})
type Metadata = z.output<typeof Metadata>

/** @throws 400, attr `query`, for a body of another form. An error in the SQL is part of the response. */
export async function checkQuery(
  context: Pick<EndpointContext, 'deps' | 'project'>,
  sent: Record<string, unknown>,
): Promise<QueryCheck> {
  const parsed = Metadata.safeParse(sent)
  if (!parsed.success) {
    const { attr, detail } = firstFailure(parsed.error, sent)
    throw invalid(['query', attr ?? ''].filter(Boolean).join('__'), detail)
  }
  const { query, sourceQuery } = parsed.data
  if (sourceQuery) return checkInsight(context, query, sourceQuery)
  const { timezone } = context.project
  const [text, syntaxError] = await attempt(() =>
    prepareText({ sql: query, timezone, filters: parsed.data.filters, values: parsed.data.values }),
  )
  const [warnings, error] = text
    ? await attempt(() => compile(context, parsed.data, text))
    : [null, syntaxError]
  return checkOf(query, error, text ? tablesOf(text.tree) : [], warnings ?? [])
}

const checkOf = (
  query: string,
  error: ApiError | null,
  tables: string[],
  warnings: readonly Warning[] = [],
): QueryCheck => ({
  query,
  isValid: error === null,
  isUsingIndices: 'undecisive',
  errors: error ? [noticeOf(error, query)] : [],
  warnings: [...warnings],
  notices: [],
  table_names: tables,
})

/**
 * Compiles an insight, or a query of any other kind, as a run does. Positions of errors are those in the SQL of a `HogQLQuery`.
 * @param text what `query` of the response repeats
 */
async function checkInsight(
  context: Pick<EndpointContext, 'deps' | 'project'>,
  text: string,
  source: Record<string, unknown>,
): Promise<QueryCheck> {
  const [compiled, error] = await attempt(() => compileSent(context, source, context.deps.clock.now()))
  const check = checkOf(
    sqlIn(source) ?? text,
    error,
    compiled ? tablesOf(compiled.tree) : [],
    compiled?.warnings,
  )
  return { ...check, query: text }
}

function sqlIn({ kind, query, source }: Record<string, unknown>): string | null {
  if (WRAPPER_KINDS.some((wrapper) => wrapper === kind) && typeof source === 'object' && source !== null)
    return sqlIn(source as Record<string, unknown>)
  return kind === 'HogQLQuery' && typeof query === 'string' ? query : null
}

/** @throws 400 for a query that does not compile, or cannot run on the project's engine */
export async function compileSent(
  context: Pick<EndpointContext, 'deps' | 'project'>,
  sent: Record<string, unknown>,
  now: Date,
) {
  const stored = await compileQuery(context, await parseSent(sent), now)
  const dialect = dialectOf(context.project.store)
  return { ...stored, runnable: requireRunnable(stored.compiled.queries, dialect, 'query') }
}

/** Returns the result and no error, or the error. */
async function attempt<T>(work: () => Promise<T>): Promise<[T, null] | [null, ApiError]> {
  try {
    return [await work(), null]
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return [null, error]
    throw error
  }
}

/** Compiles the text. Unlike in a query that is to be stored, an undefined variable is an error with a position. */
async function compile(
  { deps, project }: Pick<EndpointContext, 'deps' | 'project'>,
  sent: Metadata,
  text: PreparedText,
): Promise<readonly Warning[]> {
  const facts = await readQueryFacts(deps.db, project.id, {
    ...text,
    variables: { ids: [], codeNames: text.placeholders },
  })
  const known = syncVariables(sent.variables, text.placeholders, facts.variables)
  const { queries, warnings } = text.compile({
    ...facts,
    variables: typesOf(known, facts.variables),
  })
  requireRunnable(queries, dialectOf(project.store), 'query')
  return warnings
}

const SUGGESTION = /(?:did you mean|Perhaps you meant) '([^'(]+)/i
const NAME = /^[\w$]+(?=\(|$)/

function noticeOf(error: ApiError, query: string): QueryCheck['errors'][number] {
  if (!(error instanceof InvalidText)) {
    const message = error.detail.replace(/^Invalid HogQL query: /, '')
    return { message, start: null, end: null, fix: null }
  }
  const { message, start, end: reported } = error.reason
  if (start === null) return { message, start, end: null, fix: null }
  // The mark covers the name of a call, or at the end of the text its last character.
  const part = query.slice(start, reported ?? start)
  const name = NAME.exec(part)?.[0]
  const suggested = SUGGESTION.exec(message)?.[1]
  const end = suggested && name ? start + name.length : Math.max(reported ?? start, start + 1)
  return { message, start, end, fix: name && suggested ? suggested : null }
}

function tablesOf(tree: Selection): string[] {
  const names = new Set<string>()
  walk(tree, (node) => {
    if (node.node !== 'JoinExpr' || node.table?.node !== 'Field') return
    const [name, ...rest] = node.table.chain
    if (rest.length === 0 && findTable(String(name))) names.add(String(name))
  })
  return [...names]
}
