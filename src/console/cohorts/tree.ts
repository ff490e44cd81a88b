// Defines the conditions of a cohort in edit: groups of conditions and groups, joined by AND or OR. The functions are pure.
import type { ConditionSet, PropertyFilter } from '../api/client'
import { issueOf } from '../flag/draft'
import { conditionWords, type Wording } from '../grammar/conditions'

export type Condition = PropertyFilter & { negation?: boolean }

export interface Group {
  type: 'AND' | 'OR'
  values: (Group | Condition)[]
}

export const isGroup = (node: Group | Condition): node is Group => 'values' in node

export const emptyCondition = (): Condition => ({ key: '', type: 'person', operator: 'exact', value: [] })
export const emptyGroup = (): Group => ({ type: 'AND', values: [emptyCondition()] })

/** Returns the conditions of a cohort's `filters`, which are an empty group for none. */
export function treeOf(filters: unknown): Group {
  const { properties } = (filters ?? {}) as { properties?: Group }
  return properties && Array.isArray(properties.values) ? properties : { type: 'AND', values: [] }
}

export const filtersOf = (tree: Group) => ({ properties: { ...tree } as Record<string, unknown> })

/** Returns the place of a node, as errors of the API name it: `properties.values[0].values[1]`. */
export const placeIn = (parent: string, index: number): string => `${parent}.values[${index}]`

/** Returns the problems of a tree by their place, before it is sent. */
export function treeIssues(tree: Group, at = 'properties'): ReadonlyMap<string, string> {
  const issues = new Map<string, string>()
  if (tree.values.length === 0) issues.set(at, 'Add a condition: a group without one matches everyone.')
  for (const [index, node] of tree.values.entries()) {
    const place = placeIn(at, index)
    if (isGroup(node)) for (const [where, issue] of treeIssues(node, place)) issues.set(where, issue)
    else {
      const issue = issueOf(node)
      if (issue !== null) issues.set(place, issue)
    }
  }
  return issues
}

/** Returns the place that an error of the API names, or null for none. */
export const placeNamed = (message: string): string | null =>
  /properties(?:\.values\[\d+\])*/.exec(message)?.[0] ?? null

/**
 * Returns the conditions as a list that must all hold, or null when alternatives or negations make that impossible. Such a list can be
 * counted before it is saved.
 */
export function asList(tree: Group): Condition[] | null {
  if (tree.type === 'OR' && tree.values.length > 1) return null
  const parts = tree.values.map((node) => (isGroup(node) ? asList(node) : node.negation ? null : [node]))
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? [])
}

const conditionsOf = (tree: Group): Condition[] =>
  tree.values.flatMap((node) => (isGroup(node) ? conditionsOf(node) : [node]))

/** Returns a condition set with all conditions of a tree, from which their wording is read. */
export const setOf = (tree: Group): ConditionSet => ({ properties: conditionsOf(tree) })

/** Describes a tree in words: `plan is pro and (country is DE or country is AT)`. */
export function treeWords(tree: Group, wording: Wording): string {
  const parts = tree.values.map((node) => {
    const words = isGroup(node) ? treeWords(node, wording) : conditionWords(node, wording)
    if (!isGroup(node)) return node.negation ? `not (${words})` : words
    return node.values.length > 1 && tree.values.length > 1 ? `(${words})` : words
  })
  return parts.join(tree.type === 'AND' ? ' and ' : ' or ') || 'no condition'
}
