// Finds the texts and comments of a query in one pass: a regular expression would search for the end of each that has none. The functions
// are pure.

export interface Span {
  from: number
  to: number
  /** Whether the text or comment ends. A comment to the end of the line ends with the line. */
  isClosed: boolean
}

/** Returns texts in apostrophes and comments, in order. */
export function textSpans(sql: string): Span[] {
  const spans: Span[] = []
  for (let at = 0; at < sql.length; at += 1) {
    const start = sql.slice(at, at + 2)
    if (!start.startsWith("'") && start !== '--' && start !== '/*') continue
    const to = start.startsWith("'")
      ? endOfText(sql, at)
      : endOfComment(sql, at, start === '--' ? '\n' : '*/')
    spans.push({ from: at, to: to ?? sql.length, isClosed: to !== null })
    at = (to ?? sql.length) - 1
  }
  return spans
}

/** Returns the position after the apostrophe that ends a text, or null without one. Two apostrophes are one of the text. */
function endOfText(sql: string, from: number): number | null {
  for (let at = from + 1; at < sql.length; at += 1) {
    if (sql[at] === '\\' || (sql[at] === "'" && sql[at + 1] === "'")) at += 1
    else if (sql[at] === "'") return at + 1
  }
  return null
}

function endOfComment(sql: string, from: number, end: string): number | null {
  const found = sql.indexOf(end, from + 2)
  return found < 0 ? null : found + end.length
}
