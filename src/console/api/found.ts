// Finds what a project has by a name, of every kind at once.
import { queryOptions } from '@tanstack/react-query'
import { read } from './client'
import { groupsNamed } from './people'
import { inProject, membersQuery, queryClient } from './queries'

/** Rows of each kind. */
const MOST = 8

/**
 * Items whose names match a text; without a text the flags that changed last. It has no result of an earlier text while it loads, because
 * a key press acts on what is shown.
 */
export const foundQuery = (projectId: number, organizationId: string | undefined, search: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'found', search],
    queryFn: ({ signal }) => find(projectId, organizationId, search, signal),
    // What was found says whether a flag is enabled: it is read anew each time the palette opens.
    gcTime: 0,
  })

/** Members change rarely. */
const MEMBERS_STALE_MS = 300_000

async function find(
  projectId: number,
  organizationId: string | undefined,
  search: string,
  signal: AbortSignal,
) {
  const path = inProject(projectId)
  const params = { path, query: { search, limit: MOST } }
  if (search === '') {
    const query = { order: '-updated_at' as const, limit: MOST }
    const flags = await read('/api/projects/{project_id}/feature_flags/', { path, query }, signal)
    return {
      flags: flags.results,
      queries: [],
      cohorts: [],
      dashboards: [],
      people: [],
      groups: [],
      members: [],
    }
  }
  const [flags, queries, cohorts, dashboards, people, groups, members] = await Promise.all([
    read('/api/projects/{project_id}/feature_flags/', params, signal),
    read('/api/projects/{project_id}/endpoints/', params, signal),
    read('/api/projects/{project_id}/cohorts/', params, signal),
    // Dashboards of flags are left out, because they are named like their flags.
    read(
      '/api/projects/{project_id}/dashboards/',
      { path, query: { search, limit: MOST, creation_mode: 'default' } },
      signal,
    ),
    read('/api/projects/{project_id}/persons/', params, signal),
    groupsNamed(projectId, search, MOST, signal),
    organizationId === undefined
      ? null
      : queryClient.fetchQuery({ ...membersQuery(organizationId), staleTime: MEMBERS_STALE_MS }),
  ])
  return {
    flags: flags.results,
    queries: queries.results,
    cohorts: cohorts.results,
    dashboards: dashboards.results,
    people: people.results,
    groups,
    members: (members?.results ?? []).filter(({ user }) =>
      `${user.first_name} ${user.last_name} ${user.email}`.toLowerCase().includes(search.toLowerCase()),
    ),
  }
}

export type Found = Awaited<ReturnType<typeof find>>
