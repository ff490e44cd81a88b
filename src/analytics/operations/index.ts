import type { Operation } from '../../http/operation'
import { listCohortsOperation, retrieveCohortOperation } from './cohorts'
import { retrieveDashboardOperation } from './dashboard-retrieve'
import { listEventValuesOperation } from './events'
import {
  findGroupOperation,
  listGroupsOperation,
  listGroupTypesOperation,
  listGroupValuesOperation,
} from './groups'
import { listIngestionWarningsOperation } from './ingestion-warnings'
import {
  destroyPersonOperation,
  listPersonsOperation,
  listPersonValuesOperation,
  retrievePersonOperation,
} from './persons'
import * as definitions from './property-definitions'

export const analyticsOperations: readonly Operation[] = [
  listPersonsOperation,
  retrievePersonOperation,
  destroyPersonOperation,
  listPersonValuesOperation,
  listCohortsOperation,
  retrieveCohortOperation,
  listGroupTypesOperation,
  listGroupsOperation,
  findGroupOperation,
  listGroupValuesOperation,
  listEventValuesOperation,
  listIngestionWarningsOperation,
  retrieveDashboardOperation,
  definitions.listPropertyDefinitionsOperation,
  definitions.retrievePropertyDefinitionOperation,
  definitions.updatePropertyDefinitionOperation,
  definitions.listEventDefinitionsOperation,
  definitions.retrieveEventDefinitionOperation,
  definitions.updateEventDefinitionOperation,
]
