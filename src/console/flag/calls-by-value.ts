// Orders and colours the calls of a flag by their value, so that a value looks the same wherever its calls are shown.
import type { Flag } from '../api/client'
import type { ChartSeries } from '../api/dashboards'
import { variantsOf } from './draft'

const COLOURS = 6

/** Returns the series labelled with their values: variants in their order, or `true`, and then all others. */
export function callsByValue(flag: Pick<Flag, 'filters'>, series: readonly ChartSeries[]) {
  const variants = variantsOf(flag.filters).map(({ key }) => key)
  const placeOf = (value: string): number => {
    const at = variants.indexOf(value)
    return at >= 0 ? at : value === 'true' ? 0 : Math.max(COLOURS - 1, variants.length)
  }
  return series
    .map(({ label, breakdown_value: value, ...rest }) => ({ ...rest, label: value ?? label }))
    .map((each) => ({ ...each, colour: placeOf(each.label) % COLOURS }))
    .toSorted((a, b) => placeOf(a.label) - placeOf(b.label))
}
