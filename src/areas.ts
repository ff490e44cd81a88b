// All operations by area, for the app, the documentation and the tests.
import { accountOperations } from './account/operations'
import { analyticsOperations } from './analytics/operations'
import { endpointOperations } from './endpoints/operations'
import { cohortOperations, flagOperations } from './flags/operations'
import { operatorOperations } from './operator/operations'
import { sdkOperations } from './sdk/operations'
import { webhookOperations } from './webhooks/operations'
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
    description: 'Named queries with versions, run as endpoints.',
    operations: endpointOperations,
  },
  {
    tag: 'People',
    description: 'Persons, groups, cohorts, dashboards and definitions of events and properties.',
    operations: [...analyticsOperations, ...cohortOperations],
  },
  {
    tag: 'Webhooks',
    description: 'Changes of a project, sent to other services.',
    operations: webhookOperations,
  },
  {
    tag: 'Accounts',
    description: 'Users, organizations, projects, API keys and integrations.',
    operations: [...accountOperations, ...operatorOperations],
  },
]

/** SDK operations. They have no scopes, so the security suite does not cover them. */
export const sdkArea: SdkArea = {
  tag: 'SDK',
  description: 'Flag evaluation, flag definitions and events, for applications.',
  operations: sdkOperations,
}
