// An attempt and its expected outcome.
import type { VariableType } from '../../../src/hogql/resolve/context/resolution'

export interface Attempt {
  /** What is tried. */
  name: string
  sql: string
  variables?: Readonly<Record<string, { type: VariableType; value: unknown }>>
  /**
   * `refused`: the compiler will not have it, and its message holds this. `rows`: it is harmless, and gives exactly these. `own`: it gives
   * rows of the caller's, this many. `stopped`: it is run, and ended with a reason.
   */
  outcome:
    | { refused: RegExp }
    | { rows: readonly (readonly unknown[])[] }
    | { own: number }
    | { stopped: RegExp }
}

/** The reason holds the words, whatever their case. */
export const refused = (...words: string[]): Attempt['outcome'] => ({
  refused: new RegExp(
    words.map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)).join('.*'),
    'is',
  ),
})

/** Not HogQL at all: the parser says where it ends. */
export const NOT_HOGQL: Attempt['outcome'] = { refused: /./s }
