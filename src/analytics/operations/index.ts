// Operations on people, on what they and their events have, and on what is drawn from it.
import type { Operation } from '../../http/operation'
import { retrieveCohortOperation } from './cohort-retrieve'
import { retrieveDashboardOperation } from './dashboard-retrieve'
import { updatePropertyDefinitionOperation } from './property-definition-update'
import { listPropertyDefinitionsOperation } from './property-definitions-list'

export const analyticsOperations: readonly Operation[] = [
  retrieveCohortOperation,
  retrieveDashboardOperation,
  listPropertyDefinitionsOperation,
  updatePropertyDefinitionOperation,
]
