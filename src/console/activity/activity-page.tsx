// What happened in a project.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { activityQuery, type ActivityScope } from '../api/queries'
import { Button } from '../design/button'
import { Loading, ProblemNotice } from '../design/feedback'
import { Select } from '../design/field'
import { EntryList } from './entry-list'

const SCOPES: readonly (readonly [ActivityScope, string])[] = [
  ['FeatureFlag', 'Feature flags'],
  ['Endpoint', 'Saved queries'],
  ['EndpointVersion', 'Versions of saved queries'],
  ['Person', 'People'],
  ['PropertyDefinition', 'Property definitions'],
]

const route = getRouteApi('/project/$projectId/activity')

export function ActivityPage() {
  const { projectId } = route.useParams()
  const [scope, setScope] = useState<ActivityScope>('FeatureFlag')
  const activity = useInfiniteQuery(activityQuery(projectId, scope))
  return (
    <>
      <div className="page-header">
        <div className="titles">
          <h1>Activity</h1>
          <p className="soft">Who changed what in this project.</p>
        </div>
        <Select label="What changed" value={scope} options={SCOPES} onChange={(chosen) => setScope(chosen)} />
      </div>
      {activity.isPending ? (
        <Loading />
      ) : activity.isError ? (
        <ProblemNotice error={activity.error} onRetry={() => void activity.refetch()} />
      ) : (
        <section className="card padded" aria-label="Entries">
          <EntryList
            entries={activity.data.pages.flatMap(({ results }) => results)}
            subject={(entry) =>
              entry.scope === 'FeatureFlag' && entry.activity !== 'deleted' ? (
                <Link
                  className="mono"
                  to="/project/$projectId/feature_flags/$flagId"
                  params={{ projectId, flagId: Number(entry.item_id) }}
                  search={{}}
                >
                  {entry.detail.name}
                </Link>
              ) : entry.scope === 'Endpoint' && entry.activity !== 'deleted' && entry.detail.name ? (
                <Link
                  className="mono"
                  to="/project/$projectId/endpoints/$name"
                  params={{ projectId, name: entry.detail.name }}
                  search={{}}
                >
                  {entry.detail.name}
                </Link>
              ) : (
                <span className="mono">{entry.detail.name}</span>
              )
            }
          />
          {activity.hasNextPage && (
            <Button isBusy={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
              Show older
            </Button>
          )}
        </section>
      )}
    </>
  )
}
