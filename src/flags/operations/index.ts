// Every operation on flags. Routing, OpenAPI and the security suite derive from this list.
import type { Operation } from '../../http/operation'
import { listAllActivityOperation, listFlagActivityOperation } from './activity'
import { bulkDeleteOperation } from './bulk-delete'
import { bulkKeysOperation } from './bulk-keys'
import { bulkUpdateTagsOperation } from './bulk-update-tags'
import { createStaticCohortOperation } from './create-static-cohort'
import { listDependentFlagsOperation } from './dependent-flags'
import { evaluationReasonsOperation } from './evaluation-reasons'
import {
  createFlagOperation,
  destroyFlagOperation,
  flagStatusOperation,
  listFlagsOperation,
  matchingIdsOperation,
  retrieveFlagOperation,
  updateFlagOperation,
} from './flags'
import { myFlagsOperation } from './my-flags'
import { remoteConfigOperation } from './remote-config'
import { testEvaluationOperation } from './test-evaluation'
import { createDashboardOperation, enrichDashboardOperation } from './usage-dashboard'
import { userBlastRadiusOperation } from './user-blast-radius'
import { retrieveVersionOperation } from './versions'

export const flagOperations: readonly Operation[] = [
  listFlagsOperation,
  createFlagOperation,
  retrieveFlagOperation,
  updateFlagOperation,
  destroyFlagOperation,
  listFlagActivityOperation,
  listAllActivityOperation,
  retrieveVersionOperation,
  flagStatusOperation,
  listDependentFlagsOperation,
  remoteConfigOperation,
  testEvaluationOperation,
  evaluationReasonsOperation,
  myFlagsOperation,
  matchingIdsOperation,
  userBlastRadiusOperation,
  createStaticCohortOperation,
  createDashboardOperation,
  enrichDashboardOperation,
  bulkDeleteOperation,
  bulkKeysOperation,
  bulkUpdateTagsOperation,
]
