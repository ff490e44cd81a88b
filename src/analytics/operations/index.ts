import type { Operation } from '../../http/operation'
import { retrieveCohortOperation } from './cohort-retrieve'
import { retrieveDashboardOperation } from './dashboard-retrieve'
import { listPropertyDefinitionsOperation, updatePropertyDefinitionOperation } from './property-definitions'

export const analyticsOperations: readonly Operation[] = [
  retrieveCohortOperation,
  retrieveDashboardOperation,
  listPropertyDefinitionsOperation,
  updatePropertyDefinitionOperation,
]
