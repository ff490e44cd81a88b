// Names constructs of other regex engines that are unsupported here, for error texts only.

const GROUPS: readonly (readonly [start: RegExp, name: string])[] = [
  [/^\(\?\(/, 'a conditional group'],
  [/^\(\?(?:P>|&|R\b|\d)/, 'a subroutine call'],
  [/^\(\?[a-zA-Z-]{0,20}[uR][a-zA-Z-]{0,20}[:)]/, 'the flags u and R'],
]

const ESCAPES: readonly (readonly [start: RegExp, name: string])[] = [
  [/^\\[<>]|^\\b\{/, 'a mark for the start or end of a word'],
  [/^\\0/, 'an octal escape'],
  [/^\\[QE]/, 'quoting with \\Q'],
  [/^\\[GKORXyYZ]/, 'the escape'],
]

const REPETITION = /^(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d*)\})/
const PROPERTY = /\\[pP]\{[^{}]*\}/

/**
 * Returns the construct of a pattern that is valid elsewhere and not supported here, or null when none is found.
 * @param pattern one that the engines reject
 */
export function unsupportedIn(pattern: string): string | null {
  let at = 0
  while (at < pattern.length) {
    const rest = pattern.slice(at, at + 100)
    if (rest[0] === '\\') {
      const name = nameOf(ESCAPES, rest)
      if (name !== null) return name === 'the escape' ? `${name} ${rest.slice(0, 2)}` : name
      at += 2
    } else if (rest[0] === '[') {
      const end = endOfClass(pattern, at)
      if (end === null) return 'a class inside a class, or an operation on classes'
      at = end
    } else if (rest[0] === '(') {
      const name = nameOf(GROUPS, rest)
      if (name !== null) return name
      at += rest[1] === '?' ? 2 : 1
    } else {
      const repetition = REPETITION.exec(rest)?.[0]
      if (repetition === undefined || at === 0) {
        at += 1
        continue
      }
      const after = rest.slice(repetition.length)
      const lazy = after[0] === '?' || after[0] === '+' ? 1 : 0
      if (REPETITION.test(after.slice(lazy))) return 'a repeated repetition'
      at += repetition.length + lazy
    }
  }
  const property = PROPERTY.exec(pattern)?.[0]
  return property === undefined ? null : `the Unicode property ${property.slice(0, MAX_SHOWN)}`
}

const MAX_SHOWN = 50

const nameOf = (constructs: typeof GROUPS, rest: string): string | null =>
  constructs.find(([start]) => start.test(rest))?.[1] ?? null

/** Returns the position after a class, or null for one with classes or operations inside. An unclosed class ends with the pattern. */
function endOfClass(pattern: string, start: number): number | null {
  let at = start + 1
  if (pattern[at] === '^') at += 1
  if (pattern[at] === ']') at += 1
  while (at < pattern.length && pattern[at] !== ']') {
    if (pattern[at] === '\\') at += 2
    else if (/^\[:\^?[a-z]+:\]/.test(pattern.slice(at, at + 20))) at = pattern.indexOf(']', at) + 1
    // `[[` that never ends is malformed.
    else if (pattern[at] === '[') return pattern.includes(']', at) ? null : pattern.length
    else if (/^(?:&&|--|~~)/.test(pattern.slice(at, at + 2))) return null
    else at += 1
  }
  return at + 1
}
