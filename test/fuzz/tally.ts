// What came of the requests: how far they got with each operation.
import { type Documented, documented } from './requests/document'

export interface Tally {
  add(operation: Documented, status: number): void
  /** Operations that declare success and were called, but never with success. */
  neverDone(): string[]
  /** A line for each operation, and the sums. */
  report(): string
}

const isSuccess = (status: number) => status < 400

export function createTally(): Tally {
  const counts = new Map<string, Map<number, number>>()
  const of = ({ name }: Documented) => counts.get(name) ?? new Map<number, number>()
  const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, each) => total + each, 0)
  const share = (part: number, whole: number) => `${Math.round((100 * part) / Math.max(1, whole))} %`
  const done = (statuses: Map<number, number>) =>
    sum([...statuses].filter(([status]) => isSuccess(status)).map(([, count]) => count))

  return {
    add(operation, status) {
      const statuses = of(operation)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      counts.set(operation.name, statuses)
    },
    neverDone: () =>
      documented
        .filter((operation) => Object.keys(operation.responses).some((status) => isSuccess(Number(status))))
        .filter((operation) => of(operation).size > 0 && done(of(operation)) === 0)
        .map(({ name }) => name),
    report() {
      const lines = documented.map((operation) => {
        const statuses = [...of(operation)].sort(([a], [b]) => a - b)
        const shown = statuses.map(([status, count]) => `${status}: ${count}`).join(', ')
        return `${share(done(of(operation)), sum(of(operation).values()))}  ${operation.name}  ${shown}`
      })
      const all = [...counts.values()].flatMap((statuses) => [...statuses.values()])
      return `${lines.join('\n')}\n${sum(all)} requests, ${all.length} pairs of operation and status\n`
    },
  }
}
