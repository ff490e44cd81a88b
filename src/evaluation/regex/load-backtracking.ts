// Loads the engine for patterns that no linear-time engine runs, when a definition has one.
import type * as Engine from './backtracking'

let engine: typeof Engine | null = null
let loading: Promise<void> | null = null

/** Look-around, back-references, atomic groups, possessive repetition, comments, the flag x, long names of Unicode properties, and bounds of words. */
const CONSTRUCTS = /\(\?(?:[=!>#]|<[=!]|P=|[a-zA-Z]*x)|\\[1-9kbB]|[*+?}]\+|\\[pP]\{/

/** Whether a pattern may need the engine. Some of them turn out to run in linear time. */
export const mayNeedBacktracking = (pattern: string): boolean => CONSTRUCTS.test(pattern)

/** Begins to load the engine, for a pattern that is about to be evaluated. */
export function requestBacktracking(): void {
  loading ??= import('./backtracking').then((module) => {
    engine = module
  })
}

/** Resolves when the engine that compiled definitions need is there; null when none does, or it is. */
export const backtrackingReady = (): Promise<void> | null => (engine === null ? loading : null)

/** Compiled definitions, once they can be evaluated. */
export async function withEngines<T>(compiled: T): Promise<T> {
  await backtrackingReady()
  return compiled
}

/** Null while it is not loaded. */
export const backtrackingEngine = (): typeof Engine | null => engine
