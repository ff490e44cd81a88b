// A backtracking matcher for patterns with look-around, back-references, atomic groups and possessive repetition. Its steps are counted.
// Past their limit there is no result, as upstream.
import type { EvaluationBudget } from '../budget'
import { CHARACTER, END, Emitter, type Instruction, type Program } from './backtracking-program'
import { parsePattern } from './backtracking-syntax'
import { MAX_REGEX_LENGTH, MAX_REGEX_PROGRAM, MAX_REGEX_TEXT, type RegexProblem } from './regex'

/** Maximum instructions that one search executes: some 30 ms. Upstream stops after 10,000 returns to an earlier choice. */
export const MAX_BACKTRACKING_STEPS = 1_000_000

export { compiledUnits } from './character-sets'

/** Maximum choices that are open at the same time. Each takes 24 bytes. */
const MAX_CHOICES = 200_000

const BYTES_OF_A_REGEX = 1_000
const BYTES_PER_INSTRUCTION = 150

class StepLimit extends Error {}

export class BacktrackingRegex {
  /** The number of instructions, with the units of compiling classes. */
  readonly size: number
  readonly #program: Program

  constructor(program: Program, units: number) {
    this.size = program.instructions.length + units
    this.#program = program
  }

  get bytes(): number {
    return BYTES_OF_A_REGEX + BYTES_PER_INSTRUCTION * this.size
  }

  /** Whether a text contains a match. Returns null without a result: the text is too long, or a limit of steps is exceeded. */
  search(text: string, budget: EvaluationBudget): boolean | null {
    if (text.length > MAX_REGEX_TEXT) return null
    const allowed = Math.min(MAX_BACKTRACKING_STEPS, budget.left)
    const machine = new Machine(this.#program, text, allowed)
    try {
      return machine.search()
    } catch (error) {
      if (!(error instanceof StepLimit)) throw error
      if (allowed < MAX_BACKTRACKING_STEPS) budget.exceed()
      else budget.stop()
      return null
    } finally {
      budget.giveBack(-machine.steps)
    }
  }
}

/** @returns the compiled pattern, or its error */
export function compileBacktracking(pattern: string): BacktrackingRegex | RegexProblem {
  if (pattern.length > MAX_REGEX_LENGTH) return 'too large'
  const parsed = parsePattern(pattern)
  if (typeof parsed === 'string') return parsed
  const program = new Emitter(MAX_REGEX_PROGRAM - parsed.units).emit(parsed)
  return program === null ? 'too large' : new BacktrackingRegex(program, parsed.units)
}

class Machine {
  steps = 0
  readonly #instructions: readonly Instruction[]
  readonly #text: string
  readonly #allowed: number
  /** Starts and ends of groups, then positions at which loops began. -1 means unset. */
  readonly #slots: Int32Array
  /** Slots, each with the value that it had before it was set. */
  readonly #trail: number[] = []
  /** Choices as triples: instruction, position, length of the trail. */
  readonly #choices: number[] = []

  constructor({ instructions, slots }: Program, text: string, allowed: number) {
    this.#instructions = instructions
    this.#text = text
    this.#allowed = allowed
    this.#slots = new Int32Array(slots).fill(-1)
  }

  search(): boolean {
    for (let start = 0; start <= this.#text.length; start += this.#sizeAt(start)) {
      this.#undo(0)
      if (this.#run(0, start) >= 0) return true
    }
    return false
  }

  /** Returns the code units of the character at a position, or 1 at the end. */
  #sizeAt(place: number): number {
    return (this.#text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1
  }

  #sizeBefore(place: number): number {
    return place >= 2 && (this.#text.codePointAt(place - 2) ?? 0) > 0xffff ? 2 : 1
  }

  #set(slot: number, value: number): void {
    this.#trail.push(slot, this.#slots[slot]!)
    this.#slots[slot] = value
  }

  #undo(length: number): void {
    while (this.#trail.length > length) {
      const value = this.#trail.pop()!
      this.#slots[this.#trail.pop()!] = value
    }
  }

  /** Runs from an instruction to its END. @returns the position after the match, or -1 for none; choices inside are dropped */
  #run(start: number, from: number): number {
    const choices = this.#choices
    const bottom = choices.length
    let at = start
    let place = from
    for (;;) {
      this.steps += 1
      if (this.steps > this.#allowed) throw new StepLimit()
      const instruction = this.#instructions[at]!
      let next: number
      switch (instruction.kind) {
        case END:
          choices.length = bottom
          return place
        case CHARACTER:
          this.steps += instruction.extraSteps
          next = this.#read(instruction.test, instruction.backward, place)
          break
        case 'split':
          if (choices.length > 3 * MAX_CHOICES) throw new StepLimit()
          choices.push(instruction.second, place, this.#trail.length)
          at = instruction.first
          continue
        case 'jump':
          at = instruction.to
          continue
        case 'save':
          this.#set(instruction.slot, place)
          next = place
          break
        case 'check':
          // A pass of a loop that has read nothing ends the loop.
          next = this.#slots[instruction.slot] === place ? -1 : place
          break
        case 'assert':
          next = instruction.holds(this.#text, place) ? place : -1
          break
        case 'reference':
          next = this.#readAgain(instruction, place)
          break
        case 'look': {
          const trail = this.#trail.length
          const isFound = this.#run(instruction.body, place) >= 0
          if (instruction.negative || !isFound) this.#undo(trail)
          next = isFound === instruction.negative ? -1 : place
          if (next >= 0) {
            at = instruction.next
            continue
          }
          break
        }
        case 'atomic':
          next = this.#run(instruction.body, place)
          if (next >= 0) {
            place = next
            at = instruction.next
            continue
          }
          break
      }
      if (next >= 0) {
        place = next
        at += 1
        continue
      }
      if (choices.length === bottom) return -1
      this.#undo(choices.pop()!)
      place = choices.pop()!
      at = choices.pop()!
    }
  }

  #read(test: (character: string) => boolean, backward: boolean, place: number): number {
    if (backward ? place === 0 : place >= this.#text.length) return -1
    const end = backward ? place - this.#sizeBefore(place) : place + this.#sizeAt(place)
    return test(backward ? this.#text.slice(end, place) : this.#text.slice(place, end)) ? end : -1
  }

  /** Matches the text of a group again. A group that has not matched matches nowhere. */
  #readAgain({ group, ignoresCase, backward }: Instruction & { kind: 'reference' }, place: number): number {
    const [start, end] = [this.#slots[2 * group]!, this.#slots[2 * group + 1]!]
    if (start < 0 || end < 0) return -1
    const text = this.#text.slice(Math.min(start, end), Math.max(start, end))
    this.steps += text.length
    const from = backward ? place - text.length : place
    if (from < 0) return -1
    const found = this.#text.slice(from, from + text.length)
    const isSame = found === text || (ignoresCase && found.toLowerCase() === text.toLowerCase())
    if (!isSame) return -1
    return backward ? from : from + text.length
  }
}
