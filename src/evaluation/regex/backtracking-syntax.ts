// Parses patterns for the backtracking matcher: upstream's dialect, with everything for which regex-dialect.ts has no counterpart.
import {
  characterClass,
  type CharacterClass,
  type CharacterTest,
  letterTest,
  testOf,
  unitsOfLetter,
} from './character-sets'
import { MAX_REGEX_PROGRAM, MAX_TRANSLATION, type RegexProblem } from './regex'
import { nextStep } from './regex-dialect'

export type Assertion = (text: string, place: number) => boolean

export type Node =
  | { kind: 'empty' }
  /** A test may take steps besides one. */
  | { kind: 'character'; test: CharacterTest; extraSteps?: number }
  | { kind: 'assert'; holds: Assertion }
  | { kind: 'reference'; group: number; ignoresCase: boolean }
  | { kind: 'sequence' | 'choice'; nodes: Node[] }
  | { kind: 'group'; index: number; node: Node }
  | { kind: 'look'; behind: boolean; negative: boolean; node: Node }
  | { kind: 'atomic'; node: Node }
  | { kind: 'repeat'; node: Node; min: number; max: number | null; lazy: boolean }

interface Flags {
  ignoresCase: boolean
  multiline: boolean
  dotAll: boolean
  /** The flag x, with which white space and comments are ignored. */
  extended: boolean
  /** The flag U, with which repetitions are lazy, and `?` makes them greedy. */
  lazy: boolean
}

const FLAGS: Readonly<Record<string, keyof Flags>> = {
  i: 'ignoresCase',
  m: 'multiline',
  s: 'dotAll',
  x: 'extended',
  U: 'lazy',
}

/** Maximum nesting of groups, and the maximum count of a repetition. */
const MAX_DEPTH = 200
const MAX_REPEAT = 1_000

class Malformed extends Error {}
class TooLarge extends Error {}

export interface ParsedPattern {
  root: Node
  /** The number of groups. */
  groups: number
  /** The units of compiling its classes, which count like instructions. */
  units: number
}

/** @returns the tree, or the error; unsupported constructs are `invalid` */
export function parsePattern(pattern: string): ParsedPattern | RegexProblem {
  try {
    return new Parser(pattern).parse()
  } catch (error) {
    if (error instanceof Malformed) return 'invalid'
    if (error instanceof TooLarge) return 'too large'
    throw error
  }
}

const WORD = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200C\u200D]/u
const isWordAt = (text: string, place: number): boolean => {
  const code = text.codePointAt(place)
  return code !== undefined && WORD.test(String.fromCodePoint(code))
}
const isWordBefore = (text: string, place: number): boolean =>
  place > 0 && isWordAt(text, place - ((text.codePointAt(place - 2) ?? 0) > 0xffff && place > 1 ? 2 : 1))
const isBoundary: Assertion = (text, place) => isWordBefore(text, place) !== isWordAt(text, place)
const isStart: Assertion = (_, place) => place === 0
const isEnd: Assertion = (text, place) => place === text.length
const isLineStart: Assertion = (text, place) => place === 0 || text[place - 1] === '\n'
const isLineEnd: Assertion = (text, place) => place === text.length || text[place] === '\n'

const ESCAPED: Readonly<Record<string, Assertion>> = {
  A: isStart,
  z: isEnd,
  b: isBoundary,
  B: (text, place) => !isBoundary(text, place),
}

const NAME = /[A-Za-z_][\w.[\]]*/y
const REPETITION = /\{(?:(\d+)(?:(,)(\d*))?|,(\d*))\}/y
const REFERENCE = /\\(?:([1-9]\d?)|k(?:<([^>]+)>|'([^']+)'|\{([^}]+)\}))|\(\?P=(\w+)\)/y
const GROUP_FLAGS = /\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])/y

