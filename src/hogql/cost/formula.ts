// Numbers of rows, bytes and nanoseconds that are known when a query runs: constants, table statistics, variables, and formulas of them.
// They are never negative.

export type Formula = number | Unknown

export const STATISTIC_FIELDS = ['rows', 'bytes', 'largest'] as const
export type StatisticField = (typeof STATISTIC_FIELDS)[number]

export type VariableAspect = 'number' | 'bytes'

type Combination = 'sum' | 'product' | 'least' | 'greatest'

type Unknown =
  | { readonly op: 'statistic'; readonly statistic: number; readonly field: StatisticField }
  /** The value of a variable as a number, or its size as text. */
  | { readonly op: 'variable'; readonly name: string; readonly as: VariableAspect }
  /** The sum of the run's limit and offset. */
  | { readonly op: 'page' }
  /** A column of a measure; `otherwise` is the upper bound for when the measure was not taken. */
  | {
      readonly op: 'measured'
      readonly measure: number
      readonly column: number
      readonly otherwise: Formula
    }
  | { readonly op: Combination; readonly of: readonly Formula[] }

export const statistic = (index: number, field: StatisticField): Formula => ({
  op: 'statistic',
  statistic: index,
  field,
})

export const PAGE: Formula = { op: 'page' }

export function sum(...amounts: readonly Formula[]): Formula {
  const [constant, unknown] = parts(amounts)
  const total = constant.reduce((a, b) => a + b, 0)
  return combined('sum', total === 0 ? unknown : [total, ...unknown], 0)
}

export function product(...amounts: readonly Formula[]): Formula {
  const [constant, unknown] = parts(amounts)
  const factor = constant.reduce((a, b) => a * b, 1)
  // Unknown values are finite, so that their product with 0 is 0.
  if (factor === 0) return 0
  return combined('product', factor === 1 ? unknown : [factor, ...unknown], 1)
}

export function least(...amounts: readonly Formula[]): Formula {
  const [constant, unknown] = parts(amounts)
  const bound = Math.min(...constant)
  if (bound === 0) return 0
  return combined(
    'least',
    Number.isFinite(bound) ? [bound, ...new Set(unknown)] : [...new Set(unknown)],
    Infinity,
  )
}

export function greatest(...amounts: readonly Formula[]): Formula {
  const [constant, unknown] = parts(amounts)
  const bound = Math.max(0, ...constant)
  return combined('greatest', bound > 0 ? [bound, ...new Set(unknown)] : [...new Set(unknown)], 0)
}

const parts = (amounts: readonly Formula[]): [number[], Unknown[]] => [
  amounts.filter((amount) => typeof amount === 'number'),
  amounts.filter((amount) => typeof amount !== 'number'),
]

function combined(op: Combination, of: readonly Formula[], none: number): Formula {
  const [first = none, ...rest] = of
  return rest.length === 0 ? first : { op, of }
}

/** Formulas in order of dependency; an operand is named by its index. They are stored with the query. */
export type Steps = readonly Step[]
type Step = number | readonly [op: string, ...(number | string)[]]

/** Returns a collector that makes each formula a step once. `place` returns the index of its step. */
export function createSteps(): { place(amount: Formula): number; steps: Steps } {
  const steps: Step[] = []
  const places = new Map<Formula, number>()
  function place(amount: Formula): number {
    const known = places.get(amount)
    if (known !== undefined) return known
    steps.push(stepOf(amount))
    places.set(amount, steps.length - 1)
    return steps.length - 1
  }
  function stepOf(amount: Formula): Step {
    if (typeof amount === 'number') return amount
    switch (amount.op) {
      case 'statistic':
        return ['statistic', amount.statistic, amount.field]
      case 'variable':
        return ['variable', amount.name, amount.as]
      case 'page':
        return ['page']
      case 'measured':
        return ['measured', amount.measure, amount.column, place(amount.otherwise)]
      case 'sum':
      case 'product':
      case 'least':
      case 'greatest':
        return [amount.op, ...amount.of.map(place)]
    }
  }
  return { place, steps }
}

/** The values of the unknowns. */
export interface Inputs {
  statistic(index: number, field: StatisticField): number
  variable(name: string, as: VariableAspect): number
  page: number
  /** Returns undefined when the measure was not taken. */
  measured(measure: number, column: number): number | undefined
}

export function evaluate(steps: Steps, known: Inputs): number[] {
  const values: number[] = []
  const at = (place: number | string) => values[Number(place)] ?? 0
  for (const step of steps) values.push(typeof step === 'number' ? step : valueOf(step, known, at))
  return values
}

function valueOf(
  [op, ...args]: Exclude<Step, number>,
  known: Inputs,
  at: (place: number | string) => number,
): number {
  switch (op) {
    case 'statistic':
      return known.statistic(Number(args[0]), args[1] as StatisticField)
    case 'variable':
      return Math.max(0, known.variable(String(args[0]), args[1] as VariableAspect))
    case 'page':
      return known.page
    case 'measured':
      return known.measured(Number(args[0]), Number(args[1])) ?? at(args[2]!)
    case 'sum':
      return args.reduce<number>((total, place) => total + at(place), 0)
    case 'product':
      return args.reduce<number>((total, place) => total * at(place), 1)
    case 'least':
      return Math.min(...args.map(at))
    case 'greatest':
      return Math.max(...args.map(at))
    default:
      throw new Error(`unknown step: ${op}`)
  }
}
