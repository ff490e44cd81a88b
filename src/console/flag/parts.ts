// The parts of a flag's page that can be edited, and the part of each field. The functions are pure.
import type { FlagFilters } from '../api/client'
import { canonical } from '../grammar/differences'
import { changedFields, type Draft, type Issues } from './draft'

export type PartName = 'release' | 'value' | 'details'

const VALUE_FIELDS: ReadonlySet<string> = new Set(['is_remote_configuration', 'has_encrypted_payloads'])

const valuesOf = ({ multivariate, payloads }: FlagFilters) => canonical({ multivariate, payloads })
const releaseOf = (filters: FlagFilters) => canonical({ ...filters, multivariate: null, payloads: null })

/** Returns the parts in which two drafts differ. The key has no part, because a dialog renames the flag. */
export function changedParts(before: Draft, after: Draft): ReadonlySet<PartName> {
  const parts = new Set<PartName>()
  for (const field of changedFields(before, after)) {
    if (field === 'filters') {
      if (valuesOf(before.filters) !== valuesOf(after.filters)) parts.add('value')
      if (releaseOf(before.filters) !== releaseOf(after.filters)) parts.add('release')
    } else if (VALUE_FIELDS.has(field)) parts.add('value')
    else if (field !== 'key' && field !== 'active') parts.add('details')
  }
  return parts
}

/** Returns the parts of the places that have issues. */
export const partsWith = (issues: Issues): ReadonlySet<PartName> =>
  new Set(
    [...issues.keys()].flatMap((place): PartName[] =>
      place === 'key' ? [] : [place.startsWith('groups') ? 'release' : 'value'],
    ),
  )

/** Returns the part of a rejected field. */
export const partOf = (field: string): PartName | null =>
  field === 'key' ? null : field === 'filters' ? 'release' : VALUE_FIELDS.has(field) ? 'value' : 'details'
