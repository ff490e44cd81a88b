// Defines the pages by address. Addresses are those of the upstream service, so that links to it work here.
import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  type StaticDataRouteOption,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { User } from './api/client'
import { cohortListQuery } from './api/cohorts'
import { dashboardListQuery } from './api/dashboards'
import { flagsQuery, meQuery, queryClient, switchTo } from './api/queries'
import { NotLoaded, Problem } from './api/problem'
import { variablesIn } from './design/address'
import { PageLoading } from './design/feedback'
import { PageTitle } from './design/page-title'
import { FlagsPage } from './flags/flags-page'
import { endpointsQuery } from './api/saved-queries'
import { parseAccountSearch } from './account/search'
import { parseActivitySearch } from './activity/search'
import { cohortFilterOf, parseCohortSearch } from './cohorts/search'
import { dashboardFilterOf, parseDashboardSearch, parseDashboardsSearch } from './dashboards/search'
import { filterOf, parseQuerySearch } from './queries/search'
import type { Values } from './query/draft'
import { type Kind, KINDS } from './query/kinds'
import { parseEventSearch } from './events/search'
import { parseFlagSearch } from './flags/search'
import { parsePeopleSearch } from './people/search'
import { AccountShell } from './shell/account-shell'
import { ErrorPage, NotFound, NotFoundPage, PageError } from './shell/error-page'
import { Frame, FrameLoading } from './shell/frame'
import { OpenedDialog } from './shell/opened-dialog'

/** A page whose code the router loads before it shows the page. A failure takes the place of the page, within the frame. */
function page<Code extends object>(load: () => Promise<Code>, name: keyof Code) {
  let Page: ComponentType | undefined
  return Object.assign(() => Page && <Page />, {
    preload: () =>
      Page
        ? undefined
        : load().then(
            (code) => {
              Page = code[name] as ComponentType
            },
            () => {
              throw new NotLoaded()
            },
          ),
  })
}

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <OpenedDialog />
      <PageTitle />
    </>
  ),
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  async beforeLoad() {
    const { team } = await queryClient.ensureQueryData(meQuery)
    if (!team) return
    const params = { projectId: team.id }
    if (await isUnused(team)) throw redirect({ to: '/project/$projectId/start', params })
    throw redirect({ to: '/project/$projectId/feature_flags', params, search: {} })
  },
  component: page(() => import('./shell/no-project-page'), 'NoProjectPage'),
})

/** Whether a project has neither events nor flags. */
async function isUnused({ id, ingested_event: hasEvents }: NonNullable<User['team']>): Promise<boolean> {
  if (hasEvents) return false
  const list = await queryClient.ensureInfiniteQueryData(flagsQuery(id, {})).catch(() => null)
  return list?.pages[0]?.count === 0
}

const project = createRoute({
  getParentRoute: () => root,
  path: '/project/$projectId',
  params: idIn('projectId'),
  component: Frame,
  beforeLoad: async ({ params, matches }) => {
    // The page's data is requested together with the rest.
    const last = matches.at(-1)
    last?.staticData.prefetch?.(params.projectId, { ...last.search })
    return { me: await enterProject(params.projectId) }
  },
  errorComponent: ErrorPage,
  notFoundComponent: NotFound,
  pendingComponent: FrameLoading,
})

/** A page of a project: its name in the document's title, and what requests its data without waiting for it. */
const titled = (title: string, prefetch?: StaticDataRouteOption['prefetch']) => ({
  getParentRoute: () => project,
  staticData: { title, ...(prefetch && { prefetch }) },
})

/** The route of a page without search. */
const plain = <Path extends string, Code extends object>(
  title: string,
  path: Path,
  load: () => Promise<Code>,
  name: keyof Code,
) => createRoute({ ...titled(title), path, component: page(load, name) })

