// Defines the pages of a project, for the navigation and the palette.
import { linkOptions } from '@tanstack/react-router'

export function pagesOf(projectId: number) {
  const params = { projectId }
  return {
    flags: linkOptions({ to: '/project/$projectId/feature_flags', params, search: {} }),
    newFlag: linkOptions({ to: '/project/$projectId/feature_flags/new', params, search: {} }),
    requests: linkOptions({ to: '/project/$projectId/change_requests', params, search: {} }),
    activity: linkOptions({ to: '/project/$projectId/activity', params, search: {} }),
    events: linkOptions({ to: '/project/$projectId/events', params, search: {} }),
    people: linkOptions({ to: '/project/$projectId/persons', params, search: {} }),
    groups: linkOptions({
      to: '/project/$projectId/groups/$typeIndex',
      params: { projectId, typeIndex: 0 },
      search: {},
    }),
    cohorts: linkOptions({ to: '/project/$projectId/cohorts', params, search: {} }),
    newCohort: linkOptions({ to: '/project/$projectId/cohorts/new', params, search: {} }),
    queries: linkOptions({ to: '/project/$projectId/endpoints', params, search: {} }),
    newQuery: linkOptions({ to: '/project/$projectId/endpoints/new', params, search: {} }),
    dashboards: linkOptions({ to: '/project/$projectId/dashboard', params, search: {} }),
    start: linkOptions({ to: '/project/$projectId/start', params }),
    project: linkOptions({ to: '/project/$projectId/settings/project', params }),
    approvals: linkOptions({ to: '/project/$projectId/settings/approvals', params }),
    webhooks: linkOptions({ to: '/project/$projectId/settings/webhooks', params }),
    import: linkOptions({ to: '/project/$projectId/settings/import', params }),
    organization: linkOptions({ to: '/project/$projectId/settings/organization', params }),
    members: linkOptions({ to: '/project/$projectId/settings/members', params }),
    service: linkOptions({ to: '/project/$projectId/settings/service', params }),
  }
}

/** The keys that open pages after `g`, and what the help calls those. */
export const GO_KEYS = [
  ['f', 'flags', 'feature flags'],
  ['q', 'queries', 'saved queries'],
  ['d', 'dashboards', 'dashboards'],
  ['c', 'cohorts', 'cohorts'],
  ['e', 'events', 'events'],
  ['p', 'people', 'people'],
  ['g', 'groups', 'groups'],
  ['a', 'activity', 'activity'],
  ['m', 'members', 'members'],
] as const

export const toFlag = (projectId: number, flagId: number) =>
  linkOptions({ to: '/project/$projectId/feature_flags/$flagId', params: { projectId, flagId }, search: {} })
