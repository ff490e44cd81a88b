// Writes items through the target's public API.
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

/**
 * @returns what could not be written of the item, though the item was.
 * @throws CallError, UnknownReference.
 */
export async function writeStep(context: WriteContext, step: Step, phase: FlagPhase): Promise<string[]> {
  switch (step.item.kind) {
    case 'group_type':
      return writeGroupType(context, step)
    case 'event_definition':
      return writeDefinition(context, 'event_definitions', step)
    case 'property_definition':
      return writeDefinition(context, 'property_definitions', step)
    case 'variable':
      return writeVariable(context, step)
    case 'cohort':
      return writeCohort(context, step)
    case 'flag':
      return writeFlag(context, step, phase)
    case 'query':
      return writeQuery(context, step)
    case 'dashboard':
      return writeDashboard(context, step)
    case 'scheduled_change':
      return writeScheduledChange(context, step)
    case 'webhook':
      return writeWebhook(context, step)
    case 'project':
      return writeProject(context, step)
    case 'approval_policy':
      return writePolicy(context, step)
  }
}
