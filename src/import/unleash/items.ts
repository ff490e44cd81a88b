// Converts features and segments of Unleash to items. Pure.
import { initialValues } from '../../flag-fields'
import type { JsonObject } from '../../json'
import type { Item } from '../model'
import type { Dependency, Feature, FeatureExport, Segment, Strategy } from './api'
import { mapConstraint, NoEqual } from './constraints'
import { keysOfFeatures } from './keys'
import { type MappedSet, mapStrategy, mapVariants } from './strategies'

/** Converts segments to cohorts, if strategies of the export use them. */
export function segmentItems(
  segments: readonly Segment[],
  { featureStrategies }: FeatureExport,
  now: Date,
): Item[] {
  const used = new Set(featureStrategies.flatMap((strategy) => strategy.segments ?? []))
  return segments.filter(({ id }) => used.has(id)).map((segment) => segmentItem(segment, now))
}

function segmentItem({ name, description, constraints }: Segment, now: Date): Item {
  const base = { kind: 'cohort' as const, key: name }
  const value = { name, description: description ?? '', is_static: false }
  try {
    const mapped = constraints.map((constraint) => mapConstraint(constraint, now))
    const values = mapped.flatMap(({ properties }) => properties)
    if (mapped.some(({ isNever }) => isNever))
      throw new NoEqual('constraints that never hold: a cohort of no one')
    if (values.length === 0) throw new NoEqual('no constraints that decide: a cohort of everyone')
    const filters = { properties: { type: 'OR', values: [{ type: 'AND', values }] } }
    return {
      ...base,
      value: { ...value, filters },
      changes: mapped.flatMap(({ changes }) => changes),
      problem: null,
    }
  } catch (error) {
    return { ...base, value: { ...value, filters: {} }, changes: [], problem: problemOf(error) }
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof NoEqual)) throw error
  return `no equal here for ${error.message}`
}

/** @param origin for notes: the service, project and environment. */
export function flagItems(
  exported: FeatureExport,
  segments: readonly Segment[],
  origin: string,
  now: Date,
): Item[] {
  const keys = keysOfFeatures(exported)
  const segmentKeys = new Map(segments.map(({ id, name }) => [id, name]))
  const parents = new Set(
    (exported.dependencies ?? []).flatMap((each) => each.dependencies.map(({ feature }) => feature)),
  )
  const strategiesOf = Map.groupBy(exported.featureStrategies, ({ featureName }) => featureName)
  const environmentsOf = Map.groupBy(exported.featureEnvironments ?? [], ({ featureName }) => featureName)
  const tagsOf = Map.groupBy(exported.featureTags ?? [], ({ featureName }) => featureName)
  const dependenciesOf = new Map(
    (exported.dependencies ?? []).toReversed().map((each) => [each.feature, each.dependencies]),
  )
  const children = new Set(
    [...dependenciesOf].filter(([, own]) => own.length > 0).map(([feature]) => feature),
  )
  return exported.features
    .filter(({ archived }) => archived !== true)
    .map((feature) => {
      const strategies = strategiesOf.get(feature.name) ?? []
      const [environment] = environmentsOf.get(feature.name) ?? []
      const tags = (tagsOf.get(feature.name) ?? []).map(({ tagType, tagValue }) =>
        tagType && tagType !== 'simple' ? `${tagType}:${tagValue}` : tagValue,
      )
      return flagItem({
        now,
        key: keys.get(feature.name)!,
        keys,
        feature,
        strategies,
        segmentKeys,
        tags,
        origin,
        isEnabled: environment?.enabled === true,
        isParent: parents.has(feature.name),
        legacyVariants: environment?.variants ?? [],
        dependencies: dependenciesOf.get(feature.name) ?? [],
        children,
      })
    })
}

interface FeatureParts {
  now: Date
  key: string
  /** Keys of the target by name. */
  keys: ReadonlyMap<string, string>
  /** Names of the features that depend on others. */
  children: ReadonlySet<string>
  feature: Feature
  strategies: readonly Strategy[]
  segmentKeys: ReadonlyMap<number, string>
  tags: string[]
  origin: string
  isEnabled: boolean
  /** Whether other features depend on the feature. */
  isParent: boolean
  legacyVariants: NonNullable<Strategy['variants']>
  dependencies: readonly Dependency[]
}