/** The tab that an address names, if there is such a one. The router keeps what a parser leaves out, so that `undefined` has to be in. */
const tabIn = <Tab extends string>(tabs: readonly Tab[], tab: unknown): { tab?: Tab } =>
  ({ tab: tabs.find((each) => each === tab) }) as { tab?: Tab }

/** Tabs of which one lists events, and the event that is shown in full. */
const withEvent =
  <Tab extends string>(tabs: readonly Tab[]) =>
  ({ tab, show }: Record<string, unknown>): { tab?: Tab; show?: string } => ({
    ...tabIn(tabs, tab),
    ...(typeof show === 'string' ? { show } : {}),
  })

const FLAG_TABS = ['release', 'schedule', 'usage', 'people', 'activity', 'code'] as const

interface FlagAddress {
  tab?: (typeof FLAG_TABS)[number]
  /** Distinct id of whom the flag is evaluated for. */
  person?: string
  /** Their groups: keys by group type. */
  groups?: Record<string, string>
  /** The time as of which it is evaluated, in UTC: `2026-01-31T12:00:00.000Z`. */
  at?: string
  /** Whether to ask if the flag is to be enabled or disabled. */
  turn?: true
}

const QUERY_TABS = ['query', 'versions', 'runs', 'materialization', 'call'] as const

interface QueryAddress {
  tab?: (typeof QUERY_TABS)[number]
  /** Only runs that ended so. */
  level?: 'INFO' | 'ERROR'
  /** Whether the query is edited. */
  edit?: true
  /** Values of variables by code name. */
  variables?: Values
}

const PERSON_TABS = ['properties', 'events', 'flags', 'groups'] as const

/** @throws 404 for anything but the index of a group type. */
function typeIndexOf(text: string): number {
  if (!/^[0-4]$/.test(text)) throw new Problem('There is no such page.', 404)
  return Number(text)
}

const GROUP_TABS = ['properties', 'events', 'flags'] as const

const COHORT_TABS = ['definition', 'members', 'uses', 'history'] as const

/** The account of the user, who may have no project. */
const account = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  validateSearch: parseAccountSearch,
  component: AccountShell,
})

const accountPage = createRoute({
  getParentRoute: () => account,
  path: '/',
  component: page(() => import('./account/account-page'), 'AccountPage'),
  staticData: { title: 'Your account' },
})

/** Upstream has a page for each part. */
const accountPart = createRoute({
  getParentRoute: () => account,
  path: '/$part',
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/settings', search, replace: true })
  },
})

const REQUEST_TABS = ['pending', 'applied', 'rejected', 'failed'] as const

