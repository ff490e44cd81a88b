// The areas of the service, each with its operations: the one list that the document and the tests start from.
import { flagOperations } from '../flags/operations'
import type { Area } from './openapi'

export const areas: readonly Area[] = [
  {
    tag: 'Feature flags',
    description: 'Create, target, roll out and retire flags.',
    operations: flagOperations,
  },
]
