// What a version keeps of its query so that a run need not compile it.
import type { CompiledQuery, Dialect } from '../hogql/compiled'

/** Goes up whenever the compiler gives something else for the same text: versions compiled by an older one are compiled again. */
export const COMPILER_VERSION = 1

export interface CompiledVersion {
  compiler: number
  /** One for each engine that can run it; an engine that cannot has the reason instead. */
  queries: Partial<Record<Dialect, CompiledQuery | { refusal: string }>>
}
