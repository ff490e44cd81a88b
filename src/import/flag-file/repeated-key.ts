// Finds keys that JSON text repeats.
import { endOfString } from '../../http/body/json-size'

/**
 * Returns the first key that one object has twice, of which `JSON.parse` keeps the last value.
 * @param text valid JSON
 */
export function repeatedKeyIn(text: string): string | null {
  const open: Set<string>[] = []
  let last = ''
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"': {
        const start = at
        at = endOfString(text, at)
        last = text.slice(start, at + 1)
        break
      }
      case ':': {
        const key = JSON.parse(last) as string
        if (open.at(-1)!.has(key)) return key
        open.at(-1)!.add(key)
        break
      }
      case '{':
        open.push(new Set())
        break
      case '}':
        open.pop()
        break
      default:
    }
  }
  return null
}
