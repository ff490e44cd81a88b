import type { PlotChoice } from './plot-choice'
import { useRemembered } from './use-remembered'

export type Shows = 'plot' | 'table' | 'json'

interface View {
  shows: Shows
  /** The plot of rows of columns. */
  plot: PlotChoice | null
}

/**
 * Returns how the results of a saved query are shown, on its page and on dashboards.
 * @param name empty for a query that is not saved
 */
export const useView = (projectId: number, kind: string, name: string) =>
  useRemembered<Partial<View>>(name === '' ? null : `result ${projectId} ${kind} ${name}`, {})
