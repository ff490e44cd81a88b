// The changes of a cohort.
import { useInfiniteQuery } from '@tanstack/react-query'
import { EntryList } from '../activity/entry-list'
import { type Cohort, cohortActivityQuery } from '../api/cohorts'
import { Button } from '../design/button'
import { Loading, ProblemNotice } from '../design/feedback'

export default function HistoryTab({ projectId, cohort }: { projectId: number; cohort: Cohort }) {
  const activity = useInfiniteQuery(cohortActivityQuery(projectId, cohort.id))
  if (activity.isPending) return <Loading label="Loading the history" />
  if (activity.isError)
    return <ProblemNotice error={activity.error} onRetry={() => void activity.refetch()} />
  return (
    <section className="card padded" aria-label="History">
      <EntryList entries={activity.data.pages.flatMap(({ results }) => results)} />
      {activity.hasNextPage && (
        <Button isBusy={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
          Show older
        </Button>
      )}
    </section>
  )
}
