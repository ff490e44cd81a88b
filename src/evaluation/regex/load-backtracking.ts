// Loads the engine for patterns that no linear-time engine runs, when a definition has such a pattern.
import type * as Engine from './backtracking'

let engine: typeof Engine | null = null
let loading: Promise<void> | null = null

/**
 * Matches look-around, back-references, atomic groups, possessive repetition, comments, the flag x, long names of Unicode properties, and
 * bounds of words.
 */
const CONSTRUCTS = /\(\?(?:[=!>#]|<[=!]|P=|[a-zA-Z]*x)|\\[1-9kbB]|[*+?}]\+|\\[pP]\{/

/** Whether a pattern may need the engine. Some of these turn out to run in linear time. */
export const mayNeedBacktracking = (pattern: string): boolean => CONSTRUCTS.test(pattern)

/** Starts loading the engine, for a pattern that is about to be evaluated. */
export function requestBacktracking(): void {
  loading ??= import('./backtracking').then((module) => {
    engine = module
  })
}

/** Resolves when the engine that compiled definitions need is loaded. It is null when none needs it, or it is loaded. */
export const backtrackingReady = (): Promise<void> | null => (engine === null ? loading : null)

/** Returns compiled definitions once they can be evaluated. */
export async function withEngines<T>(compiled: T): Promise<T> {
  await backtrackingReady()
  return compiled
}

/** Returns null until the engine is loaded. */
export const backtrackingEngine = (): typeof Engine | null => engine
