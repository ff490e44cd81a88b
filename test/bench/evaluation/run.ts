// Flag evaluation beside other engines on the same flags: `tsx test/bench/evaluation/run.ts`, one core, no network.
//
// What is measured is one question about one flag and one person, whose properties each engine gets ready-made in the
// form it likes best. Answers are printed as shares: engines that were given the same flag answer alike.

import { SCENARIOS, type Engine } from './engine'
import { flagd } from './flagd'
import { growthbook } from './growthbook'
import { halyard } from './halyard'
import { measure, sightings, type Measurement } from './measure'
import { posthog } from './posthog'
import { unleash } from './unleash'

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const shares = (measurement: Measurement): string =>
  [...measurement.shares]
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([answer, share]) => `${answer} ${(share * 100).toFixed(1)}%`)
    .join(', ')

const engines: readonly Engine[] = [halyard(), await posthog(), growthbook(), unleash(), flagd()]

print(`Evaluations a second, Node ${process.version}; every evaluation is of another subject than the last`)
for (const scenario of SCENARIOS) {
  print(`\n${scenario}`)
  for (const engine of engines) {
    const measurement = await measure(engine, scenario)
    const rate = Math.round(measurement.perSecond).toLocaleString('en-US').padStart(12)
    print(`  ${engine.name.padEnd(16)}${rate}   ${shares(measurement)}`)
  }
}
print(`\n(${sightings().toLocaleString('en-US')} answers seen)`)
process.exit(0)
