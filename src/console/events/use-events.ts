// A list of events that grows at both ends: new ones arrive, older ones are loaded while somebody scrolls.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { EVENTS_PAGE, type EventFilter, type EventRow, eventsKey, readEvents } from '../api/people'
import type { Problem } from '../api/problem'
import { mergeNewest } from './merge-events'

/** Rows kept. */
export const MAX_ROWS = 1_000

const POLL_MS = 4_000

interface EventsOptions {
  /** The same one as long as the component is mounted. */
  filter: EventFilter
  /** Whether new events are asked for. */
  isLive: boolean
  /** Whether new events wait, so that the list does not move. */
  isHeld: boolean
}

export function useEvents(projectId: number, { filter, isLive, isHeld }: EventsOptions) {
  const [rows, setRows] = useState<readonly EventRow[]>([])
  const [hasOlder, setHasOlder] = useState(false)
  const [cut, setCut] = useState<Problem | null>(null)
  const newest = useQuery({
    queryKey: [...eventsKey(projectId), 'newest', filter],
    queryFn: ({ signal }) => readEvents(projectId, filter, null, signal),
    refetchInterval: isLive ? POLL_MS : false,
    // The list is what was there when the page opened, and what came since.
    staleTime: 0,
    gcTime: 0,
  })
  useEffect(() => {
    const { data } = newest
    if (!data || (isHeld && rows.length > 0)) return
    const merged = mergeNewest(rows, data.rows, { isWhole: !data.hasOlder, max: MAX_ROWS })
    if (merged === rows && rows.length > 0) return
    setRows(merged)
    if (rows.length === 0 || merged === data.rows) {
      setHasOlder(data.hasOlder)
      setCut(data.cut)
    }
  }, [newest.data, isHeld])
  const older = useMutation({
    mutationFn: () => readEvents(projectId, filter, rows.at(-1) ?? null),
    onSuccess(page) {
      setRows((before) => [...before, ...page.rows].slice(0, MAX_ROWS))
      setHasOlder(page.hasOlder)
      setCut(page.cut)
    },
  })
  const isFull = rows.length >= MAX_ROWS
  return {
    rows,
    isFull: isFull && hasOlder,
    /** Whether events wait that are newer than the rows. */
    hasNewer: isHeld && rows.length > 0 && newest.data?.rows[0]?.id !== rows[0]?.id,
    cut,
    /** Polling failed, and the rows are those of before. */
    pollError: rows.length > 0 && newest.isError ? newest.error : null,
    /** For `DataTable`. */
    query: {
      isPending: newest.isPending || (rows.length === 0 && (newest.data?.rows.length ?? 0) > 0),
      isError: newest.isError,
      isFetchNextPageError: older.isError,
      isPlaceholderData: false,
      hasNextPage: hasOlder && !isFull && rows.length >= EVENTS_PAGE,
      isFetchingNextPage: older.isPending,
      error: newest.error ?? older.error,
      refetch: newest.refetch,
      fetchNextPage: older.mutate,
    },
  }
}
