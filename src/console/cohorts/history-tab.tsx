// Shows the changes of a cohort.
import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from '../activity/history'
import { type Cohort, cohortActivityQuery } from '../api/cohorts'

export default function HistoryTab({ projectId, cohort }: { projectId: number; cohort: Cohort }) {
  return <History activity={useInfiniteQuery(cohortActivityQuery(projectId, cohort.id))} />
}
