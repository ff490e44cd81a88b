// Finds the columns of common table expressions and subqueries in their text. The functions are pure.
import { textSpans } from './sql-texts'

/** Returns the columns by the name of the SELECT in parentheses. */
export function derivedTables(sql: string): Map<string, string[]> {
  const text = withoutTexts(sql)
  const tables = new Map<string, string[]>()
  for (const { index } of text.matchAll(/\(\s{0,200}(?:with|select)\b/gi)) {
    const end = closingOf(text, index)
    const expression = NAMED.exec(text.slice(Math.max(0, index - MAX_NAMED), index))?.[1]
    const alias = /^\)\s*(?:as\s+)?(\w+)/i.exec(text.slice(end))?.[1]
    const name = expression ?? (alias && !CLAUSE.test(alias) ? alias : `subquery at ${index}`)
    tables.set(name, columnsOf(text.slice(index + 1, end)))
  }
  return tables
}

/** Replaces texts and comments by blanks. */
function withoutTexts(sql: string): string {
  const parts: string[] = []
  let end = 0
  for (const { from, to } of textSpans(sql)) {
    parts.push(sql.slice(end, from), ' '.repeat(to - from))
    end = to
  }
  return parts.join('') + sql.slice(end)
}

/** Matches the name of a common table expression before its parenthesis. */
const NAMED = /(\w{1,200})\s{1,50}as\s{0,50}$/i
const MAX_NAMED = 400

/** Matches words that may follow a subquery in place of its name. */
const CLAUSE =
  /^(where|prewhere|group|order|having|limit|union|intersect|except|join|left|right|inner|full|cross|on|and|or|as|then|else|end|asc|desc)$/i

/** Returns the position of the parenthesis that closes the one at `open`, or the end of the text without one. */
function closingOf(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')' && --depth === 0) return at
  }
  return text.length
}

/** Returns the names of the columns of the first SELECT of a query. */
function columnsOf(query: string): string[] {
  // Text in parentheses has no names of columns.
  let flat = query
  for (let before = ''; before !== flat;) {
    before = flat
    flat = flat.replaceAll(/\([^()]*\)/g, ' _ ')
  }
  const select = /\bselect\b(?:\s{1,50}distinct\b)?/i.exec(flat)
  if (!select) return []
  const list = flat.slice(select.index + select[0].length)
  const from = /\bfrom\b/i.exec(list)?.index ?? list.length
  return list
    .slice(0, from)
    .split(',')
    .map((item) => /(?:\bas\s+[`"]?|^\s*(?:\w+\.)*)([A-Za-z_$][\w$]*)[`"]?\s*$/i.exec(item)?.[1])
    .filter((name) => name !== undefined && name !== '_') as string[]
}
