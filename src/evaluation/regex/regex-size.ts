// Estimates the compiled size of a pattern before the engine compiles it.
import { nextStep, type RegexStep } from './regex-dialect'

/** The flags, name or look-behind at the start of a group. */
const GROUP_HEAD = /\?(?:P?<[\w.[\]]*>|<[=!]|[A-Za-z-]*(?<close>[:)])|[=!>])/y
const REPETITION = /\{(?=[\d,])(\d{0,8})(,?)(\d{0,8})\}/y

/** The number of ranges in a class that count as one instruction. */
const RANGES_PER_UNIT = 40
/**
 * The number of code points that count as one instruction where case is ignored, because the engine then iterates over the code points of
 * a range.
 */
const POINTS_PER_UNIT = 128
const IGNORES_CASE = /\(\?[A-Za-z]*i/
/** Approximately the last code point with two cases. The engine iterates no further. */
const MAX_FOLDED_POINTS = 0x1e943

/** Instructions that a group adds to its content. */
const UNITS_TO_CAPTURE = 2
const UNITS_TO_LOOK_BEHIND = 5
/** Instructions that an alternative adds: the choice, and a placeholder for an empty one. */
const UNITS_OF_A_BRANCH = 2
/** Instructions that a loop or an option adds to its body. */
const UNITS_OF_A_LOOP = 2

/** An open group: the size of its complete items, and that of the last item, which a repetition may follow. */
interface Group {
  size: number
  last: number
  /** The instructions that the group itself adds. */
  readonly own: number
}

const openGroup = (head = ''): Group => ({ size: 0, last: 0, own: ownUnits(head) })

function ownUnits(head: string): number {
  if (head.endsWith(':')) return 0
  return /^\?<[=!]/.test(head) ? UNITS_TO_LOOK_BEHIND : UNITS_TO_CAPTURE
}

/**
 * Returns an upper bound of the instructions that the engine makes of a pattern, with repetitions written out, and classes weighed by
 * their ranges. It takes one pass. An invalid pattern gets a size as well, and the engine rejects it later.
 */
export function programSizeOf(pattern: string): number {
  const open: Group[] = []
  let group = openGroup()
  const ignoresCase = IGNORES_CASE.test(pattern)
  const append = (size: number): void => {
    group.size += group.last
    group.last = size
  }
  for (let at = 0; at < pattern.length;) {
    switch (pattern[at]) {
      case '(': {
        const head = matchAt(GROUP_HEAD, pattern, at + 1)
        at += 1 + (head?.[0].length ?? 0)
        if (head?.groups?.close === ')') break
        open.push(group)
        group = openGroup(head?.[0])
        break
      }
      case ')': {
        const inner = group
        group = open.pop() ?? openGroup()
        append(Math.max(1, inner.size + inner.last) + inner.own)
        at += 1
        break
      }
      case '|':
        append(UNITS_OF_A_BRANCH)
        at += 1
        break
      case '*':
      case '+':
      case '?':
        group.last += UNITS_OF_A_LOOP
        at += 1
        break
      case '{': {
        const repetition = matchAt(REPETITION, pattern, at)
        if (repetition) group.last = repeated(group.last, repetition)
        else append(1)
        // ClickHouse's dialect has it as text.
        if (repetition?.[1] === '') group.last += repetition[0].length
        at += repetition?.[0].length ?? 1
        break
      }
      default: {
        const step = nextStep(pattern, at)
        append(step === null ? 1 : sizeOf(step, ignoresCase))
        at += step?.length ?? 1
      }
    }
  }
  // Groups that are not closed count, too. The program begins and ends with an instruction of its own, and an empty one has one between.
  return [...open, group].reduce((total, { size, last }) => total + size + last, 3)
}

function sizeOf({ ranges = 1, points = 0 }: RegexStep, ignoresCase: boolean): number {
  const folded = ignoresCase ? Math.min(points, MAX_FOLDED_POINTS) / POINTS_PER_UNIT : 0
  return 1 + Math.floor(ranges / RANGES_PER_UNIT + folded)
}

function repeated(size: number, [, least, comma, most]: RegExpExecArray): number {
  const min = Number(least)
  const max = comma === '' ? min : most === '' ? null : Number(most)
  return max === null
    ? Math.max(min, 1) * size + UNITS_OF_A_LOOP
    : Math.max(min, max, 1) * size + Math.max(max - min, 0) + UNITS_OF_A_LOOP
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at
  return sticky.exec(text)
}
