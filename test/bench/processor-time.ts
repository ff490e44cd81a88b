// Processor time of the runtimes that a bench has started: steadier than requests a second, where other work shares the machine.
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second, as Linux tells processor time. */
const TICKS = 100

/** Milliseconds that this process's children and theirs have spent so far; NaN where the system does not say (only Linux does). */
export function processorTime(): number {
  try {
    return (1000 / TICKS) * childrenOf(process.pid).reduce((sum, pid) => sum + ticksOf(pid), 0)
  } catch {
    return NaN
  }
}

function childrenOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
    .filter(Boolean)
    .map(Number)
  return [...children, ...children.flatMap(childrenOf)]
}

/** User and system time, which stand after the name: that may hold anything. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}
