// A snapshot in memory: put together from its parts, and compiled.
import type { FeedDefinition } from './definitions'
import { compile } from '../evaluation/compile/compile'
import type { CompiledFlagSet } from '../evaluation/compile/compiled'
import { byDependency } from '../evaluation/compile/dependency-order'
import { merge, type Requirements, type RequirementsByFlag, requirementsOf } from '../evaluation/requirements'
import type { Manifest, PartContent, Snapshot } from './manifest'

export interface LoadedSnapshot {
  readonly snapshot: Snapshot
  readonly compiled: CompiledFlagSet<FeedDefinition>
  /** Person data that evaluation needs, for each flag and for all flags. */
  readonly requirements: {
    readonly byFlag: RequirementsByFlag
    readonly together: Requirements
  }
}

/**
 * Compiles a snapshot from its parts, in any order. Recompiles only flags whose part or cohort has changed.
 * @param known an earlier snapshot of the project; a part that both have is the same object in both.
 */
export function compileSnapshot(
  { format: _format, parts: _parts, ...facts }: Manifest,
  contents: readonly PartContent[],
  known?: LoadedSnapshot,
): LoadedSnapshot {
  const snapshot: Snapshot = {
    ...facts,
    // In the order in which they were made.
    flags: contents.flatMap(({ flags }) => flags).toSorted((a, b) => a.id - b.id),
    cohorts: contents.flatMap(({ cohorts }) => cohorts).toSorted((a, b) => a.id - b.id),
  }
  const similar = known && hasSameCohorts(known.snapshot, snapshot) ? known : undefined
  const compiled = similar ? update(similar.compiled, snapshot) : compile(snapshot)
  const byFlag = requirementsOf(compiled, similar?.requirements.byFlag)
  return { snapshot, compiled, requirements: { byFlag, together: merge([...byFlag.values()]) } }
}

const hasSameCohorts = (a: Snapshot, b: Snapshot): boolean =>
  a.property_matching_version === b.property_matching_version &&
  a.cohorts.length === b.cohorts.length &&
  a.cohorts.every((cohort, at) => cohort === b.cohorts[at])

/** The compiled snapshot, with the flags of `known` whose definitions it shares. */
function update(known: CompiledFlagSet<FeedDefinition>, snapshot: Snapshot): CompiledFlagSet<FeedDefinition> {
  const byDefinition = new Map(known.flags.map((flag) => [flag.definition, flag]))
  const changed = compile({ ...snapshot, flags: snapshot.flags.filter((flag) => !byDefinition.has(flag)) })
  for (const flag of changed.flags) byDefinition.set(flag.definition, flag)
  const flags = snapshot.flags.map((definition) => byDefinition.get(definition)!)
  const byId = new Map(flags.map((flag) => [flag.definition.id, flag]))
  return {
    ...changed,
    flags,
    byKey: new Map(flags.map((flag) => [flag.key, flag])),
    byId,
    ...byDependency(flags, byId),
  }
}
