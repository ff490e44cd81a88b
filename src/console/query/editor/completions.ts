// Completes a query's text at a position. The functions are pure.
import type { DatabaseSchema } from '../../api/client'
import { derivedTables } from './derived-tables'
import { textSpans } from './sql-texts'

export interface Option {
  label: string
  /** The type by CodeMirror's names, which decides about the icon. */
  type: 'keyword' | 'class' | 'property' | 'function' | 'variable' | 'constant'
  detail?: string
  /** The text that is written instead of the label. */
  apply?: string
}

/** Completions: a list, or names that have to be looked up. */
export type Completions =
  | { kind: 'options'; from: number; options: Option[] }
  | {
      kind: 'properties'
      from: number
      of: 'event' | 'person' | 'group'
      groupType: number | null
      text: string
    }
  | { kind: 'events'; from: number; text: string }
  | { kind: 'cohorts'; from: number; text: string; isQuoted: boolean }

interface Known {
  schema: DatabaseSchema | undefined
  /** Code names, with their types. */
  variables: readonly { code_name: string; type: string }[]
}

/** The words of clauses and operators, in capitals. */
export const CLAUSES =
  `SELECT DISTINCT FROM WHERE PREWHERE GROUP BY ORDER HAVING LIMIT OFFSET WITH AS AND OR NOT IN IS NULL LIKE ILIKE BETWEEN JOIN LEFT
  RIGHT INNER FULL CROSS ON USING UNION ALL INTERSECT EXCEPT CASE WHEN THEN ELSE END INTERVAL ASC DESC OVER PARTITION ROWS RANGE
  PRECEDING FOLLOWING UNBOUNDED CURRENT ROW COHORT ARRAY TRUE FALSE`.split(/\s+/)

/** Units of intervals. Columns may have these names, too. */
const UNITS = ['SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR']

const KEYWORDS = [...CLAUSES, ...UNITS]

/** Returns the sources by their names in the text. */
function sourcesIn(text: string): Map<string, string> {
  const sources = new Map<string, string>()
  const pattern = /\b(?:from|join)\s+(\w+)(?:\s+(?:as\s+)?(\w+))?/gi
  for (const [, table = '', alias] of text.matchAll(pattern)) {
    sources.set(table, table)
    if (alias && !KEYWORDS.includes(alias.toUpperCase())) sources.set(alias, table)
  }
  return sources
}

