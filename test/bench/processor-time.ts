// Processor time of the runtimes that a bench has started: steadier than the clock, where other work shares the machine.
import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds that this process's children and theirs have spent so far; NaN where the system does not say (only Linux does). */
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
