import * as z from 'zod'
import { ActivityPage, type ActivityScope } from '../../activity/entry'
import { MAX_FILTERED_ENTRIES, readActivityPage } from '../../activity/list'
import { activityParameters, ActivityQuery } from '../../activity/page'
import { NO_PROJECT } from '../../activity/record'
import type { Actor, Project } from '../../auth/actor'
import { projectsOnly } from '../../auth/authorize'
import { requireScope, type Scope } from '../../auth/scopes'
import { invalid } from '../../errors'
import { boolean, endTimestamp, timestamp } from '../../http/fields'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { EXAMPLE_ENDPOINT_ID, EXAMPLE_NAME } from '../endpoint-example'

/** The scopes of entries about the project's organization, with the scope that a key needs for them. */
const OF_ORGANIZATION: Readonly<Partial<Record<ActivityScope, Scope>>> = {
  Organization: 'organization:read',
  OrganizationMembership: 'organization_member:read',
}

const SCOPES = [
  'Endpoint',
  'EndpointVersion',
  'DataWarehouseSavedQuery',
  'FeatureFlag',
  'Cohort',
  'Person',
  'Dashboard',
  'EventDefinition',
  'PropertyDefinition',
  'ApprovalPolicy',
  'ChangeRequest',
  'ScheduledChange',
  'Webhook',
  'Action',
  'Project',
  'InsightVariable',
  'Organization',
  'OrganizationMembership',
] as const satisfies readonly ActivityScope[]

const USER = /^(system|\d{1,15}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[^\s@]+@[^\s@]+)$/i

const Query = ActivityQuery.extend({
  scope: z.enum(SCOPES),
  item_id: z.string().optional(),
  user: z
    .string()
    .max(254)
    .refine((user) => USER.test(user), {
      error: 'Must be the id, uuid or email address of a user, or "system".',
    })
    .optional(),
  was_impersonated: boolean().optional(),
  start_date: timestamp().optional(),
  end_date: endTimestamp().optional(),
})

/** @throws 400 for an empty range, and for a page past the end of every filtered list. */
function filterOf(
  {
    user,
    was_impersonated: wasImpersonated,
    start_date: from,
    end_date: to,
    page,
    limit,
  }: z.output<typeof Query>,
  isOfOrganization: boolean,
) {
  const isFiltered =
    user !== undefined || wasImpersonated !== undefined || from !== undefined || to !== undefined
  if (!isFiltered && !isOfOrganization) return undefined
  if (from !== undefined && to !== undefined && to < from) {
    throw invalid('end_date', 'Must not be before start_date.')
  }
  if ((page - 1) * limit >= MAX_FILTERED_ENTRIES) {
    throw invalid(
      'page',
      `A filtered list has at most ${MAX_FILTERED_ENTRIES} entries. Set end_date to list older ones.`,
    )
  }
  return { user, wasImpersonated, from, to }
}

/** Returns the part of the log that a caller asks for. @throws 403 for a key that may not list the members of the organization */
function ownerOf(actor: Actor, project: Project, { scope, item_id: itemId }: z.output<typeof Query>) {
  const ofOrganization = { projectId: NO_PROJECT, organizationId: project.organizationId }
  // The log of a deleted project is deleted. That of the organization says who deleted the project.
  const isOtherProject = scope === 'Project' && itemId !== undefined && itemId !== String(project.id)
  if (isOtherProject && !(actor.kind === 'apiKey' && actor.scopedTeams.length > 0)) return ofOrganization
  const needed = OF_ORGANIZATION[scope]
  if (!needed) return { projectId: project.id }
  if (actor.kind === 'apiKey') {
    requireScope(actor.scopes, needed)
    if (actor.scopedTeams.length > 0) throw projectsOnly()
  }
  return ofOrganization
}

export const listActivityOperation = operation({
  id: 'activity_log_list',
  method: 'get',
  path: '/api/projects/:project_id/activity_log/',
  summary: 'List changes of saved queries and other items',
  description: 'Newest first, deleted items too; one kind of item a call.',
  scope: 'activity_log:read',
  query: Query,
  responses: { 200: ActivityPage },
  async handle({ deps, actor, project, query, url }) {
    const { scope, item_id: itemId } = query
    if (scope === 'FeatureFlag' && itemId !== undefined && !/^\d+$/.test(itemId))
      throw invalid('item_id', 'The id of a flag is a number, and not its key.')
    const owner = ownerOf(actor, project, query)
    const selection = {
      ...owner,
      scope,
      ...(itemId === undefined ? {} : { itemId }),
      filter: filterOf(query, 'organizationId' in owner),
    }
    return readActivityPage(deps, url, selection, query)
  },
})

export const listActivityDocs = (): OperationDocs => ({
  parameters: {
    ...activityParameters(),
    scope: {
      description:
        '`EndpointVersion`: fields of a version. `DataWarehouseSavedQuery`: materialization. `OrganizationMembership` needs `organization_member:read`, `Organization` `organization:read`.',
      example: 'EndpointVersion',
    },
    item_id: 'Of an item; for versions the endpoint, for materializations `saved_query_id`.',
    user: 'Id, uuid or email; or `system`.',
    was_impersonated: 'Whether staff acted as the user.',
    start_date: 'ISO 8601, included.',
    end_date: 'ISO 8601, included. A date alone includes that day in UTC.',
  },
  response: {
    example: {
      results: [
        {
          id: '019d4d95-2d80-7b3e-8a51-0a5d1c2f9c44',
          activity: 'version_updated',
          scope: 'EndpointVersion',
          item_id: EXAMPLE_ENDPOINT_ID,
          detail: {
            id: EXAMPLE_ENDPOINT_ID,
            changes: [
              {
                type: 'EndpointVersion',
                action: 'changed',
                field: 'data_freshness_seconds',
                before: 86_400,
                after: 3600,
              },
            ],
            name: EXAMPLE_NAME,
            context: { version: 1 },
          },
          created_at: '2026-04-02T09:45:00.125000Z',
        },
      ],
    },
  },
  tool: { name: 'activity-logs-list' },
  sample: { needs: ['NAME'], query: { scope: 'Endpoint' } },
})
