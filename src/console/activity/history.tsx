// Shows the history of one thing, newest first.
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ActivityEntry } from '../api/client'
import { OlderButton } from '../design/older-button'
import { LoadedPart } from '../entity/loaded-part'
import { EntryList } from './entry-list'

interface HistoryProps {
  activity: UseInfiniteQueryResult<{ pages: readonly { results: readonly ActivityEntry[] }[] }>
  action?(entry: ActivityEntry): ReactNode
}

export function History({ activity, action }: HistoryProps) {
  return (
    <LoadedPart query={activity} label="Loading the history">
      {({ pages }) => (
        <section className="card padded" aria-label="History">
          <EntryList entries={pages.flatMap(({ results }) => results)} action={action} />
          <OlderButton list={activity} />
        </section>
      )}
    </LoadedPart>
  )
}
