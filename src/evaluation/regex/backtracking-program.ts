// Turns the tree of a pattern into instructions of the backtracking matcher.
import type { Assertion, Node } from './backtracking-syntax'
import type { CharacterTest } from './character-sets'

export const CHARACTER = 'character'
export const END = 'end'

export type Instruction =
  | { kind: typeof CHARACTER; test: CharacterTest; extraSteps: number; backward: boolean }
  | { kind: typeof END }
  /** Continues at `first`, and at `second` when that fails. */
  | { kind: 'split'; first: number; second: number }
  | { kind: 'jump'; to: number }
  | { kind: 'save' | 'check'; slot: number }
  | { kind: 'assert'; holds: Assertion }
  | { kind: 'reference'; group: number; ignoresCase: boolean; backward: boolean }
  | { kind: 'look'; body: number; next: number; negative: boolean }
  | { kind: 'atomic'; body: number; next: number }

export interface Program {
  instructions: readonly Instruction[]
  /** The number of positions that groups and loops store. */
  slots: number
}

class TooLarge extends Error {}

export class Emitter {
  readonly #instructions: Instruction[] = []
  readonly #maxSize: number
  #slots = 0
  #visits = 0

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** Returns null for a program that would be too large. */
  emit({ root, groups }: { root: Node; groups: number }): Program | null {
    this.#slots = 2 * (groups + 1)
    try {
      this.#node(root, false)
      this.#add({ kind: END })
    } catch (error) {
      if (error instanceof TooLarge) return null
      throw error
    }
    return { instructions: this.#instructions, slots: this.#slots }
  }

  #add(instruction: Instruction): number {
    if (this.#instructions.length >= this.#maxSize) throw new TooLarge()
    return this.#instructions.push(instruction) - 1
  }

  get #here(): number {
    return this.#instructions.length
  }

  /** @param backward whether the node is inside a look-behind, which reads from right to left */
  #node(node: Node, backward: boolean): void {
    // Repetitions of nothing take time without adding instructions.
    this.#visits += 1
    if (this.#visits > 10 * this.#maxSize) throw new TooLarge()
    switch (node.kind) {
      case 'empty':
        return
      case 'character':
        this.#add({ kind: CHARACTER, test: node.test, extraSteps: node.extraSteps ?? 0, backward })
        return
      case 'assert':
        this.#add({ kind: 'assert', holds: node.holds })
        return
      case 'reference':
        this.#add({ ...node, backward })
        return
      case 'sequence':
        for (const each of backward ? node.nodes.toReversed() : node.nodes) this.#node(each, backward)
        return
      case 'choice':
        return this.#choice(node.nodes, backward)
      case 'group':
        this.#add({ kind: 'save', slot: 2 * node.index + (backward ? 1 : 0) })
        this.#node(node.node, backward)
        this.#add({ kind: 'save', slot: 2 * node.index + (backward ? 0 : 1) })
        return
      case 'look':
        return this.#body({ kind: 'look', body: 0, next: 0, negative: node.negative }, node.node, node.behind)
      case 'atomic':
        return this.#body({ kind: 'atomic', body: 0, next: 0 }, node.node, backward)
      case 'repeat':
        return this.#repeat(node, backward)
    }
  }

  #body(instruction: Extract<Instruction, { body: number }>, node: Node, backward: boolean): void {
    this.#add(instruction)
    instruction.body = this.#here
    this.#node(node, backward)
    this.#add({ kind: END })
    instruction.next = this.#here
  }

  #choice(nodes: readonly Node[], backward: boolean): void {
    const jumps: Extract<Instruction, { kind: 'jump' }>[] = []
    for (const [index, node] of nodes.entries()) {
      if (index === nodes.length - 1) {
        this.#node(node, backward)
        break
      }
      const split = { kind: 'split' as const, first: 0, second: 0 }
      this.#add(split)
      split.first = this.#here
      this.#node(node, backward)
      const jump = { kind: 'jump' as const, to: 0 }
      this.#add(jump)
      jumps.push(jump)
      split.second = this.#here
    }
    for (const jump of jumps) jump.to = this.#here
  }

  #repeat({ node, min, max, lazy }: Extract<Node, { kind: 'repeat' }>, backward: boolean): void {
    for (let times = 0; times < min; times += 1) this.#node(node, backward)
    if (max === null) {
      const slot = this.#slots++
      const split = { kind: 'split' as const, first: 0, second: 0 }
      const start = this.#add(split)
      const body = this.#add({ kind: 'save', slot })
      this.#node(node, backward)
      this.#add({ kind: 'check', slot })
      this.#add({ kind: 'jump', to: start })
      Object.assign(split, lazy ? { first: this.#here, second: body } : { first: body, second: this.#here })
      return
    }
    const splits: { split: Extract<Instruction, { kind: 'split' }>; body: number }[] = []
    for (let times = min; times < max; times += 1) {
      const split = { kind: 'split' as const, first: 0, second: 0 }
      this.#add(split)
      splits.push({ split, body: this.#here })
      this.#node(node, backward)
    }
    for (const { split, body } of splits)
      Object.assign(split, lazy ? { first: this.#here, second: body } : { first: body, second: this.#here })
  }
}
