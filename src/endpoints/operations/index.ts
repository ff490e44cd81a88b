// Every operation on saved queries. Routing, OpenAPI and the security suite derive from this list.
import type { Operation } from '../../http/operation'
import { bulkUpdateTags } from './bulk-update-tags'
import { create } from './create'
import { destroy } from './destroy'
import { lastExecutionTimes } from './last-execution-times'
import { list } from './list'
import { endpointLog } from './logs'
import { materializationConditions } from './materialization-conditions'
import { materializationPreview } from './materialization-preview'
import { materializationSuggestion } from './materialization-suggestion'
import { materializationStatus } from './materialization-status'
import { openApi } from './openapi'
import { retrieve } from './retrieve'
import { run, runWithoutBody } from './run'
import { replace, update } from './update'
import {
  createVariableOperation,
  deleteVariableOperation,
  listVariablesOperation,
  retrieveVariable,
  updateVariableOperation,
} from './variables'
import { versions } from './versions'

/**
 * Each operation twice: inside a project, as it is written, and inside an environment, which is its project by another name (decision 1).
 */
const inBothForms = (operations: readonly Operation[]): Operation[] =>
  operations.flatMap((operation) => [operation, inEnvironment(operation)])

const inEnvironment = (operation: Operation): Operation => ({
  ...operation,
  id: `environments_${operation.id}`,
  path: operation.path.replace('/api/projects/:project_id/', '/api/environments/:environment_id/'),
})

export const endpointOperations: readonly Operation[] = inBothForms([
  list,
  create,
  retrieve,
  update,
  replace,
  destroy,
  versions,
  runWithoutBody,
  run,
  endpointLog,
  materializationPreview,
  materializationConditions,
  materializationSuggestion,
  openApi,
  materializationStatus,
  lastExecutionTimes,
  bulkUpdateTags,
  listVariablesOperation,
  createVariableOperation,
  retrieveVariable,
  updateVariableOperation,
  deleteVariableOperation,
])
