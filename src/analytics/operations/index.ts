import type { Operation } from '../../http/operation'
import { listCohortsOperation, retrieveCohortOperation } from './cohorts'
import { retrieveDashboardOperation } from './dashboard-retrieve'
import { findGroupOperation, listGroupsOperation, listGroupTypesOperation } from './groups'
import { listPersonsOperation, retrievePersonOperation } from './persons'
import { listPropertyDefinitionsOperation, updatePropertyDefinitionOperation } from './property-definitions'

export const analyticsOperations: readonly Operation[] = [
  listPersonsOperation,
  retrievePersonOperation,
  listCohortsOperation,
  retrieveCohortOperation,
  listGroupTypesOperation,
  listGroupsOperation,
  findGroupOperation,
  retrieveDashboardOperation,
  listPropertyDefinitionsOperation,
  updatePropertyDefinitionOperation,
]
