import { useState } from 'react'
import type { PlotChoice } from './plot-choice'

export type Shows = 'plot' | 'table' | 'json'

interface View {
  shows: Shows
  /** The plot of rows of columns. */
  plot: PlotChoice | null
}

/**
 * Returns how the results of a saved query are shown, on its page and on dashboards. The browser stores it for the next visit.
 * @param name empty for a query that is not saved, whose view lasts as long as the page
 */
export function useView(projectId: number, kind: string, name: string) {
  const key = name === '' ? null : `result ${projectId} ${kind} ${name}`
  const [state, setState] = useState(() => ({ key, view: read(key) }))
  const set = (view: Partial<View>) => {
    setState({ key, view })
    if (key === null) return
    try {
      localStorage.setItem(key, JSON.stringify(view))
    } catch {
      // Without storage, the view lasts as long as the page.
    }
  }
  return [state.key === key ? state.view : read(key), set] as const
}

function read(key: string | null): Partial<View> {
  try {
    const stored = key === null ? null : localStorage.getItem(key)
    return stored === null ? {} : (JSON.parse(stored) as Partial<View>)
  } catch {
    return {}
  }
}
