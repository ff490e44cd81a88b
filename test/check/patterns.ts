// Checks that regular expressions take time in proportion to the text: those of the Worker, of commands, and of the console, which shows
// texts of other members. The tools of the build are not checked, because they read only this project's files.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { MEASURED } from './measured-patterns'

const FILES = 'src/**/*.{ts,tsx}'
const BUILD = 'src/cli/build/'
/** Files of patterns that run where documents are generated. */
const GENERATORS = new Set(
  ['collect', 'compatibility-table', 'functions-guide'].map((name) => `src/docs/${name}.ts`),
)
/** A check that takes longer fails, and the pattern is measured instead. */
const MAX_CHECK_MS = 120_000

export interface Pattern {
  /** The position in the code: `src/json.ts:12`. */
  place: string
  source: string
  flags: string
}

/** Returns the patterns of a file. A pattern that is made of a text has the call as its source. */
export function patternsIn(file: string, text: string): Pattern[] {
  const found: Pattern[] = []
  const add = (start: number, source: string, flags: string) => {
    found.push({ place: `${file}:${text.slice(0, start).split('\n').length}`, source, flags })
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex) add(node.start, node.regex.pattern, node.regex.flags)
    },
    NewExpression({ callee, arguments: args, start }) {
      if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
      const [source] = args
      add(start, `new RegExp(${source ? text.slice(source.start, source.end) : ''})`, '')
    },
  }).visit(parseSync(file, text).program)
  return found
}

/** Counts the unbounded repetitions of a source, and says whether each repeats a single character or set. */
function repetitionsIn(source: string): { count: number; isSimple: boolean; hasChoice: boolean } {
  let [count, isSimple, hasChoice, depth, before] = [0, true, false, 0, '']
  // Escapes and sets are one character each.
  const plain = source.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, 'x')
  for (let at = 0; at < plain.length; at += 1) {
    const character = plain[at]!
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === '|' && depth === 0) hasChoice = true
    // Repeating a group repeats everything in it.
    if (character === '{' && before === ')') isSimple = false
    if (character === '*' || character === '+' || /^\{\d+,\}/.test(plain.slice(at, at + 20))) {
      count += 1
      if (before === ')') isSimple = false
    }
    before = character
  }
  return { count, isSimple, hasChoice }
}

/**
 * Returns whether a pattern is harmless: it has no repetition, or one of a character from a known position, so that each position has one
 * attempt of bounded length.
 */
function isPlain({ source, flags }: Pattern): boolean {
  const { count, isSimple, hasChoice } = repetitionsIn(source)
  if (count === 0) return true
  const isAnchored = flags.includes('y') || (source.startsWith('^') && !flags.includes('m') && !hasChoice)
  return count === 1 && isSimple && isAnchored
}

/** Returns the problem of a pattern, or null when it takes linear time. */
export async function faultOf(pattern: Pattern): Promise<string | null> {
  if (pattern.source in MEASURED) {
    const test = `test/${MEASURED[pattern.source]}.test.ts`
    return existsSync(test) ? null : `there is no ${test}`
  }
  if (pattern.source.startsWith('new RegExp(')) return 'it is made of a text'
  if (isPlain(pattern)) return null
  // Only the JavaScript backend is installed.
  process.env.RECHECK_SYNC_BACKEND = 'pure'
  const { checkSync } = await import('recheck')
  const found = checkSync(pattern.source, pattern.flags, { checker: 'automaton', timeout: MAX_CHECK_MS })
  if (found.status === 'unknown') return `recheck cannot tell: ${JSON.stringify(found.error)}`
  return found.status === 'safe' ? null : `it takes ${found.complexity.summary} time`
}

/** @throws Error that lists the patterns that may take more than linear time, and the entries of `MEASURED` that no file has */
export async function checkPatterns(): Promise<void> {
  const patterns = globSync(FILES)
    .filter((file) => !file.endsWith('.d.ts') && !file.startsWith(BUILD) && !GENERATORS.has(file))
    .flatMap((file) => patternsIn(file, readFileSync(file, 'utf8')))
  const faults: string[] = []
  const seen = new Set<string>()
  for (const pattern of patterns) {
    const key = `/${pattern.source}/${pattern.flags}`
    if (seen.has(key)) continue
    seen.add(key)
    const fault = await faultOf(pattern)
    if (fault !== null) faults.push(`${pattern.place}: ${key}: ${fault}`)
  }
  const known = new Set(patterns.map(({ source }) => source))
  for (const source of Object.keys(MEASURED)) {
    if (!known.has(source)) faults.push(`no file has the measured pattern ${source}`)
  }
  if (faults.length > 0) throw new Error(faults.join('\n'))
}
