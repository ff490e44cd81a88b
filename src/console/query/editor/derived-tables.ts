// The columns of common table expressions and subqueries, as far as their text shows them. Pure.

/** Columns by the name of the SELECT in parentheses. */
export function derivedTables(sql: string): Map<string, string[]> {
  const text = sql.replaceAll(/'(?:[^'\\]|\\.|'')*'/g, (literal) => ' '.repeat(literal.length))
  const tables = new Map<string, string[]>()
  for (const { index } of text.matchAll(/\(\s*(?=(?:with|select)\b)/gi)) {
    const end = closingOf(text, index)
    const expression = /(\w+)\s+as\s*$/i.exec(text.slice(0, index))?.[1]
    const alias = /^\)\s*(?:as\s+)?(\w+)/i.exec(text.slice(end))?.[1]
    const name = expression ?? (alias && !CLAUSE.test(alias) ? alias : `subquery at ${index}`)
    tables.set(name, columnsOf(text.slice(index + 1, end)))
  }
  return tables
}

/** What may follow a subquery in place of its name. */
const CLAUSE =
  /^(where|prewhere|group|order|having|limit|union|intersect|except|join|left|right|inner|full|cross|on|and|or|as|then|else|end|asc|desc)$/i

/** The place of the parenthesis that closes the one at `open`; the end of the text without one. */
function closingOf(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')' && --depth === 0) return at
  }
  return text.length
}

/** Names of what the first SELECT of a query selects. */
function columnsOf(query: string): string[] {
  // What is in parentheses has no names of columns.
  let flat = query
  for (let before = ''; before !== flat;) {
    before = flat
    flat = flat.replaceAll(/\([^()]*\)/g, ' _ ')
  }
  const list = /\bselect\b(?:\s+distinct\b)?([\s\S]*?)(?:\bfrom\b|$)/i.exec(flat)?.[1] ?? ''
  return list
    .split(',')
    .map((item) => /(?:\bas\s+[`"]?|^\s*(?:\w+\.)*)([A-Za-z_$][\w$]*)[`"]?\s*$/i.exec(item)?.[1])
    .filter((name) => name !== undefined && name !== '_') as string[]
}
