// The flags that a bulk delete selects: ids, or the filters of the list (reference/flags-api.md §12.1).
import { invalidErrorText } from '../../errors'
import { isObject } from '../../json'
import { type Selection, SELECTION_KEYS } from '../read/selection'

/** Plain data, for RPC. */
export type BulkSelection =
  | { kind: 'ids'; ids: number[]; invalid: unknown[] }
  | { kind: 'filters'; filters: Selection }

/**
 * Empty filters and empty ids count as omitted.
 * @throws 400 `{error}`.
 */
export function parseBulkSelection({ filters, ids }: { filters?: unknown; ids?: unknown }): BulkSelection {
  const sent = isObject(filters) && Object.keys(filters).length > 0 ? filters : null
  const listed = Array.isArray(ids) && ids.length > 0 ? ids : null
  if (sent && listed) throw invalidErrorText('Provide either filters or ids, not both')
  if (listed) return { kind: 'ids', ...splitIds(listed) }
  if (!sent) throw invalidErrorText('Must provide either filters or ids')

  const known: readonly string[] = SELECTION_KEYS
  const unknown = Object.keys(sent).filter((key) => !known.includes(key))
  if (unknown.length > 0) throw invalidErrorText(`Unknown filter keys: ${unknown.sort().join(', ')}`)
  return { kind: 'filters', filters: sent }
}

/** Safe integers and text of digits are ids; duplicates are dropped. */
export function splitIds(members: readonly unknown[]): { ids: number[]; invalid: unknown[] } {
  const isId = (member: unknown) =>
    Number.isSafeInteger(typeof member === 'string' && /^\d+$/.test(member) ? Number(member) : member)
  return {
    ids: [...new Set(members.filter(isId).map(Number))],
    invalid: members.filter((member) => !isId(member)),
  }
}
