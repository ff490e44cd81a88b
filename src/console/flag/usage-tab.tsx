// Shows how often a flag is called, from its usage dashboard.
import { useMutation, useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn } from 'lucide-react'
import { type Flag, post } from '../api/client'
import { dashboardQuery, flagKey, queryClient, itemIn } from '../api/queries'
import { Button } from '../design/button'
import { Empty, ProblemNotice } from '../design/feedback'
import { LoadedPart } from '../entity/loaded-part'
import { CallsChart } from './calls-chart'

export default function UsageTab({ projectId, flag }: { projectId: number; flag: Flag }) {
  const dashboard = useQuery({
    ...dashboardQuery(projectId, flag.usage_dashboard ?? 0),
    enabled: flag.usage_dashboard !== null,
  })
  const create = useMutation({
    mutationFn: () =>
      post('/api/projects/{project_id}/feature_flags/{id}/dashboard/', itemIn(projectId, flag.id), {}),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: flagKey(projectId, flag.id) }),
  })
  if (flag.usage_dashboard === null)
    return (
      <div className="card">
        <Empty
          icon={<ChartNoAxesColumn size={26} aria-hidden />}
          title="No usage dashboard yet"
          action={
            flag.can_edit && (
              <Button kind="primary" isBusy={create.isPending} onClick={() => create.mutate()}>
                Create the dashboard
              </Button>
            )
          }
        >
          It counts how often the flag is called, and with which value, from the events that SDKs send.
        </Empty>
        {create.isError && <ProblemNotice error={create.error} />}
      </div>
    )
  return (
    <LoadedPart query={dashboard} label="Loading usage">
      {({ tiles }) => (
        <div className="stack">
          {tiles.map(
            ({ id, insight }) =>
              insight && (
                <section key={id} className="card" aria-labelledby={`tile-${id}`}>
                  <header>
                    <h2 id={`tile-${id}`}>{insight.name}</h2>
                  </header>
                  <div className="body">
                    <CallsChart projectId={projectId} insight={insight} flag={flag} />
                  </div>
                </section>
              ),
          )}
        </div>
      )}
    </LoadedPart>
  )
}
