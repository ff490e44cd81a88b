// Writes items through the target's public API.
import type { Kind } from '../model'
import type { Step } from '../plan'
import type { WriteContext } from './write-context'
import { writeCohort } from './write-cohort'
import { writeDefinition, writeGroupType, writeVariable } from './write-definitions'
import { type FlagPhase, writeFlag } from './write-flag'
import { writeQuery } from './write-query'
import {
  writeDashboard,
  writePolicy,
  writeProject,
  writeScheduledChange,
  writeWebhook,
} from './write-settings'

/** @returns what could not be written of the item, though the item was */
type Write = (context: WriteContext, step: Step, phase: FlagPhase) => Promise<string[] | void>

const WRITERS: Record<Kind, Write> = {
  group_type: writeGroupType,
  event_definition: (context, step) => writeDefinition(context, 'event_definitions', step),
  property_definition: (context, step) => writeDefinition(context, 'property_definitions', step),
  variable: writeVariable,
  cohort: writeCohort,
  flag: writeFlag,
  query: writeQuery,
  dashboard: writeDashboard,
  scheduled_change: writeScheduledChange,
  webhook: writeWebhook,
  project: writeProject,
  approval_policy: writePolicy,
}

/**
 * @returns what could not be written of the item, though the item was.
 * @throws CallError, UnknownReference.
 */
export const writeStep = async (context: WriteContext, step: Step, phase: FlagPhase): Promise<string[]> =>
  (await WRITERS[step.item.kind](context, step, phase)) ?? []
