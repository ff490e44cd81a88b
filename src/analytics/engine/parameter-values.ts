import type { Parameter, Statement } from '../../hogql/compiled'
import { toWall } from '../../time/zone'
import { toStoredTimestamp } from '../../timestamps'
import type { BoundValue, Run } from './query-engine'

/** Returns the values in order of the parameters. @throws Error for a variable without a value */
export const parameterValues = ({ parameters }: Statement, run: Run): BoundValue[] =>
  parameters.map((parameter, place) => valueOf(parameter, place, run))

function valueOf(parameter: Parameter, place: number, run: Run): BoundValue {
  switch (parameter.kind) {
    case 'literal':
      return parameter.value
    case 'project':
      return run.projectId
    case 'variable': {
      const value = run.variables.get(place)
      if (value === undefined) throw new Error(`no value for the variable at ${place}`)
      return value
    }
    case 'clock':
      return parameter.which === 'now' ? wholeSecond(run.now) : dateIn(run.timezone, run.now)
    case 'limit':
      return run.limit
    case 'offset':
      return run.offset
    case 'lookup':
      return run.tables?.[parameter.table] ?? '[]'
  }
}

/** Returns the current time in whole seconds, as ClickHouse's `now()` does. */
const wholeSecond = (now: Date): string =>
  toStoredTimestamp(new Date(Math.floor(now.getTime() / 1000) * 1000))

/** Returns the date as `YYYY-MM-DD`. */
const dateIn = (timezone: string, datetime: Date): string =>
  new Date(toWall(datetime.getTime(), timezone)).toISOString().slice(0, 10)

/** Converts a value for D1: arrays become JSON text, and booleans numbers. */
export function bindable(value: BoundValue): string | number | null {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return typeof value === 'boolean' ? Number(value) : value
}
