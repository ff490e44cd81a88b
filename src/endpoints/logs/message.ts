// What the log says of a run (reference/endpoints-api.md §7). Values of variables never stand in it: they are people's names and addresses.
import { type ApiError, apiErrorIn } from '../../errors'

/** How a run was answered. */
export type RunPath = 'inline' | 'materialized' | 'materialized_fallback'

/** A run that gave rows. */
export const executed = (run: {
  path: RunPath
  isCached: boolean
  durationMs: number
  rows: number
  version: number
}): string =>
  `Endpoint executed · path=${run.path} cache=${run.isCached ? 'hit' : 'miss'} ` +
  `duration_ms=${run.durationMs} rows=${run.rows} version=${run.version}`

/** A run that was begun and gave none. */
export const failed = (path: RunPath, version: number, error: unknown): string =>
  `Endpoint execution failed · path=${path} version=${version} error=${nameOf(error)}`

const nameOf = (error: unknown): string =>
  apiErrorIn(error)?.code ?? (error instanceof Error ? error.name : 'error')

/** Characters of a message: a caller may send names of any length, and each refusal repeats some. */
const LONGEST = 1_000

/** A request that asked for what cannot be. */
export function rejected({ attr, detail }: ApiError): string {
  const message = `Endpoint execution failed · invalid request · ${attr === null ? detail : `${attr}: ${detail}`}`
  return message.length <= LONGEST ? message : `${message.slice(0, LONGEST - 1).toWellFormed()}…`
}
