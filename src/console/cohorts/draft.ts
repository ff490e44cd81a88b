// Defines a cohort in edit. The functions are pure.
import type { Cohort } from '../api/cohorts'
import type { components } from '../api/schema'
import { pick } from '../edit/changed-fields'
import { filtersOf, type Group, treeIssues, treeOf } from './tree'

export interface Draft {
  name: string
  description: string
  /** The conditions, of which a static cohort has none. */
  tree: Group
}

/** Fields beside which a form shows why the service rejects them. */
export const SHOWN_FIELDS = ['name', 'description', 'filters', 'groups'] as const

/** Returns the service's error for a field, or null. */
export type Refused = (field: (typeof SHOWN_FIELDS)[number]) => string | null

export const draftOf = ({ name, description, filters }: Cohort): Draft => ({
  name,
  description,
  tree: treeOf(filters),
})

export const changedFields = (before: Draft, after: Draft): (keyof Draft)[] =>
  (['name', 'description', 'tree'] as const).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )

/** Returns the body of a write with the fields that changed. */
export function bodyOf(before: Draft, after: Draft): components['schemas']['CohortUpdate'] {
  const changed = changedFields(before, after).map((field) => (field === 'tree' ? 'filters' : field))
  return pick(writtenOf(after), changed)
}

/** Returns the fields of a write. */
export const writtenOf = ({ tree, ...names }: Draft) => ({ ...names, filters: filtersOf(tree) })

/** Returns problems that the service would reject, by `name` or the path of a condition. */
export function issuesOf({ name, tree }: Draft, isStatic: boolean): ReadonlyMap<string, string> {
  const issues = new Map(isStatic ? [] : treeIssues(tree))
  if (name.trim() === '') issues.set('name', 'A name is needed.')
  return issues
}