const ctesIn = (text: string): string[] =>
  [...text.matchAll(/(?:\bwith|,)\s+(\w+)\s+as\s*\(/gi)].map(([, name]) => name!)

export function completionsAt(text: string, position: number, known: Known): Completions | null {
  const before = text.slice(0, position)
  const placeholder = /\{\s*(?:(variables\.)(\w*)|(\w*))$/.exec(before)
  if (placeholder) return variableOptions(before, placeholder, known)
  const quoted = /\bevent\s*(?:=|!=|in\s*\((?:\s*'[^']*'\s*,)*)\s*'([^'\n]*)$/i.exec(before)
  if (quoted) return { kind: 'events', from: position - quoted[1]!.length, text: quoted[1]! }
  const cohort = /\bin\s{1,20}cohort\s{1,20}('?)([^'\n()]{0,400})$/i.exec(before)
  if (cohort) {
    const [, quote, name = ''] = cohort
    return { kind: 'cohorts', from: position - name.length, text: name, isQuoted: quote === "'" }
  }
  if (isInText(before)) return null
  const names = wordBefore(before).split('.')
  const typed = names.pop()!
  const from = position - typed.length
  if (names.length > 0) return fieldOptions(text, names, from, typed, known)
  if (typed === '') return null
  return { kind: 'options', from, options: wordOptions(text, before, known) }
}

/** Returns the names with dots between them at the end of a text. */
function wordBefore(before: string): string {
  let from = before.length
  while (
    /[\w$]/.test(before[from - 1] ?? '') ||
    (before[from - 1] === '.' && /[\w$]/.test(before[from - 2] ?? ''))
  )
    from -= 1
  return before.slice(from)
}

/** Returns whether a position is within a text or a comment. */
const isInText = (before: string): boolean => textSpans(before).at(-1)?.isClosed === false

function variableOptions(before: string, match: RegExpExecArray, { variables }: Known): Completions {
  const [, prefix, name, start = ''] = match
  const typed = prefix ? name! : start
  return {
    kind: 'options',
    from: before.length - typed.length,
    options: variables.map(({ code_name: code, type }) => ({
      label: prefix ? code : `variables.${code}`,
      type: 'variable',
      detail: type,
    })),
  }
}

function wordOptions(text: string, before: string, { schema }: Known): Option[] {
  const tables = Object.keys(schema?.tables ?? {})
  const tableOptions = [...tables, ...ctesIn(text)].map((label): Option => ({ label, type: 'class' }))
  if (/\b(?:from|join)\s+\w*$/i.test(before)) return tableOptions
  const sources = sourcesIn(text)
  const derived = derivedTables(text)
  const read = new Set([...sources.values()].filter((name) => tables.includes(name)))
  if (read.size === 0) read.add('events')
  const fields = [
    ...[...read].flatMap((name) => fieldsOf(schema, name)),
    ...[...derived.values()].flat().map(columnOption),
  ]
  const aliases = [...sources.keys()]
    .filter((name) => sources.get(name) !== name)
    .map((label): Option => ({ label, type: 'class' }))
  const functions = (schema?.functions ?? []).map((label): Option => ({
    label,
    type: 'function',
    apply: `${label}(`,
  }))
  const keywords = KEYWORDS.map((label): Option => ({ label, type: 'keyword' }))
  return unique([...fields, ...aliases, ...tableOptions, ...functions, ...keywords])
}

const unique = (options: readonly Option[]): Option[] =>
  [
    ...new Map(options.toReversed().map((option) => [option.label.toLowerCase(), option])).values(),
  ].toReversed()

const columnOption = (label: string): Option => ({ label, type: 'property' })

const fieldsOf = (schema: DatabaseSchema | undefined, table: string): Option[] =>
  Object.values(schema?.tables[table]?.fields ?? {}).map(({ name, type }) => ({
    label: name,
    type: 'property',
    detail: type === 'virtual_table' ? 'object' : type,
  }))

/** Returns the fields of a source or object, or the properties, after a dot. */
function fieldOptions(
  text: string,
  names: readonly string[],
  from: number,
  typed: string,
  { schema }: Known,
): Completions | null {
  const sources = sourcesIn(text)
  const [first = '', ...rest] = names
  const derived = derivedTables(text)
  const columns = derived.get(sources.get(first) ?? first)
  if (columns && rest.length === 0) return { kind: 'options', from, options: columns.map(columnOption) }
  const table = sources.get(first)
  const path = table === undefined ? names : rest
  const own = table ?? [...sources.values()].find((name) => schema?.tables[name]) ?? 'events'
  if (path.at(-1) === 'properties') return propertiesOf(path.at(-2), own, from, typed)
  if (path.length === 0) return { kind: 'options', from, options: fieldsOf(schema, own) }
  const fields = schema?.tables[own]?.fields[path[0]!]?.fields ?? []
  return { kind: 'options', from, options: fields.map(columnOption) }
}

function propertiesOf(object: string | undefined, table: string, from: number, text: string): Completions {
  const group = /^group_(\d)$/.exec(object ?? '')?.[1]
  if (group !== undefined) return { kind: 'properties', from, of: 'group', groupType: Number(group), text }
  const isOfPeople = ['person', 'poe', 'pdi'].includes(object ?? '') || table === 'persons'
  return {
    kind: 'properties',
    from,
    of: table === 'groups' ? 'group' : isOfPeople ? 'person' : 'event',
    groupType: null,
    text,
  }
}
