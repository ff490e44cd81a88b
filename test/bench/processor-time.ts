// Reads the processor time of the runtimes that a bench has started. It is steadier than the clock when other work shares the machine.
import { readdirSync, readFileSync } from 'node:fs'

/** Returns the milliseconds that descendants of this process have spent so far; NaN on systems other than Linux. */
export function processorTime(): number {
  try {
    return childrenOf(process.pid).reduce((sum, pid) => sum + spentBy(pid), 0)
  } catch {
    return NaN
  }
}

const tasksOf = (pid: number) => readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`)

function childrenOf(pid: number): number[] {
  const children = tasksOf(pid)
    .flatMap((task) => readFileSync(`${task}/children`, 'utf8').split(' '))
    .filter(Boolean)
    .map(Number)
  return [...children, ...children.flatMap(childrenOf)]
}

/** The first field of `schedstat` is nanoseconds on a processor. Threads come and go; those of workerd that matter stay. */
const spentBy = (pid: number): number =>
  tasksOf(pid).reduce(
    (sum, task) => sum + Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    0,
  )
