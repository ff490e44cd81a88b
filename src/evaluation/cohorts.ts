// Cohorts: the tree of a stored definition, and what is wrong with it before anybody is evaluated.

import { DefinitionError, type CohortDefinition, type MatchingVersion } from './definitions'
import { compileTest, type PropertyTest } from './matchers/matcher'
import { isPropertyOperator } from './operators'
import type { FailureCode } from './results'
import { readProperty } from './stored-filters'
import { idIn } from './values/id'
import { isArray, isObject, type JsonObject, type JsonValue } from '../json'

/** A node of a dynamic cohort. */
export type CohortNode =
  | { readonly kind: 'all' | 'any'; readonly children: readonly CohortNode[] }
  | { readonly kind: 'person'; readonly key: string; readonly test: PropertyTest; readonly negated: boolean }
  | {
      readonly kind: 'cohort'
      readonly id: number
      readonly relation: CohortRelation
      readonly negated: boolean
    }
  /** A condition on events: nobody can be shown to satisfy it here, and nobody not to. */
  | { readonly kind: 'unsupported' }

/** What a filter asks of a membership. `never`: an operator that means nothing on a cohort (reference §4). */
export type CohortRelation = 'in' | 'not_in' | 'never'

/** A cohort ready for evaluation. */
export interface CompiledCohort {
  readonly id: number
  /** Null for a static cohort, whose members are known by row. */
  readonly root: CohortNode | null
  /** The reason code with which a flag fails that asks for this cohort; null when it can be evaluated. */
  readonly problem: FailureCode | null
  /** Whether it, or a cohort it refers to, has conditions on events. */
  readonly unsupported: boolean
}

/** Deeper trees do not parse. */
const DEEPEST = 50

/** Compiles every cohort of a project. What is wrong with one is its `problem`, and that of those that refer to it. */
export function compileCohorts(
  definitions: readonly CohortDefinition[],
  version: MatchingVersion,
): ReadonlyMap<number, CompiledCohort> {
  const live = new Map(definitions.filter((each) => each.deleted !== true).map((each) => [each.id, each]))
  const compiled = new Map<number, CompiledCohort>()
  const path = new Set<number>()
  const visit = (id: number): CompiledCohort => {
    const known = compiled.get(id)
    if (known !== undefined) return known
    const definition = live.get(id)
    if (definition === undefined) return broken(id, 'dependency_not_found_cohort')
    if (path.has(id)) return broken(id, 'dependency_cycle_cohort')
    path.add(id)
    const cohort = compileCohort(definition, version, visit)
    path.delete(id)
    compiled.set(id, cohort)
    return cohort
  }
  for (const id of live.keys()) visit(id)
  return compiled
}

const broken = (id: number, problem: FailureCode): CompiledCohort => ({
  id,
  root: null,
  problem,
  unsupported: false,
})

function compileCohort(
  definition: CohortDefinition,
  version: MatchingVersion,
  visit: (id: number) => CompiledCohort,
): CompiledCohort {
  const { id } = definition
  if (definition.is_static) return { id, root: null, problem: null, unsupported: false }
  try {
    const root = readCohort(definition, version)
    const references = referencesOf(root).map(visit)
    return {
      id,
      root,
      problem: references.find((each) => each.problem !== null)?.problem ?? null,
      unsupported: hasUnsupported(root) || references.some((each) => each.unsupported),
    }
  } catch (error) {
    if (error instanceof DefinitionError) return broken(id, error.code)
    throw error
  }
}

function readCohort(definition: CohortDefinition, version: MatchingVersion): CohortNode {
  const properties = isObject(definition.filters) ? definition.filters.properties : definition.filters
  if (properties !== undefined && properties !== null) return readNode(properties, version, 0)
  if (!isArray(definition.groups)) return { kind: 'any', children: [] }
  return { kind: 'any', children: definition.groups.map((group) => readLegacyGroup(group, version)) }
}

/** A group `{type, values}` or a leaf; an object without either is a group of nothing. */
function readNode(stored: unknown, version: MatchingVersion, depth: number): CohortNode {
  if (!isObject(stored) || depth > DEEPEST) throw unreadable('a cohort filter is not a tree of objects')
  if (Object.hasOwn(stored, 'values') || Object.keys(stored).length === 0)
    return readGroup(stored, version, depth)
  return readLeaf(stored, version)
}

function readGroup(stored: JsonObject, version: MatchingVersion, depth: number): CohortNode {
  const values = stored.values ?? []
  if (!isArray(values)) throw unreadable('the values of a cohort group are not a list')
  const children = values.map((value) => readNode(value, version, depth + 1))
  switch (stored.type) {
    case 'OR':
      return { kind: 'any', children }
    case 'AND':
    case 'property':
      return { kind: 'all', children }
    default:
      if (Object.keys(stored).length === 0) return { kind: 'any', children }
      throw unreadable('a cohort group is neither AND nor OR')
  }
}

function readLeaf(stored: JsonValue, version: MatchingVersion): CohortNode {
  const { key, type, operator, value, negated } = readProperty(stored)
  switch (type) {
    case 'person': {
      const token = operator ?? 'exact'
      if (!isPropertyOperator(token)) throw unreadable(`unknown operator ${token}`)
      return { kind: 'person', key, test: compileTest(token, value, version), negated }
    }
    case 'cohort':
      return { kind: 'cohort', id: cohortId(value), relation: relationOf(operator), negated }
    case 'behavioral':
    case 'lifecycle':
    case 'event':
      return { kind: 'unsupported' }
    default:
      throw unreadable(`a cohort cannot ask for a ${type}`)
  }
}

/** Before cohorts had trees, they were lists of groups, any of which suffices (reference §4). */
function readLegacyGroup(stored: JsonValue, version: MatchingVersion): CohortNode {
  const group = isObject(stored) ? stored : {}
  const { properties } = group
  if (isArray(properties)) {
    return { kind: 'all', children: properties.map((property) => readLegacyLeaf(property, version)) }
  }
  if (!isObject(properties)) return { kind: 'unsupported' }
  if (Object.hasOwn(properties, 'values')) return readNode(properties, version, 0)
  const children = Object.entries(properties).map(([key, value]) =>
    readLeaf({ key, value, type: 'person' }, version),
  )
  return { kind: 'all', children }
}

function readLegacyLeaf(stored: JsonValue, version: MatchingVersion): CohortNode {
  const type = isObject(stored) ? (stored.type ?? 'event') : null
  return isObject(stored) && type === 'event'
    ? readLeaf({ ...stored, type: 'person' }, version)
    : readNode(stored, version, 0)
}

/** The id that a cohort filter names. Throws DefinitionError when it is no id. */
export function cohortId(value: JsonValue): number {
  const id = idIn(value)
  if (id === null) throw new DefinitionError('data_parsing_error', 'a cohort filter has no integer id')
  return id
}

/** What the operator of a cohort filter asks; anything but `in` and `not_in` never matches. */
export function relationOf(operator: string | null): CohortRelation {
  if (operator === null || operator === 'in') return 'in'
  return operator === 'not_in' ? 'not_in' : 'never'
}

function referencesOf(node: CohortNode): readonly number[] {
  if (node.kind === 'cohort') return [node.id]
  return node.kind === 'all' || node.kind === 'any' ? node.children.flatMap(referencesOf) : []
}

function hasUnsupported(node: CohortNode): boolean {
  if (node.kind === 'unsupported') return true
  return (node.kind === 'all' || node.kind === 'any') && node.children.some(hasUnsupported)
}

const unreadable = (message: string): DefinitionError =>
  new DefinitionError('cohort_filters_parsing_error', message)
