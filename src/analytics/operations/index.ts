// Operations on people, on what they and their events have, and on what is drawn from it.
import type { Operation } from '../../http/operation'
import { retrieveCohort } from './cohort-retrieve'
import { retrieveDashboard } from './dashboard-retrieve'
import { updatePropertyDefinition } from './property-definition-update'
import { listPropertyDefinitions } from './property-definitions-list'

export const analyticsOperations: readonly Operation[] = [
  retrieveCohort,
  retrieveDashboard,
  listPropertyDefinitions,
  updatePropertyDefinition,
]
