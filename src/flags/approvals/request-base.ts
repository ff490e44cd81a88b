// Compares a flag with its state when a change request was made.
import { sameJson } from '../../json'
import type { FlagFilters } from '../filters/flag-filters'
import { withoutLegacy } from '../filters/normalize'
import type { FlagRow } from '../read/rows'
import type { HeldChange } from './approval-types'

export type RequestBase = Pick<HeldChange, 'flagKey' | 'before' | 'version' | 'wasDeleted' | 'wasActive'>

/** Names what a request changes and has changed on the flag since. Other fields may have changed. @returns `key`, and names of fields */
export function changedSince({ flagKey, before, version, wasActive }: RequestBase, row: FlagRow): string[] {
  if (row.version === version) return []
  const isChanged = (field: string, old: unknown) =>
    !sameJson(comparable(field, Reflect.get(row, field) ?? null), comparable(field, old))
  const fields = Object.entries({
    key: flagKey,
    ...before,
    ...(wasActive !== undefined && { active: wasActive }),
  })
  return fields.flatMap(([field, old]) => (isChanged(field, old) ? [field] : []))
}

/** Returns filters without the legacy parts that every save drops, and other values as they are. */
const comparable = (field: string, value: unknown): unknown =>
  field === 'filters' ? withoutLegacy(value as FlagFilters) : value
