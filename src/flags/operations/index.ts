// Every operation on flags. Routing, OpenAPI and the security suite derive from this list.
import type { Operation } from '../../http/operation'
import { enrichDashboardOperation } from './enrich-usage-dashboard'
import { evaluationReasonsOperation } from './evaluation-reasons'
import { listFlagActivityOperation } from './activity'
import { listAllActivityOperation } from './activity-all'
import { bulkDeleteOperation } from './bulk-delete'
import { bulkKeysOperation } from './bulk-keys'
import { bulkUpdateTagsOperation } from './bulk-update-tags'
import { createFlagOperation } from './create'
import { createStaticCohortOperation } from './create-static-cohort'
import { createDashboardOperation } from './dashboard'
import { listDependentFlagsOperation } from './dependent-flags'
import { destroyFlagOperation } from './destroy'
import { listFlagsOperation } from './list'
import { matchingIdsOperation } from './matching-ids'
import { myFlagsOperation } from './my-flags'
import { remoteConfigOperation } from './remote-config'
import { retrieveFlagOperation } from './retrieve'
import { flagStatusOperation } from './status'
import { testEvaluationOperation } from './test-evaluation'
import { updateFlagOperation } from './update'
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
