// The areas of the service, each with its operations: the one list that the app, the document and the tests start from.
import { accountOperations } from './account/operations'
import { analyticsOperations } from './analytics/operations'
import { endpointOperations } from './endpoints/operations'
import { flagOperations } from './flags/operations'
import { sdkOperations } from './sdk/operations'
import type { Operation } from './http/operation'
import type { SdkOperation } from './sdk/operation'

export interface Area {
  tag: string
  description: string
  operations: readonly Operation[]
}

export interface SdkArea {
  tag: string
  description: string
  operations: readonly SdkOperation[]
}

export const areas: readonly Area[] = [
  {
    tag: 'Feature flags',
    description: 'Create, target, roll out and retire flags.',
    operations: flagOperations,
  },
  {
    tag: 'Saved queries',
    description: 'Queries with a name, kept in versions and run as endpoints.',
    operations: endpointOperations,
  },
  {
    tag: 'People',
    description: 'Cohorts, and dashboards drawn from captured events.',
    operations: analyticsOperations,
  },
  {
    tag: 'Accounts',
    description: 'Users, the organizations and projects they are in, and what they are linked to.',
    operations: accountOperations,
  },
]

/** What SDKs call; not for the suites that try every operation with keys and scopes. */
export const sdkArea: SdkArea = {
  tag: 'SDK',
  description: 'What applications call: flags for somebody, their definitions, and events.',
  operations: sdkOperations,
}
