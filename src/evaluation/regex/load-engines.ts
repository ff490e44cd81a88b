// Loads the engines of regular expressions when a definition has a pattern: an isolate whose projects have none starts without them.
import type * as Backtracking from './backtracking'
import type * as Linear from './regex'

interface Engines {
  /** Runs patterns in linear time. */
  linear: typeof Linear | null
  /** Runs patterns that no linear-time engine runs. */
  backtracking: typeof Backtracking | null
}

const engines: Engines = { linear: null, backtracking: null }
const started = new Set<keyof Engines>()
let loading: Promise<void> | null = null

/**
 * Matches look-around, back-references, atomic groups, possessive repetition, comments, the flag x, long names of Unicode properties, and
 * bounds of words.
 */
const CONSTRUCTS = /\(\?(?:[=!>#]|<[=!]|P=|[a-zA-Z]*x)|\\[1-9kbB]|[*+?}]\+|\\[pP]\{/

/** Whether a pattern may need the backtracking engine. Some of these turn out to run in linear time. */
export const mayNeedBacktracking = (pattern: string): boolean => CONSTRUCTS.test(pattern)

/** Starts loading the engines of a pattern that is about to be evaluated. */
export function requestEngines(pattern: string): void {
  load('linear', () => import('./regex'))
  if (mayNeedBacktracking(pattern)) load('backtracking', () => import('./backtracking'))
}

function load<Name extends keyof Engines>(
  name: Name,
  start: () => Promise<NonNullable<Engines[Name]>>,
): void {
  if (started.has(name)) return
  started.add(name)
  const both = Promise.all([start(), loading]).then(([engine]) => {
    engines[name] = engine
    if (loading === both) loading = null
  })
  loading = both
}

/** Resolves when the engines that compiled definitions need are loaded. It is null when none needs one, or they are loaded. */
export const enginesReady = (): Promise<void> | null => loading

/** Returns compiled definitions once they can be evaluated. */
export async function withEngines<T>(compiled: T): Promise<T> {
  await enginesReady()
  return compiled
}

/** Returns the engines, each of which is null until it is loaded. */
export const loadedEngines = (): Readonly<Engines> => engines
