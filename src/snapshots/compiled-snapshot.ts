// A snapshot in memory: a document, compiled.
import type { FeedDefinition } from './definitions'
import { compile } from '../evaluation/compile/compile'
import type { CompiledFlagSet } from '../evaluation/compile/compiled'
import { byDependency } from '../evaluation/compile/dependency-order'
import {
  cohortRequirementsOf,
  type Requirements,
  type RequirementsByCohort,
  type RequirementsByFlag,
  requirementsOf,
  requirementsTogether,
} from '../evaluation/requirements'
import { sameJson } from '../json'
import type { Snapshot } from './document'

export interface LoadedSnapshot {
  readonly snapshot: Snapshot
  readonly compiled: CompiledFlagSet<FeedDefinition>
  /** The person data that evaluation needs: for each flag, for each cohort and for all flags. */
  readonly requirements: {
    readonly byFlag: RequirementsByFlag
    readonly byCohort: RequirementsByCohort
    readonly together: Requirements
  }
}

/**
 * Compiles a document. A flag whose definition is that of an earlier snapshot keeps its compiled form, unless cohorts have changed.
 * @param known an earlier snapshot of the project
 */
export function compileSnapshot(document: Snapshot, known?: LoadedSnapshot): LoadedSnapshot {
  const isSimilar =
    known?.snapshot.property_matching_version === document.property_matching_version &&
    sameJson(known.snapshot.cohorts, document.cohorts)
  if (!isSimilar) return loaded(document, compile(document))
  const snapshot = { ...document, cohorts: known.snapshot.cohorts, flags: kept(document.flags, known) }
  return loaded(snapshot, update(known.compiled, snapshot), known.requirements.byFlag)
}

function loaded(
  snapshot: Snapshot,
  compiled: CompiledFlagSet<FeedDefinition>,
  known?: RequirementsByFlag,
): LoadedSnapshot {
  const byFlag = requirementsOf(compiled, known)
  const byCohort = cohortRequirementsOf(compiled)
  const together = requirementsTogether(byFlag, byCohort)
  return { snapshot, compiled, requirements: { byFlag, byCohort, together } }
}

/** Returns the definitions, with the earlier object in place of each that has not changed. */
const kept = (flags: readonly FeedDefinition[], { compiled }: LoadedSnapshot): FeedDefinition[] =>
  flags.map((flag) => {
    const before = compiled.byId.get(flag.id)?.definition
    return before && sameJson(before, flag) ? before : flag
  })

/** Returns the compiled snapshot, with the flags of `known` whose definitions it shares. */
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
