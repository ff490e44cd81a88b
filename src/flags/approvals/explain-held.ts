// The error of a write that waits for approval, in upstream's form.
import { ApiError } from '../../errors'
import type { FlagContext } from '../context'
import { APPROVAL_REQUIRED } from './approval-types'
import { findRequest, getRecord } from './read-requests'

/** @param rejection the error, with the id of the request */
export async function explainHeld(context: FlagContext, id: string, rejection: ApiError): Promise<ApiError> {
  const row = await findRequest(context, id)
  const record = await getRecord(context, row)
  const { resource_type, resource_id } = record
  const common = { resource_type, resource_id, change_request_id: id }
  const { status, type, code, detail } = rejection
  const { quorum, users } = row.policy
  return new ApiError({
    status,
    type,
    code,
    detail,
    more:
      code === APPROVAL_REQUIRED
        ? {
            status: APPROVAL_REQUIRED,
            message: 'A change request has been created and is pending approval.',
            ...common,
            change_request: record,
            required_approvers: { quorum, users, roles: [] },
          }
        : {
            error: 'A pending approval request already exists for this action',
            ...common,
            existing_change_request: record,
          },
  })
}
