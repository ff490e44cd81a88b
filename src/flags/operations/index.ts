// Every operation on flags and cohorts. Routing, OpenAPI and the security suite derive from these lists.
import type { Operation } from '../../http/operation'
import * as activity from './activity'
import { bulkDeleteOperation } from './bulk-delete'
import { bulkRestoreOperation } from './bulk-restore'
import { bulkKeysOperation } from './bulk-keys'
import { bulkUpdateTagsOperation } from './bulk-update-tags'
import * as cohortMembers from './cohort-members'
import * as cohorts from './cohorts'
import { createStaticCohortOperation } from './create-static-cohort'
import { listDependentFlagsOperation } from './dependent-flags'
import { evaluationReasonsOperation } from './evaluation-reasons'
import * as flags from './flags'
import { myFlagsOperation } from './my-flags'
import { listCohortsOperation, retrieveCohortOperation } from './read-cohorts'
import { remoteConfigOperation } from './remote-config'
import * as approvalPolicies from './approval-policies'
import * as changeRequests from './change-requests'
import * as scheduled from './scheduled-changes'
import { testEvaluationOperation } from './test-evaluation'
import * as usageDashboard from './usage-dashboard'
import { userBlastRadiusOperation } from './user-blast-radius'
import { retrieveVersionOperation } from './versions'

export const flagOperations: readonly Operation[] = [
  flags.listFlagsOperation,
  flags.createFlagOperation,
  flags.retrieveFlagOperation,
  flags.updateFlagOperation,
  flags.destroyFlagOperation,
  activity.listFlagActivityOperation,
  activity.listAllActivityOperation,
  retrieveVersionOperation,
  flags.flagStatusOperation,
  listDependentFlagsOperation,
  remoteConfigOperation,
  testEvaluationOperation,
  evaluationReasonsOperation,
  myFlagsOperation,
  flags.matchingIdsOperation,
  userBlastRadiusOperation,
  createStaticCohortOperation,
  usageDashboard.createDashboardOperation,
  usageDashboard.enrichDashboardOperation,
  bulkDeleteOperation,
  bulkRestoreOperation,
  bulkKeysOperation,
  bulkUpdateTagsOperation,
  scheduled.listScheduledChangesOperation,
  scheduled.createScheduledChangeOperation,
  scheduled.retrieveScheduledChangeOperation,
  scheduled.patchScheduledChangeOperation,
  scheduled.putScheduledChangeOperation,
  scheduled.destroyScheduledChangeOperation,
  approvalPolicies.listApprovalPoliciesOperation,
  approvalPolicies.createApprovalPolicyOperation,
  approvalPolicies.retrieveApprovalPolicyOperation,
  approvalPolicies.patchApprovalPolicyOperation,
  approvalPolicies.putApprovalPolicyOperation,
  approvalPolicies.destroyApprovalPolicyOperation,
  changeRequests.listChangeRequestsOperation,
  changeRequests.retrieveChangeRequestOperation,
  changeRequests.approveChangeRequestOperation,
  changeRequests.rejectChangeRequestOperation,
  changeRequests.cancelChangeRequestOperation,
]

/** Operations of cohorts, which flags evaluate. */
export const cohortOperations: readonly Operation[] = [
  listCohortsOperation,
  retrieveCohortOperation,
  cohorts.createCohortOperation,
  cohorts.patchCohortOperation,
  cohorts.putCohortOperation,
  cohortMembers.addPersonsOperation,
  cohortMembers.removePersonOperation,
  cohorts.listCohortActivityOperation,
  cohorts.listCohortUsesOperation,
  cohortMembers.listMembersOperation,
]
