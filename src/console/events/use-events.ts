// Keeps a list of events that grows at both ends: new events arrive, and older ones are loaded on scroll.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  EVENTS_PAGE,
  type EventFilter,
  type EventOrder,
  type EventRow,
  eventsKey,
  MAX_ARRIVALS,
  readArrivals,
  readEvents,
} from '../api/events'
import type { Problem } from '../api/problem'
import { mergeArrivals } from './merge-events'

/** The most rows that are kept. */
export const MAX_ROWS = 1_000

const POLL_MS = 4_000
/** The time before the opening of an empty list from which arrivals are searched, because clocks differ. */
const MARGIN_MS = 24 * 3_600_000

interface EventsOptions {
  /** The filter. It must be the same object at each render. */
  filter: EventFilter
  order: EventOrder
  /** Whether new events are polled. */
  isLive: boolean
  /** Whether new events are buffered, so that the list does not move. */
  isBuffering: boolean
}

const lastArrival = (rows: readonly EventRow[]): string | undefined =>
  rows.map(({ arrivedAt }) => arrivedAt).reduce((a, b) => (a > b ? a : b), '') || undefined

export function useEvents(projectId: number, { filter, order, isLive, isBuffering }: EventsOptions) {
  const [rows, setRows] = useState<readonly EventRow[]>([])
  const [hasOlder, setHasOlder] = useState(false)
  const [cut, setCut] = useState<Problem | null>(null)
  const [opened] = useState(() => new Date(Date.now() - MARGIN_MS).toISOString())
  const newest = useQuery({
    queryKey: [...eventsKey(projectId), 'newest', order, filter],
    queryFn: ({ signal }) => readEvents(projectId, filter, order, null, signal),
    // The list has the events from when the page opened, and those that arrived since, so that it is never read again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    if (!newest.data) return
    setRows(newest.data.rows)
    setHasOlder(newest.data.hasOlder)
    setCut(newest.data.cut)
  }, [newest.data])
  const arrivals = useQuery({
    queryKey: [...eventsKey(projectId), 'arrivals', order, filter],
    queryFn: ({ signal }) => readArrivals(projectId, filter, lastArrival(rows) ?? opened, signal),
    enabled: isLive && newest.isSuccess,
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
  })
  const isWhole = (arrivals.data?.length ?? 0) < MAX_ARRIVALS
  const merged = mergeArrivals(rows, arrivals.data ?? [], { order, isWhole, hasOlder, max: MAX_ROWS })
  useEffect(() => {
    if (merged === rows || isBuffering) return
    setRows(merged)
    if (merged.length > 0 && !merged.includes(rows[0]!)) setHasOlder(!isWhole)
  }, [arrivals.data, isBuffering])
  const older = useMutation({
    mutationFn: () => readEvents(projectId, filter, order, rows.at(-1) ?? null),
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
    /** Whether newer events than the rows are buffered. */
    hasNewer: isBuffering && merged !== rows,
    cut,
    /** The error of polling, after which the rows are outdated. */
    pollError: isLive && arrivals.isError ? arrivals.error : null,
    /** The query in the form of `DataTable`. */
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
