// How far an import has come: what it reported.
import type { ImportEvent } from '../../import/run'

export type EventOf<Kind extends ImportEvent['kind']> = Extract<ImportEvent, { kind: Kind }>

export interface RunState {
  /** Whether it writes, or only says what it would write. */
  isApplied: boolean
  status: 'running' | 'done' | 'stopped' | 'failed'
  remarks: readonly string[]
  plan: EventOf<'plan'> | null
  estimates: readonly EventOf<'estimate'>[]
  moved: readonly EventOf<'moved'>[]
  written: EventOf<'written'> | null
  checked: EventOf<'checked'> | null
  /** Since: epoch milliseconds of the first report of this part. */
  progress: (EventOf<'progress'> & { since: number }) | null
  /** Why nothing happens for a while. */
  note: string | null
  error: unknown
}

export const begun = (isApplied: boolean): RunState => ({
  isApplied,
  status: 'running',
  remarks: [],
  plan: null,
  estimates: [],
  moved: [],
  written: null,
  checked: null,
  progress: null,
  note: null,
  error: null,
})

/** @param now epoch milliseconds. */
export function reported(state: RunState, event: ImportEvent, now: number): RunState {
  const next = { ...state, note: null, progress: null }
  switch (event.kind) {
    case 'remarks':
      return { ...next, remarks: event.remarks.filter(Boolean) }
    case 'progress': {
      const since = state.progress?.of === event.of ? state.progress.since : now
      return { ...next, progress: { ...event, since } }
    }
    case 'plan':
      return { ...next, plan: event }
    case 'estimate':
      return { ...next, estimates: [...state.estimates, event] }
    case 'moved':
      return { ...next, moved: [...state.moved, event] }
    case 'written':
      return { ...next, written: event }
    case 'checked':
      return { ...next, checked: event }
  }
}
