// Finds the position of a part of a JSON text. The functions are pure.

export interface Place {
  from: number
  to: number
}

type Path = readonly string[]

/**
 * Returns the path that a message about a query names: `query.series.0.math: …`, `series[0].math is not supported …`. It is empty for none.
 */
export function pathIn(message: string): Path {
  const [, written = ''] =
    /(?:^|- )(?:query\.)?([A-Za-z]\w*(?:\.\w+|\[\d+\])*)(?::| '| is not )/.exec(message) ?? []
  return written.split(/[.[\]]+/).filter(Boolean)
}

/** Returns the position of the value at a path of a valid JSON text, or of the innermost one around it; null for the whole text. */
export function placeOf(text: string, path: Path): Place | null {
  let at = 0
  let found: Place | null = null
  const space = () => {
    while (/\s/.test(text[at] ?? '')) at += 1
  }
  const word = () => {
    const start = at
    if (text[at] === '"') {
      at += 1
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
      at += 1
    } else while (/[^\s,\]}]/.test(text[at] ?? '')) at += 1
    return text.slice(start, at)
  }
  /** @param rest the rest of the path; null for values outside of it */
  const value = (rest: Path | null, depth: number): void => {
    space()
    const from = at
    const open = text[at]
    if (open !== '{' && open !== '[') word()
    else {
      at += 1
      for (let index = 0; at < text.length; index += 1) {
        space()
        if (text[at] === '}' || text[at] === ']') break
        let key = String(index)
        if (open === '{') {
          key = JSON.parse(word()) as string
          space()
          at += 1
        }
        value(rest !== null && rest[0] === key ? rest.slice(1) : null, depth + 1)
        space()
        if (text[at] === ',') at += 1
      }
      at += 1
    }
    // Inner values end first, so that the first one on the path is the innermost.
    if (rest !== null && depth > 0) found ??= { from, to: at }
  }
  value(path, 0)
  return found
}
