// The operations of this area. Routing, OpenAPI and the security suite derive from this list.
import {
  createActionOperation,
  listActionsOperation,
  patchActionOperation,
  putActionOperation,
  retrieveActionOperation,
} from './actions'
import type { GroupDocs } from '../../http/docs/operation-docs'
import { inEnvironment, type Operation } from '../../http/operation'
import { listActivityOperation } from './activity-log'
import { bulkUpdateTagsOperation } from './bulk-update-tags'
import { createEndpointOperation } from './create'
import { deleteEndpointOperation } from './destroy'
import { lastExecutionTimesOperation } from './last-execution-times'
import { listEndpointsOperation } from './list'
import { endpointLogOperation } from './logs'
import { materializationConditionsOperation } from './materialization-conditions'
import { materializationPreviewOperation } from './materialization-preview'
import { materializationSuggestionOperation } from './materialization-suggestion'
import { materializationStatusOperation } from './materialization-status'
import { openApiOperation } from './openapi'
import { queryOperation } from './query'
import { retrieveEndpointOperation } from './retrieve'
import { runOperation, runWithoutBodyOperation } from './run'
import { replaceEndpointOperation, updateEndpointOperation } from './update'
import {
  createVariableOperation,
  deleteVariableOperation,
  listVariablesOperation,
  retrieveVariableOperation,
  updateVariableOperation,
} from './variables'
import { listVersionsOperation } from './versions'

/** Returns each operation inside projects and inside environments. */
const inBothForms = (operations: readonly Operation[]): Operation[] =>
  operations.flatMap((operation) => [operation, inEnvironment(operation)])

export const endpointOperations: readonly Operation[] = [
  ...inBothForms([
    listEndpointsOperation,
    createEndpointOperation,
    retrieveEndpointOperation,
    updateEndpointOperation,
    replaceEndpointOperation,
    deleteEndpointOperation,
    listVersionsOperation,
    runWithoutBodyOperation,
    runOperation,
    endpointLogOperation,
    materializationPreviewOperation,
    materializationConditionsOperation,
    materializationSuggestionOperation,
    openApiOperation,
    materializationStatusOperation,
    lastExecutionTimesOperation,
    bulkUpdateTagsOperation,
    listActivityOperation,
    queryOperation,
    listVariablesOperation,
    createVariableOperation,
    retrieveVariableOperation,
    updateVariableOperation,
    deleteVariableOperation,
  ]),
  listActionsOperation,
  createActionOperation,
  retrieveActionOperation,
  patchActionOperation,
  putActionOperation,
]

export const endpointOperationsDocs = (): GroupDocs => ({
  tags: [
    [
      /^\/api\/environments\//,
      {
        name: 'Saved queries in environments',
        description: 'The same operations under `/api/environments/`, for clients that use these paths.',
      },
    ],
    [/\/actions\//, { name: 'Actions', description: 'Named conditions on events, for queries.' }],
    [
      /\/insight_variables\//,
      {
        name: 'Query variables',
        description: 'Variables of queries (`{variables.…}`), with type and default.',
      },
    ],
  ],
})