class Parser {
  readonly #pattern: string
  #at = 0
  #depth = 0
  #groups = 0
  #units = 0
  /** Nodes of classes and letters by their text. A pattern compiles each once. */
  readonly #sets = new Map<string, Node>()
  readonly #names = new Map<string, number>()
  readonly #references: { node: Extract<Node, { kind: 'reference' }>; name: string }[] = []
  #flags: Flags = { ignoresCase: false, multiline: false, dotAll: false, extended: false, lazy: false }

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  parse(): ParsedPattern {
    const root = this.#choice()
    if (this.#at < this.#pattern.length) throw new Malformed()
    for (const { node, name } of this.#references) {
      const group = this.#names.get(name) ?? (/^\d+$/.test(name) ? Number(name) : 0)
      if (group < 1 || group > this.#groups) throw new Malformed()
      node.group = group
    }
    return { root, groups: this.#groups, units: this.#units }
  }

  #match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at
    const found = sticky.exec(this.#pattern)
    if (found) this.#at += found[0].length
    return found
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  /** Parses alternatives up to the end of the group. Flags that are set inside end with it. */
  #choice(): Node {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new TooLarge()
    const flags = this.#flags
    const nodes = [this.#sequence()]
    while (this.#take('|')) nodes.push(this.#sequence())
    this.#flags = flags
    this.#depth -= 1
    return nodes.length === 1 ? nodes[0]! : { kind: 'choice', nodes }
  }

  #sequence(): Node {
    const nodes: Node[] = []
    for (;;) {
      this.#skipIgnored()
      const next = this.#pattern[this.#at]
      if (next === undefined || next === '|' || next === ')') return { kind: 'sequence', nodes }
      const node = this.#item()
      if (node !== null) nodes.push(this.#repeated(node))
    }
  }

  /** Skips comments, and what the flag x makes the engine ignore. */
  #skipIgnored(): void {
    for (;;) {
      if (this.#pattern.startsWith('(?#', this.#at)) {
        const end = this.#pattern.indexOf(')', this.#at)
        if (end < 0) throw new Malformed()
        this.#at = end + 1
      } else if (!this.#flags.extended || !this.#match(/\s+|#[^\n]*/y)) return
    }
  }

  #repeated(node: Node): Node {
    this.#skipIgnored()
    const bounds = this.#bounds()
    if (bounds === null) return node
    const [min, max] = bounds
    if (max !== null && max < min) throw new Malformed()
    if (min > MAX_REPEAT || (max ?? 0) > MAX_REPEAT) throw new TooLarge()
    if (this.#take('+')) return { kind: 'atomic', node: { kind: 'repeat', node, min, max, lazy: false } }
    const lazy = this.#take('?') !== this.#flags.lazy
    if (
      /[*+?]/.test(this.#pattern[this.#at] ?? '') ||
      /^\{(?:\d+(?:,\d*)?|,\d*)\}/.test(this.#pattern.slice(this.#at, this.#at + 20))
    )
      throw new Malformed()
    return { kind: 'repeat', node, min, max, lazy }
  }

  #bounds(): [min: number, max: number | null] | null {
    if (this.#take('*')) return [0, null]
    if (this.#take('+')) return [1, null]
    if (this.#take('?')) return [0, 1]
    const found = this.#match(REPETITION)
    if (!found) return null
    const [, min, comma, max, upTo] = found
    if (min === undefined) return [0, upTo === '' ? null : Number(upTo)]
    return [Number(min), comma === undefined ? Number(min) : max === '' ? null : Number(max)]
  }

  /** Returns null for flags, which have no node. */
  #item(): Node | null {
    const { multiline, dotAll } = this.#flags
    switch (this.#pattern[this.#at]) {
      case '(':
        return this.#reference() ?? this.#group()
      case '^':
        this.#at += 1
        return { kind: 'assert', holds: multiline ? isLineStart : isStart }
      case '$':
        this.#at += 1
        return { kind: 'assert', holds: multiline ? isLineEnd : isEnd }
      case '.':
        this.#at += 1
        return { kind: 'character', test: dotAll ? () => true : (character) => character !== '\n' }
      case '*':
      case '+':
      case '?':
        throw new Malformed()
      case '\\':
        return this.#reference() ?? this.#escape()
      case '[':
        return this.#set()
      default: {
        const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at)!)
        this.#at += character.length
        return this.#literal(character)
      }
    }
  }

  #literal(character: string): Node {
    if (!this.#flags.ignoresCase) return { kind: 'character', test: (other) => other === character }
    if (character.toLowerCase() === character.toUpperCase())
      return { kind: 'character', test: (other) => other === character }
    return this.#once(character, () => {
      this.#count(unitsOfLetter(character))
      return { kind: 'character', test: letterTest(literal(character)) }
    })
  }

  /** Returns the node of a class or a letter, which is made at its first use with these flags. */
  #once(text: string, make: () => Node): Node {
    const key = `${this.#flags.ignoresCase ? 'i' : ' '}${text}`
    const known = this.#sets.get(key) ?? make()
    this.#sets.set(key, known)
    return known
  }

  /** Counts the units of a test before it is compiled. */
  #count(units: number): void {
    this.#units += units
    if (this.#units > MAX_REGEX_PROGRAM) throw new TooLarge()
  }

  #reference(): Node | null {
    const found = this.#match(REFERENCE)
    if (!found) return null
    const name = found.slice(1).find((each) => each !== undefined)!
    const node = { kind: 'reference' as const, group: 0, ignoresCase: this.#flags.ignoresCase }
    this.#references.push({ node, name })
    return node
  }

  #group(): Node | null {
    this.#at += 1
    for (const [start, behind, negative] of LOOKS)
      if (this.#take(start)) return { kind: 'look', behind, negative, node: this.#body() }
    if (this.#take('?>')) return { kind: 'atomic', node: this.#body() }
    if (this.#take('?P<') || this.#take('?<')) {
      const name = this.#match(NAME)?.[0]
      if (name === undefined || !this.#take('>') || this.#names.has(name)) throw new Malformed()
      return this.#captured(name)
    }
    const flags = this.#match(GROUP_FLAGS)
    if (!flags) {
      if (this.#pattern[this.#at] === '?') throw new Malformed()
      return this.#captured()
    }
    const [, on = '', off = '', end] = flags
    const changed = { ...this.#flags }
    for (const letter of on) changed[flagOf(letter)] = true
    for (const letter of off) changed[flagOf(letter)] = false
    if (end === ')') {
      if (on + off === '') throw new Malformed()
      this.#flags = changed
      return null
    }
    const outer = this.#flags
    this.#flags = changed
    const node = this.#body()
    this.#flags = outer
    return node
  }

  #captured(name?: string): Node {
    this.#groups += 1
    const index = this.#groups
    if (name !== undefined) this.#names.set(name, index)
    return { kind: 'group', index, node: this.#body() }
  }

  #body(): Node {
    const node = this.#choice()
    if (!this.#take(')')) throw new Malformed()
    return node
  }

  #escape(): Node {
    const assertion = ESCAPED[this.#pattern[this.#at + 1] ?? '']
    if (assertion && this.#pattern[this.#at + 2] !== '{') {
      this.#at += 2
      return { kind: 'assert', holds: assertion }
    }
    return this.#set()
  }

  /** Parses an escape or a class: a set of characters, which is a RegExp that tests one character. */
  #set(): Node {
    const step = nextStep(this.#pattern, this.#at)
    if (step === null) throw new Malformed()
    this.#at += step.length
    const { text } = step
    const single = step.code === undefined || step.ranges !== undefined ? null : step.code
    const isClass = text.startsWith('[')
    if (!isClass && single !== null) return this.#literal(characterOf(text, single))
    if (text.length > MAX_TRANSLATION) throw new TooLarge()
    return this.#once(text, () => {
      const set = classOf(isClass ? text : `[${text}]`)
      this.#count(set.units)
      try {
        return { kind: 'character', ...testOf(set, this.#flags.ignoresCase) }
      } catch {
        throw new Malformed()
      }
    })
  }
}

const LOOKS = [
  ['?=', false, false],
  ['?!', false, true],
  ['?<=', true, false],
  ['?<!', true, true],
] as const

function flagOf(letter: string): keyof Flags {
  const flag = FLAGS[letter]
  if (!flag) throw new Malformed()
  return flag
}

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 }

/** Returns the character of a translated escape. */
function characterOf(text: string, code: number): string {
  const control = text.length === 2 ? CONTROLS[text[1]!] : undefined
  const point = control ?? code
  if (point > 0x10ffff) throw new Malformed()
  return String.fromCodePoint(point)
}

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\0-\\x7F',
  blank: '\\t ',
  cntrl: '\\0-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t-\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}
const NEGATED_POSIX = /\[:\^/

const PART = /\\x\{([0-9A-Fa-f]+)\}|\\([pP])(?:\{(\^?)([^}]*)\}|([A-Za-z]))|\[:([a-z]+):\]|\\(.)|([\s\S])/suy

/** Writes a class of the engine's dialect (`toEngineDialect`) as JavaScript has it. */
function classOf(text: string): CharacterClass {
  if (NEGATED_POSIX.test(text)) throw new Malformed()
  const inner = text.slice(1, -1)
  const isNegated = inner.startsWith('^')
  let source = ''
  const properties = new Map<string, string>()
  PART.lastIndex = isNegated ? 1 : 0
  while (PART.lastIndex < inner.length) {
    const [, hex, letter, negation, name, short, posix, escaped, plain] = PART.exec(inner)!
    if (hex !== undefined) source += `\\u{${hex}}`
    else if (letter !== undefined) source += propertyIn(properties, letter, negation ?? '', name ?? short!)
    else if (posix !== undefined) source += POSIX[posix] ?? malformed()
    else if (escaped !== undefined)
      source +=
        CONTROLS[escaped] === undefined ? literal(escaped) : literal(String.fromCharCode(CONTROLS[escaped]))
    // A hyphen between two characters makes a range, in both dialects.
    else source += plain === '-' ? '-' : literal(plain!)
  }
  return characterClass(hyphensEscaped(source), isNegated)
}

/** Maximum different properties of a class: more than `\W` has, and than a pattern may count. */
const MAX_PROPERTIES = 40

/** Returns the source of a property. A class looks each up once. */
function propertyIn(known: Map<string, string>, letter: string, negation: string, name: string): string {
  const key = `${letter}${negation}${name}`
  const source = known.get(key) ?? propertyOf(letter, negation, name)
  known.set(key, source)
  if (known.size > MAX_PROPERTIES) throw new TooLarge()
  return source
}

/** Escapes a hyphen at the start or the end, or next to a set, where it stands for itself. */
const hyphensEscaped = (source: string): string =>
  source
    .replace(/^-/, '\\-')
    .replace(/-$/, '\\-')
    .replace(/(\\[pP]\{[^{}]*\})-/g, '$1\\-')
    .replace(/-(?=\\[pP])/g, '\\-')

const literal = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`

const malformed = (): never => {
  throw new Malformed()
}

function propertyOf(letter: string, negation: string, name: string): string {
  const isNegated = (letter === 'P') !== (negation === '^')
  for (const written of [name, `Script=${name}`]) {
    try {
      const source = `\\${isNegated ? 'P' : 'p'}{${written}}`
      new RegExp(`^${source}$`, 'u').test('')
      return source
    } catch {
      // JavaScript does not know the property by this name.
    }
  }
  return malformed()
}
