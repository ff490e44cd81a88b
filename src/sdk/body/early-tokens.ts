// Finds tokens at the start of a large body, so that unknown ones are rejected before the rest is inflated.

const NAMES = new Set(['token', 'api_key', '$token'])
/** Maximum tokens that are found, because each costs a query. Clients send one. */
const MAX_TOKENS = 3
/** Maximum depth of a token, which is that of properties of an event in a list. */
const MAX_LEVELS = 3

interface Level {
  readonly isArray: boolean
  index: number
  /** The name of the current member of an object. It is null before the first one. */
  name: string | null
}

/**
 * Returns the tokens in a prefix of JSON text, in document order. It stops at invalid JSON.
 * @param inEvents whether tokens may also be in the first event of a list, and in properties of an event
 */
export function tokensAtStart(start: string, inEvents: boolean): readonly string[] {
  const tokens: string[] = []
  const levels: Level[] = []
  for (let at = 0; at < start.length; at += 1) {
    const level = levels.at(-1)
    switch (start[at]) {
      case '{':
      case '[':
        levels.push({ isArray: start[at] === '[', index: 0, name: null })
        break
      case '}':
      case ']':
        levels.pop()
        break
      case ',':
        if (level) Object.assign(level, { index: level.index + 1, name: null })
        break
      case '"': {
        const text = stringAt(start, at)
        if (text === null) return tokens
        at += text.length - 1
        if (!level || level.isArray || levels.length > MAX_LEVELS) break
        if (level.name === null) level.name = parsed(text)
        else if (isTokenPlace(levels, inEvents)) tokens.push(parsed(text))
        if (tokens.length === MAX_TOKENS) return tokens
        break
      }
      default:
    }
  }
  return tokens
}

/** Returns a string with its quotes, or null when it is not terminated. */
function stringAt(text: string, start: number): string | null {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return text.slice(start, at + 1)
    if (text[at] === '\\') at += 1
  }
  return null
}

function parsed(text: string): string {
  try {
    return JSON.parse(text) as string
  } catch {
    return ''
  }
}

function isTokenPlace(levels: readonly Level[], inEvents: boolean): boolean {
  const [outer, ...inner] = levels
  const isList = outer!.isArray
  if (isList && (!inEvents || outer!.index > 0)) return false
  const [event, properties, ...deeper] = isList ? inner : levels
  if (!event || deeper.length > 0) return false
  if (!properties) return NAMES.has(event.name ?? '')
  return inEvents && event.name === 'properties' && NAMES.has(properties.name ?? '')
}