function flagItem(parts: FeatureParts): Item {
  const { feature, key, tags, origin, isEnabled, isParent } = parts
  const changes = [
    ...(key === feature.name
      ? []
      : [
          `is ${feature.name} in Unleash; a key has letters, numbers, - and _ only: ask for ${key} in your code`,
        ]),
    ...(feature.stale ? ['its mark as stale is left out'] : []),
  ]
  const base = {
    kind: 'flag' as const,
    key,
    note:
      `Imported from ${origin}${feature.createdAt ? `. Created ${feature.createdAt.slice(0, 10)}` : ''}.` +
      (feature.type ? ` Type ${feature.type}.` : ''),
    initial: feature.createdAt ? { created_at: feature.createdAt } : {},
  }
  const value = {
    ...initialValues('import'),
    name: feature.description ?? '',
    // No flag can depend on a disabled one here: it stays enabled and matches no one.
    active: isEnabled || isParent,
    tags,
  }
  try {
    const mapped = mapFilters(parts)
    if (!isEnabled && isParent)
      mapped.changes.push('stays enabled, with rollouts of 0 %: no flag can depend on a disabled one here')
    return {
      ...base,
      value: { ...value, filters: mapped.filters },
      changes: [...changes, ...mapped.changes],
      problem: null,
      ...(mapped.isDrawn ? { incomparable: 'both sides draw other people' } : {}),
    }
  } catch (error) {
    return { ...base, value: { ...value, filters: {} }, changes, problem: problemOf(error) }
  }
}

function mapFilters({
  now,
  keys,
  children,
  strategies,
  segmentKeys,
  legacyVariants,
  dependencies,
  isEnabled,
  isParent,
}: FeatureParts) {
  const enabled = strategies.filter(({ disabled }) => disabled !== true)
  const sets = enabled.map((strategy) => mapStrategy(strategy, segmentKeys, now))
  const variants = mapVariants(enabled, legacyVariants)
  const off = strategies.length - enabled.length
  const changes = [
    ...(off > 0 ? [`${off} disabled ${off === 1 ? 'strategy is' : 'strategies are'} left out`] : []),
    ...sets.flatMap((set) => set.changes),
    ...variants.changes,
  ]
  const parents = dependencies.map((dependency) => mapDependency(dependency, keys, children))
  for (const parent of parents) changes.push(...parent.changes)
  const properties = parents.map(({ property }) => property)
  const all = sets.length > 0 ? sets : [withoutStrategies(strategies.length === 0)]
  const groups = all.map(({ set }) => ({
    ...set,
    properties: [...properties, ...(set.properties as JsonObject[])],
    ...(!isEnabled && isParent ? { rollout_percentage: 0 } : {}),
  }))
  const filters: JsonObject = {
    groups,
    ...(variants.multivariate ? { multivariate: variants.multivariate, payloads: variants.payloads } : {}),
  }
  return { filters, changes, isDrawn: variants.changes.length > 0 || sets.some(({ isDrawn }) => isDrawn) }
}

/** A feature without strategies matches everyone; one whose strategies are all disabled matches no one. */
const withoutStrategies = (isForEverybody: boolean): MappedSet => ({
  set: { properties: [], rollout_percentage: isForEverybody ? 100 : 0 },
  changes: [],
  isDrawn: false,
})

/** The variant of an enabled feature without variants. */
const DEFAULT_VARIANT = 'disabled'

/** @throws NoEqual. */
function mapDependency(
  { feature, enabled, variants }: Dependency,
  keys: ReadonlyMap<string, string>,
  children: ReadonlySet<string>,
): { property: JsonObject; changes: string[] } {
  const [variant, ...others] = variants ?? []
  if (others.length > 0) throw new NoEqual(`a dependency on several variants of ${feature}`)
  const isDefault = enabled !== false && variant === DEFAULT_VARIANT
  return {
    property: {
      key: keys.get(feature) ?? feature,
      type: 'flag',
      operator: 'flag_evaluates_to',
      value: enabled === false ? false : isDefault ? true : (variant ?? true),
    },
    changes: [
      ...(children.has(feature)
        ? [`its parent ${feature} has a parent too: both count here, and Unleash never enables it`]
        : []),
      ...(isDefault
        ? [`the default variant of its parent ${feature} is no variant here: any value that is on counts`]
        : []),
    ],
  }
}
