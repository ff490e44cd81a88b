import type { Operation } from '../../http/operation'
import * as dashboards from './dashboards'
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
  listGroupTypesOperation,
  listGroupsOperation,
  findGroupOperation,
  listGroupValuesOperation,
  listEventValuesOperation,
  listIngestionWarningsOperation,
  dashboards.listDashboardsOperation,
  dashboards.retrieveDashboardOperation,
  dashboards.createDashboardOperation,
  dashboards.updateDashboardOperation,
  definitions.listPropertyDefinitionsOperation,
  definitions.retrievePropertyDefinitionOperation,
  definitions.updatePropertyDefinitionOperation,
  definitions.listEventDefinitionsOperation,
  definitions.retrieveEventDefinitionOperation,
  definitions.updateEventDefinitionOperation,
]
