import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { readInstanceStatus, requireStaff } from '../instance-status'
import { InstanceStatus } from '../instance-status-record'

export const instanceStatusOperation = operation({
  id: 'instance_status_retrieve',
  method: 'get',
  path: '/api/instance_status/',
  summary: 'Read the state of the deployment',
  description:
    'For staff. A shard or KV that does not respond within 3 seconds is null. Without the main database, the response is a 503.',
  scope: null,
  responses: { 200: InstanceStatus },
  async handle({ deps, actor }) {
    requireStaff(actor)
    return readInstanceStatus(deps)
  },
})

export const instanceStatusDocs = (): OperationDocs => ({})
