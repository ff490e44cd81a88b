// Ways in which the connection to ClickHouse fails (faulty-proxy.ts).

/** The statement does not arrive. */
const BEFORE = [
  'refuses the connection',
  'answers 502',
  'answers 500 without a number',
  'refuses the statement',
  'answers a page',
  'answers nothing',
  'answers another JSON',
  'answers a broken summary',
  'writes nothing',
] as const

/** The statement is executed. */
const AFTER = [
  'loses the answer',
  'answers 504 late',
  'removes the headers',
  'breaks off',
  'ends early',
  'appends an exception',
] as const

export type Fault = (typeof BEFORE)[number] | (typeof AFTER)[number]

export const FAULT_NAMES: readonly Fault[] = [...BEFORE, ...AFTER]