/** The pages of a project. A list in `addChildren` would lose the types of their addresses. */
const PAGES = [
  createRoute({
    getParentRoute: () => project,
    path: '/',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/project/$projectId/feature_flags', params, search: {} })
    },
  }),
  createRoute({
    ...titled('Feature flags', (projectId, search) =>
      queryClient.prefetchInfiniteQuery(flagsQuery(projectId, parseFlagSearch(search))),
    ),
    path: '/feature_flags',
    validateSearch: parseFlagSearch,
    // Most open the console here: it comes with the frame.
    component: FlagsPage,
  }),
  createRoute({
    ...titled('New flag'),
    path: '/feature_flags/new',
    validateSearch: (search: Record<string, unknown>): { from?: number } =>
      typeof search.from === 'number' ? { from: search.from } : {},
    component: page(() => import('./flag/new-flag-page'), 'NewFlagPage'),
  }),
  createRoute({
    ...titled('Feature flags'),
    path: '/feature_flags/$flagId',
    params: idIn('flagId'),
    validateSearch: ({ tab, person, groups, at, turn }: Record<string, unknown>): FlagAddress => ({
      ...tabIn(FLAG_TABS, tab),
      // The router reads a number where the id is one.
      ...(typeof person === 'string' || typeof person === 'number' ? { person: String(person) } : {}),
      ...(typeof groups === 'object' && groups !== null
        ? { groups: Object.fromEntries(Object.entries(groups).map(([type, key]) => [type, String(key)])) }
        : {}),
      ...(typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? { at } : {}),
      ...(turn === true ? { turn } : {}),
    }),
    component: page(() => import('./flag/flag-page'), 'FlagPage'),
  }),
  createRoute({
    ...titled('Saved queries', (projectId, search) =>
      queryClient.prefetchInfiniteQuery(endpointsQuery(projectId, filterOf(parseQuerySearch(search)))),
    ),
    path: '/endpoints',
    validateSearch: parseQuerySearch,
    component: page(() => import('./queries/queries-page'), 'QueriesPage'),
  }),
  createRoute({
    ...titled('New query'),
    path: '/endpoints/new',
    validateSearch: ({ kind, from }: Record<string, unknown>): { kind?: Kind; from?: string } => ({
      ...(KINDS.includes(kind as Kind) ? { kind: kind as Kind } : {}),
      ...(typeof from === 'string' ? { from } : {}),
    }),
    component: page(() => import('./query/new-query-page'), 'NewQueryPage'),
  }),
  createRoute({
    ...titled('Saved queries'),
    path: '/endpoints/$name',
    validateSearch: ({ tab, level, edit, variables }: Record<string, unknown>): QueryAddress => ({
      ...variablesIn(variables),
      ...tabIn(QUERY_TABS, tab),
      ...(edit === true ? { edit } : {}),
      ...(level === 'INFO' || level === 'ERROR' ? { level } : {}),
    }),
    component: page(() => import('./query/query-page'), 'QueryPage'),
  }),
  createRoute({
    ...titled('Events'),
    path: '/events',
    validateSearch: parseEventSearch,
    component: page(() => import('./events/events-page'), 'EventsPage'),
  }),
  createRoute({
    ...titled('People'),
    path: '/persons',
    validateSearch: parsePeopleSearch,
    component: page(() => import('./people/persons-page'), 'PersonsPage'),
  }),
  createRoute({
    ...titled('People'),
    path: '/persons/$personId',
    validateSearch: withEvent(PERSON_TABS),
    component: page(() => import('./people/person-page'), 'PersonPage'),
  }),
  createRoute({
    ...titled('Groups'),
    path: '/groups/$typeIndex',
    params: {
      parse: ({ typeIndex }) => ({ typeIndex: typeIndexOf(typeIndex) }),
      stringify: ({ typeIndex }) => ({ typeIndex: String(typeIndex) }),
    },
    validateSearch: parsePeopleSearch,
    component: page(() => import('./groups/groups-page'), 'GroupsPage'),
  }),
  createRoute({
    ...titled('Groups'),
    path: '/groups/$typeIndex/$groupKey',
    params: {
      parse: ({ typeIndex, groupKey }) => ({ typeIndex: typeIndexOf(typeIndex), groupKey }),
      stringify: ({ typeIndex, groupKey }) => ({ typeIndex: String(typeIndex), groupKey }),
    },
    validateSearch: withEvent(GROUP_TABS),
    component: page(() => import('./groups/group-page'), 'GroupPage'),
  }),
  createRoute({
    ...titled('Cohorts', (projectId, search) =>
      queryClient.prefetchInfiniteQuery(
        cohortListQuery(projectId, cohortFilterOf(parseCohortSearch(search))),
      ),
    ),
    path: '/cohorts',
    validateSearch: parseCohortSearch,
    component: page(() => import('./cohorts/cohorts-page'), 'CohortsPage'),
  }),
  createRoute({
    ...titled('New cohort'),
    path: '/cohorts/new',
    validateSearch: ({ kind }: Record<string, unknown>): { kind?: 'static' } =>
      kind === 'static' ? { kind } : {},
    component: page(() => import('./cohorts/new-cohort-page'), 'NewCohortPage'),
  }),
  createRoute({
    ...titled('Cohorts'),
    path: '/cohorts/$cohortId',
    params: idIn('cohortId'),
    validateSearch: ({ tab }: Record<string, unknown>) => tabIn(COHORT_TABS, tab),
    component: page(() => import('./cohorts/cohort-page'), 'CohortPage'),
  }),
  createRoute({
    ...titled('Dashboards', (projectId, search) =>
      queryClient.prefetchInfiniteQuery(
        dashboardListQuery(projectId, dashboardFilterOf(parseDashboardsSearch(search))),
      ),
    ),
    path: '/dashboard',
    validateSearch: parseDashboardsSearch,
    component: page(() => import('./dashboards/dashboards-page'), 'DashboardsPage'),
  }),
  createRoute({
    ...titled('Dashboards'),
    path: '/dashboard/$dashboardId',
    params: idIn('dashboardId'),
    validateSearch: parseDashboardSearch,
    component: page(() => import('./dashboards/dashboard-page'), 'DashboardPage'),
  }),
  plain('Get started', '/start', () => import('./start/start-page'), 'StartPage'),
  createRoute({
    ...titled('Activity'),
    path: '/activity',
    validateSearch: parseActivitySearch,
    component: page(() => import('./activity/activity-page'), 'ActivityPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/settings',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/project/$projectId/settings/project', params, replace: true })
    },
  }),
  plain('Project settings', '/settings/project', () => import('./team/project-page'), 'ProjectPage'),
  plain('Members', '/settings/members', () => import('./team/members-page'), 'MembersPage'),
  plain('Webhooks', '/settings/webhooks', () => import('./webhooks/webhooks-page'), 'WebhooksPage'),
  plain('Import', '/settings/import', () => import('./import/import-page'), 'ImportPage'),
  plain('Approvals', '/settings/approvals', () => import('./approvals/policies-page'), 'PoliciesPage'),
  createRoute({
    ...titled('Change requests'),
    path: '/change_requests',
    validateSearch: ({ tab }: Record<string, unknown>) => tabIn(REQUEST_TABS, tab),
    component: page(() => import('./approvals/requests-page'), 'RequestsPage'),
  }),
  plain(
    'Change requests',
    '/change_requests/$requestId',
    () => import('./approvals/request-page'),
    'RequestPage',
  ),
  plain(
    'Organization',
    '/settings/organization',
    () => import('./team/organization-page'),
    'OrganizationPage',
  ),
  // The server checks that the user is staff.
  plain('Service', '/settings/service', () => import('./service/service-page'), 'ServicePage'),
] as const

