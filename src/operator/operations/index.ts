import { type Operation, operation } from '../../http/operation'
import { readInstanceStatus, requireStaff } from '../instance-status'
import { InstanceStatus } from '../instance-status-record'

const instanceStatusOperation = operation({
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

export const operatorOperations: readonly Operation[] = [instanceStatusOperation]
