// Defines the sections of a flag's page that can be edited, and the section of each field. The functions are pure.
import type { FlagFilters } from '../api/client'
import { canonical } from '../api/canonical'
import { changedFields, type Draft, type Issues } from './draft'

export type SectionName = 'release' | 'value' | 'details'

const VALUE_FIELDS: ReadonlySet<string> = new Set(['is_remote_configuration', 'has_encrypted_payloads'])

const valuesOf = ({ multivariate, payloads }: FlagFilters) => canonical({ multivariate, payloads })
const releaseOf = (filters: FlagFilters) => canonical({ ...filters, multivariate: null, payloads: null })

/** Returns the sections in which two drafts differ. The key has no section, because a dialog renames the flag. */
export function changedSections(before: Draft, after: Draft): ReadonlySet<SectionName> {
  const sections = new Set<SectionName>()
  for (const field of changedFields(before, after)) {
    if (field === 'filters') {
      if (valuesOf(before.filters) !== valuesOf(after.filters)) sections.add('value')
      if (releaseOf(before.filters) !== releaseOf(after.filters)) sections.add('release')
    } else if (VALUE_FIELDS.has(field)) sections.add('value')
    else if (field !== 'key' && field !== 'active') sections.add('details')
  }
  return sections
}

/** Returns the sections of the places that have issues. */
export const sectionsWith = (issues: Issues): ReadonlySet<SectionName> =>
  new Set(
    [...issues.keys()].flatMap((place): SectionName[] =>
      place === 'key' ? [] : [place.startsWith('groups') ? 'release' : 'value'],
    ),
  )

/** Returns the section of a rejected field. */
export function sectionOf(attr: string): SectionName | null {
  const [field = ''] = attr.split('__')
  return field === 'key'
    ? null
    : field === 'filters'
      ? 'release'
      : VALUE_FIELDS.has(field)
        ? 'value'
        : 'details'
}
