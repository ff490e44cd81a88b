// Compiles a project's definitions once, so that evaluation reads no JSON and parses no text.
import { variantBoundaries } from '../bucketing'
import { cohortId, compileCohorts, relationOf, type CompiledCohort } from './cohorts'
import type {
  CohortFilter,
  CompiledCondition,
  CompiledFilter,
  CompiledFlag,
  CompiledFlagSet,
  FlagFilter,
} from './compiled'
import {
  DefinitionError,
  type FlagDefinition,
  type FlagSet,
  type MatchingVersion,
  type StoredFilter,
} from './definitions'
import { byDependency } from './dependency-order'
import { compileTest } from '../matchers/matcher'
import { isPropertyOperator, type PropertyOperator } from '../matchers/operators'
import { ResultTable, type FailureCode } from '../results'
import { parseFilters, type StoredCondition, type StoredFilters, type StoredVariant } from './parse-filters'

/**
 * Compiles a set of flags and cohorts. It never throws because of a definition: a flag whose filters do not parse fails by itself when it
 * is evaluated, and the others are not affected.
 */
export function compile<Definition extends FlagDefinition>(
  set: FlagSet<Definition>,
): CompiledFlagSet<Definition> {
  const cohorts = compileCohorts(set.cohorts, set.property_matching_version)
  const flags = set.flags
    .filter((flag) => flag.deleted !== true)
    .map((flag) => compileFlag(flag, cohorts, set.property_matching_version))
  const byId = new Map(flags.map((flag) => [flag.definition.id, flag]))
  const { ordered, unordered } = byDependency(flags, byId)
  return {
    flags,
    byKey: new Map(flags.map((flag) => [flag.key, flag])),
    byId,
    ordered,
    unordered,
    cohorts,
    groupTypes: new Map(Object.entries(set.group_type_mapping).map(([index, name]) => [Number(index), name])),
  }
}

const EMPTY: StoredFilters = parseFilters({})

function compileFlag<Definition extends FlagDefinition>(
  definition: Definition,
  cohorts: ReadonlyMap<number, CompiledCohort>,
  version: MatchingVersion,
): CompiledFlag<Definition> {
  try {
    const filters = parseFilters(definition.filters)
    const places = placesOf(filters.variants)
    const conditions = filters.conditions.map((condition, index) =>
      compileCondition(condition, index, { filters, places, cohorts, version }),
    )
    return assemble(definition, filters, conditions, null)
  } catch (error) {
    if (error instanceof DefinitionError) return assemble(definition, EMPTY, [], error.code)
    throw error
  }
}

function assemble<Definition extends FlagDefinition>(
  definition: Definition,
  filters: StoredFilters,
  conditions: readonly CompiledCondition[],
  problem: FailureCode | null,
): CompiledFlag<Definition> {
  const { key } = definition
  const targets = conditions.flatMap(({ all }) => all.filter(isFlagFilter).map((filter) => filter.target))
  return {
    definition,
    key,
    prefix: `${key}.`,
    results: new ResultTable(
      filters.payloads,
      filters.variants.map((variant) => variant.key),
    ),
    problem,
    conditions,
    boundaries: variantBoundaries(filters.variants.map((variant) => variant.percentage)),
    aggregation: filters.aggregation,
    holdout:
      filters.holdout === null
        ? null
        : { percentage: filters.holdout.exclusionPercentage, variant: `holdout-${filters.holdout.id}` },
    enrollmentKey: filters.enrollment ? `$feature_enrollment/${key}` : null,
    earlyExit: filters.earlyExit,
    byDevice: definition.bucketing_identifier === 'device_id',
    continuity: definition.ensure_experience_continuity === true,
    dependencies: [...new Set(targets)],
  }
}

/** The inputs with which conditions are compiled. */
interface ConditionEnvironment {
  readonly filters: StoredFilters
  /** Positions of variants by key. Where several variants have the same key, it is that of the first. */
  readonly places: ReadonlyMap<string, number>
  readonly cohorts: ReadonlyMap<number, CompiledCohort>
  readonly version: MatchingVersion
}

const placesOf = (variants: readonly StoredVariant[]): ReadonlyMap<string, number> =>
  new Map(variants.map(({ key }, place) => [key, place] as const).toReversed())

function compileCondition(
  stored: StoredCondition,
  index: number,
  { filters, places, cohorts: known, version }: ConditionEnvironment,
): CompiledCondition {
  const aggregation = stored.aggregation === undefined ? filters.aggregation : stored.aggregation
  const all = stored.properties.map((property) => compileFilter(property, aggregation, version))
  const cohorts = all.filter(isCohortFilter)
  return {
    index,
    all,
    filters: cohorts.length === 0 ? all : all.filter((filter) => !isCohortFilter(filter)),
    cohorts,
    cohortProblem: problemOf(cohorts, known),
    percentage: stored.percentage,
    override: stored.variant,
    pinned: stored.variant === null ? -1 : (places.get(stored.variant) ?? -1),
    aggregation,
  }
}

function compileFilter(
  stored: StoredFilter,
  aggregation: number | null,
  version: MatchingVersion,
): CompiledFilter {
  const { key, value } = stored
  const operator = operatorOf(stored)
  switch (stored.type) {
    case 'person':
      return {
        kind: 'person',
        stored,
        key,
        inherited: key in Object.prototype,
        test: compileTest(operator, value, version),
      }
    case 'group': {
      const groupIndex = stored.groupTypeIndex ?? aggregation
      return { kind: 'group', stored, key, groupIndex, test: compileTest(operator, value, version) }
    }
    case 'flag':
      return {
        kind: 'flag',
        stored,
        target: flagId(key),
        wanted: value,
        supported: operator === 'flag_evaluates_to',
      }
    case 'cohort':
      return { kind: 'cohort', stored, id: cohortId(value), relation: relationOf(stored.operator) }
    default:
      throw new DefinitionError('data_parsing_error', `unknown property type ${stored.type}`)
  }
}

function operatorOf({ operator }: StoredFilter): PropertyOperator {
  if (operator === null) return 'exact'
  if (isPropertyOperator(operator)) return operator
  throw new DefinitionError('data_parsing_error', `unknown operator ${operator}`)
}

function flagId(key: string): number {
  if (/^\d{1,15}$/.test(key)) return Number(key)
  throw new DefinitionError('data_parsing_error', 'a flag filter does not name a flag by its id')
}

/** Returns the problem of a condition's cohorts. All are looked up before any decides, because one that is broken fails the flag. */
function problemOf(
  filters: readonly CohortFilter[],
  known: ReadonlyMap<number, CompiledCohort>,
): FailureCode | null {
  for (const { id } of filters) {
    const cohort = known.get(id)
    if (cohort === undefined) return 'dependency_not_found_cohort'
    if (cohort.problem !== null) return cohort.problem
  }
  return null
}

const isCohortFilter = (filter: CompiledFilter): filter is CohortFilter => filter.kind === 'cohort'
const isFlagFilter = (filter: CompiledFilter): filter is FlagFilter => filter.kind === 'flag'