/** The user, with this project's organization as the current one. @throws 404 for a project of others. */
async function enterProject(projectId: number): Promise<User> {
  const me = await queryClient.ensureQueryData(meQuery)
  if (me.organization?.teams.some(({ id }) => id === projectId)) return me
  const moved = await switchTo({ set_current_team: projectId }).catch(() => null)
  if (moved?.organization?.teams.some(({ id }) => id === projectId)) return moved
  throw new Problem('This project does not exist, or you are not a member of it.', 404)
}

/** An id in an address. @throws 404 for anything else */
function idIn<Name extends string>(name: Name) {
  return {
    parse: (params: Record<Name, string>) => ({ [name]: idOf(params[name]) }) as Record<Name, number>,
    stringify: (params: Record<Name, number>) => ({ [name]: String(params[name]) }) as Record<Name, string>,
  }
}

/** @throws 404 for anything but the id of a row. */
function idOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Problem('There is no such page.', 404)
  return Number(text)
}

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    account.addChildren([accountPage, accountPart]),
    project.addChildren(PAGES),
  ]),
  defaultPreload: 'intent',
  defaultPendingComponent: () => <PageLoading />,
  defaultErrorComponent: PageError,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** The name of the page in the document's title. */
    title?: string
    /** Requests the page's data without waiting for it. */
    prefetch?(projectId: number, search: Record<string, unknown>): void
  }
}
