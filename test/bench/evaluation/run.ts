// Compares flag evaluation with other engines on the same flags, on one core and without a network. Each evaluation is of one flag and another
// person, whose properties are prepared in the engine's own form.

import { SCENARIOS, type Engine, type Scenario } from './engine'
import { flagd } from './flagd'
import { growthbook } from './growthbook'
import { halyard } from './halyard'
import { measure, sightings, type Measurement } from './measure'
import { posthog } from './posthog'
import { unleash } from './unleash'

const SHAPES: Record<Scenario, string> = {
  rollout: 'percentage rollout',
  targeting: 'five conditions',
  variants: 'variants',
}

/** Prints to the terminal only: engines with equal flags have equal shares of results. */
const note = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

const sharesOf = (measurement: Measurement): string =>
  [...measurement.shares]
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([result, share]) => `${result} ${(share * 100).toFixed(1)}%`)
    .join(', ')

const rateOf = ({ perSecond }: Measurement): string =>
  perSecond < 100_000 ? `${Math.round(perSecond / 1_000)} k` : `${(perSecond / 1_000_000).toFixed(1)} M`

const engines: readonly Engine[] = [halyard(), await posthog(), growthbook(), unleash(), flagd()]

const rows = [
  ['evaluations a second', ...engines.map(({ name }) => name), 'of the best peer'],
  ['---', ...engines.map(() => '---:'), '---:'],
]
for (const scenario of SCENARIOS) {
  const measurements = await measure(engines, scenario)
  for (const [place, measurement] of measurements.entries())
    note(`${scenario}, ${engines[place]!.name}: ${sharesOf(measurement)}`)
  const [own, ...peers] = measurements.map(({ perSecond }) => perSecond)
  rows.push([SHAPES[scenario], ...measurements.map(rateOf), (own! / Math.max(...peers)).toFixed(2)])
}
process.stdout.write(rows.map((cells) => `| ${cells.join(' | ')} |\n`).join(''))
note(`(${sightings().toLocaleString('en-US')} results seen)`)
process.exit(0)
