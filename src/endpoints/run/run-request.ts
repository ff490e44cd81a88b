// Parses the input of a run: the body, then the query string (docs/reference/endpoints.md#order-of-checks-of-a-run).
import type * as z from 'zod'
import { invalid, invalidErrorText } from '../../errors'
import { integerIn } from '../../http/fields'
import { firstFailure } from '../../http/validation'
import { RunBody, type RunQuery } from './run-schema'
import type { Dialect } from '../../hogql/compiled'
import { COMPILER_VERSION } from '../compile/compiled-version'

export type FiltersOverride = NonNullable<z.output<typeof RunBody>['filters_override']>

export interface RunRequest {
  variables: Readonly<Record<string, unknown>>
  filtersOverride: FiltersOverride | null
  limit: number | null
  offset: number | null
  refresh: 'cache' | 'force' | 'direct'
  debug: boolean
  clientQueryId: string | null
  /** Null means the current version. */
  version: number | null
}

/** @throws 400 with the path of the field for an invalid body; 400 `{error}` for an invalid number */
export function parseRunRequest(body: unknown, query: z.output<typeof RunQuery>): RunRequest {
  const sent = parseBody(body)
  const version = numberOf('version', sent.version, query.version)
  const limit = numberOf('limit', sent.limit, query.limit, 1)
  const offset = numberOf('offset', sent.offset, query.offset, 0)
  if (offset !== null && limit === null) throw invalidErrorText('offset requires limit to be set')
  return {
    variables: sent.variables ?? {},
    filtersOverride: sent.filters_override ?? null,
    limit,
    offset,
    refresh: sent.refresh ?? 'cache',
    debug: sent.debug ?? false,
    clientQueryId: sent.client_query_id ?? null,
    version,
  }
}

function parseBody(body: unknown): z.output<typeof RunBody> {
  const parsed = RunBody.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  if (issue.code !== 'unrecognized_keys') {
    throw invalid(issue.path.join('.') || 'body', firstFailure(parsed.error, body).detail)
  }
  throw invalid([...issue.path, issue.keys[0]!].join('.'), 'Extra inputs are not permitted')
}

/** Reads a number of the body, or else of the query string, which is validated only in that case. */
function numberOf(
  name: string,
  inBody: number | null | undefined,
  inQuery: string | undefined,
  min = -Infinity,
): number | null {
  const written = inBody ?? inQuery
  if (written === undefined) return null
  const number = integerIn(written)
  if (number !== null && number >= min) return number
  throw invalidErrorText(`Invalid ${name} parameter: ${written}`)
}

type KeyInput = Pick<RunRequest, 'version' | 'variables' | 'filtersOverride' | 'limit' | 'offset'>

/** Returns a digest of everything that determines a result and is known before any read. Version and age are checked on a hit. */
export async function resultKeyOf(
  name: string,
  { version, variables, filtersOverride, limit, offset }: KeyInput,
  { dialect, timezone }: { dialect: Dialect; timezone: string },
): Promise<string> {
  const text = JSON.stringify(
    [COMPILER_VERSION, dialect, timezone, name, version, limit, offset, variables, filtersOverride],
    sorted,
  )
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A replacer for `JSON.stringify` that sorts keys. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
