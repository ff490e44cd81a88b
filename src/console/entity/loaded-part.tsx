import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loading, ProblemNotice } from '../design/feedback'

interface LoadedPartProps<Data> {
  query: Pick<UseQueryResult<Data>, 'isPending' | 'data' | 'error'> & { refetch(): unknown }
  label?: string
  children(data: NonNullable<Data>): ReactNode
}

/** A part of a page of what `query` reads. It stays when a later read fails, with what the user entered. */
export function LoadedPart<Data>({ query, label, children }: LoadedPartProps<Data>) {
  if (query.isPending) return <Loading label={label} />
  if (!query.data) return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />
  return children(query.data)
}
