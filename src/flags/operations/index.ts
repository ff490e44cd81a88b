// Every operation on flags. Routing, OpenAPI and the security suite derive from this list.
import type { Operation } from '../../http/operation'
import { enrichDashboard } from './enrich-usage-dashboard'
import { evaluationReasons } from './evaluation-reasons'
import { flagActivity } from './activity'
import { allFlagsActivity } from './activity-all'
import { bulkDelete } from './bulk-delete'
import { bulkKeys } from './bulk-keys'
import { bulkUpdateTags } from './bulk-update-tags'
import { create } from './create'
import { createCohort } from './create-static-cohort'
import { dashboard } from './dashboard'
import { dependentFlags } from './dependent-flags'
import { destroy } from './destroy'
import { listFlags } from './list'
import { matchingIds } from './matching-ids'
import { myFlags } from './my-flags'
import { remoteConfig } from './remote-config'
import { retrieve } from './retrieve'
import { status } from './status'
import { testEvaluation } from './test-evaluation'
import { update } from './update'
import { userBlastRadius } from './user-blast-radius'
import { version } from './versions'

export const flagOperations: readonly Operation[] = [
  listFlags,
  create,
  retrieve,
  update,
  destroy,
  flagActivity,
  allFlagsActivity,
  version,
  status,
  dependentFlags,
  remoteConfig,
  testEvaluation,
  evaluationReasons,
  myFlags,
  matchingIds,
  userBlastRadius,
  createCohort,
  dashboard,
  enrichDashboard,
  bulkDelete,
  bulkKeys,
  bulkUpdateTags,
]
