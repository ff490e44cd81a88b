// Explains to a user why a text is not JSON. The functions are pure.

export interface JsonIssue {
  /** The offset in the text. */
  at: number
  message: string
}

const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?)(?![\w.+-])/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/** @returns the first error, or null for valid JSON */
export function jsonIssueOf(text: string): JsonIssue | null {
  try {
    JSON.parse(text)
    return null
  } catch {
    return scan(text)
  }
}

/** Describes the error, with its line and column, both from 1. */
export function jsonIssueWords(text: string): string | null {
  const issue = jsonIssueOf(text)
  if (!issue) return null
  const lines = text.slice(0, issue.at).split('\n')
  return `Line ${lines.length}, column ${lines.at(-1)!.length + 1}: ${issue.message}`
}

/** Reads the text from the left, without recursion, because it may be nested deeply. */
function scan(text: string): JsonIssue {
  /** The closing brackets of the open ones. */
  const open: ('}' | ']')[] = []
  let at = 0
  let wants: 'value' | 'first' | 'name' | 'end' = 'value'
  const issue = (message: string, where = at): JsonIssue => ({ at: Math.min(where, text.length), message })
  const space = () => {
    while (at < text.length && ' \t\r\n'.includes(text[at]!)) at += 1
  }
  /** Moves past a text in quotes. */
  const string = (): JsonIssue | null => {
    const start = at
    for (at += 1; at < text.length && text[at] !== '"';) {
      if (text[at]! < ' ')
        return text[at] === '\n'
          ? issue('This text has no closing quote.', start)
          : issue('This character has to be written as an escape.')
      ESCAPE.lastIndex = at
      if (text[at] !== '\\') at += 1
      else if (ESCAPE.test(text)) at = ESCAPE.lastIndex
      else return issue('There is no such escape: write a backslash as \\\\.')
    }
    if (at >= text.length) return issue('This text has no closing quote.', start)
    at += 1
    return null
  }
  for (;;) {
    space()
    const next = text[at]
    if (wants === 'end') {
      const close = open.at(-1)
      if (close === undefined) return issue('Nothing may follow the value.')
      if (next === close) {
        open.pop()
        at += 1
      } else if (next === ',') {
        at += 1
        wants = close === '}' ? 'name' : 'value'
      } else return issue(`A comma or ${close} is missing.`)
      continue
    }
    if (wants === 'first' && next === open.at(-1)) {
      wants = 'end'
      continue
    }
    if (wants === 'name' || (wants === 'first' && open.at(-1) === '}')) {
      if (next === '}') return issue('There is a comma before }.')
      if (next !== '"') return issue('A name in double quotes is missing.')
      const wrong = string()
      if (wrong) return wrong
      space()
      if (text[at] !== ':') return issue('A colon is missing after the name.')
      at += 1
      wants = 'value'
      continue
    }
    if (next === '{' || next === '[') {
      open.push(next === '{' ? '}' : ']')
      at += 1
      wants = 'first'
      continue
    }
    if (next === '"') {
      const wrong = string()
      if (wrong) return wrong
    } else {
      LITERAL.lastIndex = at
      if (!LITERAL.test(text)) {
        if (next === undefined) return issue('A value is missing.')
        if (next === ']' || next === '}') return issue(`A value is missing before ${next}.`)
        if (next === "'") return issue('Texts are in double quotes.')
        return issue('This is no value: texts are in double quotes.')
      }
      at = LITERAL.lastIndex
    }
    wants = 'end'
  }
}
