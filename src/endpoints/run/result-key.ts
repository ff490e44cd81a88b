// By what an answer is found again (reference/endpoints-api.md §3.4).
import type { Dialect } from '../../hogql/compiled'
import { COMPILER_VERSION } from '../compiled-version'
import type { RunRequest } from './request'

type Asked = Pick<RunRequest, 'version' | 'variables' | 'filtersOverride' | 'limit' | 'offset'>

/**
 * A digest of everything that an answer depends on and that is known before anything is read. The rest is looked at when it is found: it
 * holds for one version, and for a time.
 */
export async function resultKeyOf(
  name: string,
  { version, variables, filtersOverride, limit, offset }: Asked,
  { dialect, timezone }: { dialect: Dialect; timezone: string },
): Promise<string> {
  const text = JSON.stringify(
    [COMPILER_VERSION, dialect, timezone, name, version, limit, offset, variables, filtersOverride],
    sorted,
  )
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Keys of an object in order: which came first makes no difference. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
