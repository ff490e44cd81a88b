// Compiles cohorts: the tree of a stored definition, or the reason why it cannot be evaluated.
import { DefinitionError, type CohortDefinition, type MatchingVersion } from './definitions'
import { compileTest } from '../matchers/matcher'
import type { PropertyTest } from '../matchers/property-test'
import { isPropertyOperator } from '../matchers/operators'
import type { FailureCode } from '../results'
import { parseProperty } from './parse-filters'
import { idIn } from '../values/id'
import { isArray, isObject, type JsonObject, type JsonValue } from '../../json'

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
  /** A condition on events, which cannot be evaluated here. */
  | { readonly kind: 'unsupported' }

/** How a filter relates to a cohort. `never` is an operator without meaning for cohorts. */
export type CohortRelation = 'in' | 'not_in' | 'never'

export interface CompiledCohort {
  readonly id: number
  /** The root of the tree. It is null for a static cohort, whose members are known by row. */
  readonly root: CohortNode | null
  /** The code with which flags that use the cohort fail. It is null when the cohort can be evaluated. */
  readonly problem: FailureCode | null
  /** Whether the cohort, or one to which it refers, has conditions on events. */
  readonly unsupported: boolean
}

/** Maximum depth of a tree. Deeper ones do not parse. */
const MAX_DEPTH = 50

/** Compiles cohorts. A `problem` of a cohort is also one of all cohorts that refer to it. */
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
    const root = parseCohort(definition, version)
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

function parseCohort(definition: CohortDefinition, version: MatchingVersion): CohortNode {
  const properties = isObject(definition.filters) ? definition.filters.properties : definition.filters
  if (properties !== undefined && properties !== null) return parseNode(properties, version, 0)
  if (!isArray(definition.groups)) return { kind: 'any', children: [] }
  return { kind: 'any', children: definition.groups.map((group) => parseLegacyGroup(group, version)) }
}

/** Parses a group `{type, values}` or a leaf. An object that is neither is a group of nothing. */
function parseNode(stored: unknown, version: MatchingVersion, depth: number): CohortNode {
  if (!isObject(stored) || depth > MAX_DEPTH) throw parsingError('a cohort filter is not a tree of objects')
  if (Object.hasOwn(stored, 'values') || Object.keys(stored).length === 0)
    return parseGroup(stored, version, depth)
  return parseLeaf(stored, version)
}

function parseGroup(stored: JsonObject, version: MatchingVersion, depth: number): CohortNode {
  const values = stored.values ?? []
  if (!isArray(values)) throw parsingError('the values of a cohort group are not a list')
  const children = values.map((value) => parseNode(value, version, depth + 1))
  switch (stored.type) {
    case 'OR':
      return { kind: 'any', children }
    case 'AND':
    case 'property':
      return { kind: 'all', children }
    default:
      if (Object.keys(stored).length === 0) return { kind: 'any', children }
      throw parsingError('a cohort group is neither AND nor OR')
  }
}

function parseLeaf(stored: JsonValue, version: MatchingVersion): CohortNode {
  const { key, type, operator, value, negated } = parseProperty(stored)
  switch (type) {
    case 'person': {
      const token = operator ?? 'exact'
      if (!isPropertyOperator(token)) throw parsingError(`unknown operator ${token}`)
      return { kind: 'person', key, test: compileTest(token, value, version), negated }
    }
    case 'cohort':
      return { kind: 'cohort', id: cohortId(value), relation: relationOf(operator), negated }
    case 'behavioral':
    case 'lifecycle':
    case 'event':
      return { kind: 'unsupported' }
    default:
      throw parsingError(`a cohort cannot ask for a ${type}`)
  }
}

/** Parses the form that cohorts had before trees: a list of groups, of which one suffices. */
function parseLegacyGroup(stored: JsonValue, version: MatchingVersion): CohortNode {
  const group = isObject(stored) ? stored : {}
  const { properties } = group
  if (isArray(properties)) {
    return { kind: 'all', children: properties.map((property) => parseLegacyLeaf(property, version)) }
  }
  if (!isObject(properties)) return { kind: 'unsupported' }
  if (Object.hasOwn(properties, 'values')) return parseNode(properties, version, 0)
  const children = Object.entries(properties).map(([key, value]) =>
    parseLeaf({ key, value, type: 'person' }, version),
  )
  return { kind: 'all', children }
}

function parseLegacyLeaf(stored: JsonValue, version: MatchingVersion): CohortNode {
  const type = isObject(stored) ? (stored.type ?? 'event') : null
  return isObject(stored) && type === 'event'
    ? parseLeaf({ ...stored, type: 'person' }, version)
    : parseNode(stored, version, 0)
}

/** @throws DefinitionError for an invalid id */
export function cohortId(value: JsonValue): number {
  const id = idIn(value)
  if (id === null) throw new DefinitionError('data_parsing_error', 'a cohort filter has no integer id')
  return id
}

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

const parsingError = (message: string): DefinitionError =>
  new DefinitionError('cohort_filters_parsing_error', message)
