// Sets of characters as JavaScript tests them. V8 takes milliseconds to compile a Unicode property, so that patterns share the tests.
import { LruCache } from '../../lru-cache'
import { NOT_WORD, WORD } from './regex-dialect'

/** Units of compiling a test: one takes 5 to 10 µs, like an instruction of a pattern (`MAX_REGEX_PROGRAM`). */
const UNITS_OF_A_TEST = 40
/** Units of a Unicode property, whose ranges V8 compiles twice. */
const UNITS_OF_A_PROPERTY = 500

/** Maximum units of the tests that are kept. */
const MAX_CACHED_UNITS = 40_000

const javaScriptOf = (items: string): string => items.replace(/\\x\{([0-9A-Fa-f]+)\}/g, '\\u{$1}')

const WORD_SOURCE = javaScriptOf(WORD)

/** The sets of `\w`, `\W`, `\d` and `\D`, which every isolate compiles at most once. A pattern counts nothing for them. */
const COMMON = new Set([WORD_SOURCE, javaScriptOf(NOT_WORD), '\\p{Nd}', '\\P{Nd}'])

const escaped = (text: string): string => text.replace(/[\\{}]/g, '\\$&')
/** Matches the common sets and the properties in the source of a class. After `\w`, a hyphen would begin a range. */
const SHARED = new RegExp(
  `${escaped(WORD_SOURCE)}(?!-)|${escaped(javaScriptOf(NOT_WORD))}|\\\\[pP]\\{[^{}]*\\}`,
  'g',
)

/** The content of a class, without brackets: the sets that patterns share, and the other items. */
export interface CharacterClass {
  readonly isNegated: boolean
  readonly shared: readonly string[]
  readonly rest: string
  /** The units of compiling the other items, and of the whole class except for common sets. */
  readonly restUnits: number
  readonly units: number
}

const ITEM = /\\u\{[0-9a-fA-F]+\}|\\.|[\s\S]/g

/** @param source the items of the class, in JavaScript's syntax */
export function characterClass(source: string, isNegated: boolean): CharacterClass {
  const shared = new Set<string>()
  const rest = source.replace(SHARED, (set) => {
    shared.add(set)
    return ''
  })
  const restUnits = rest === '' ? 0 : UNITS_OF_A_TEST + (rest.match(ITEM)?.length ?? 0)
  const named = [...shared].filter((set) => !COMMON.has(set)).length
  return {
    isNegated,
    shared: [...shared],
    rest,
    restUnits,
    units: restUnits + named * UNITS_OF_A_PROPERTY,
  }
}

const common = new Map<string, RegExp>()
const tests = new LruCache<string, RegExp>(MAX_CACHED_UNITS)
let compiled = 0

/** Returns the units of all tests that this isolate has compiled. */
export const compiledUnits = (): number => compiled

/** Returns the test of the items of a class. @param units of compiling it */
function sharedTest(items: string, ignoresCase: boolean, units: number): RegExp {
  const key = `${ignoresCase ? 'i' : ' '}${items}`
  const known = common.get(key) ?? tests.get(key)
  if (known !== undefined) return known
  const test = new RegExp(`^[${items}]$`, ignoresCase ? 'iu' : 'u')
  // V8 compiles at first use, for Latin-1 and for other text separately.
  for (const text of ['a', '\u4e00']) test.test(text)
  compiled += units
  if (COMMON.has(items)) common.set(key, test)
  else tests.set(key, test, units)
  return test
}

export type CharacterTest = (character: string) => boolean

/** Tests that one step pays for. */
const TESTS_PER_STEP = 4

/**
 * Returns the test of whether a character belongs to a class, and the steps that it takes besides one.
 * @throws SyntaxError for a range in the wrong order
 */
export function testOf(
  { isNegated, shared, rest, restUnits }: CharacterClass,
  ignoresCase: boolean,
): { test: CharacterTest; extraSteps: number } {
  const parts = shared.map((set) => sharedTest(set, ignoresCase, UNITS_OF_A_PROPERTY))
  if (rest !== '') parts.unshift(sharedTest(rest, ignoresCase, restUnits))
  const [only] = parts
  return {
    test:
      parts.length === 1
        ? (character) => only!.test(character) !== isNegated
        : (character) => parts.some((part) => part.test(character)) !== isNegated,
    extraSteps: Math.floor(parts.length / TESTS_PER_STEP),
  }
}

/** Units of a letter that matches in both cases. Those of ASCII are few. */
export const unitsOfLetter = (letter: string): number => (letter < '\u0080' ? 0 : UNITS_OF_A_TEST)

/** Returns the test of whether a character is a letter, in either case. @param source in JavaScript's syntax */
export function letterTest(source: string): CharacterTest {
  const test = sharedTest(source, true, UNITS_OF_A_TEST)
  return (character) => test.test(character)
}
