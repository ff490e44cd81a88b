// Shows the history of one thing, newest first.
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ActivityEntry } from '../api/client'
import { OlderButton } from '../design/older-button'
import { Loading, ProblemNotice } from '../design/feedback'
import { EntryList } from './entry-list'

interface HistoryProps {
  activity: UseInfiniteQueryResult<{ pages: readonly { results: readonly ActivityEntry[] }[] }>
  action?(entry: ActivityEntry): ReactNode
}

export function History({ activity, action }: HistoryProps) {
  if (activity.isPending) return <Loading label="Loading the history" />
  if (activity.isError)
    return <ProblemNotice error={activity.error} onRetry={() => void activity.refetch()} />
  return (
    <section className="card padded" aria-label="History">
      <EntryList entries={activity.data.pages.flatMap(({ results }) => results)} action={action} />
      <OlderButton list={activity} />
    </section>
  )
}
