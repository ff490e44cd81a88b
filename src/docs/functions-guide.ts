// Writes the guide's page of all functions of HogQL, from the catalogue and the cases that test it.
import { type Compiled, compileParsed, parseHogql } from '../hogql/compile'
import { HogqlError } from '../hogql/error'
import { FAMILIES } from '../hogql/functions/catalogue'
import type { FunctionSpec } from '../hogql/functions/spec'
import { MACROS } from '../hogql/resolve/expressions/macros/macros'
import { FUNCTION_FORMS } from './function-forms'
import { nullsOf, nullsOfCall } from './function-nulls'
import type { Type } from '../hogql/types'
import { tableOf } from './markdown'

/** The test cases of functions, from which examples are taken. */
export interface FunctionCases {
  calls: readonly (readonly [expression: string, value: unknown, timezone?: string])[]
  /** Queries, and calls without a result. */
  texts: readonly string[]
}

const INTRODUCTION = `# Functions

<!-- npm run openapi writes this page -->

HogQL has these functions. Names are found in any case. An argument with \`?\` may be left out, and \`...\` stands for any number of further
ones. Both engines give the results that the examples show; functions marked "ClickHouse" need it. On D1 the Worker computes those marked
"Worker" of at most 10,000 different texts ([Compatibility](compatibility-saved-queries.md)). "NULL" says when the result is: when an argument
is ("of NULL"), when all arguments are, or all values of an aggregate ("of all NULL"), never, or in other cases too. \`concat\`, \`||\` and \`f'…'\` take NULL as an empty text, as upstream prints them.

Aggregates take combinators at the end of their names: \`-If\` (a condition as the last argument), \`-OrNull\`, \`-OrDefault\` and \`-Distinct\`;
on ClickHouse also \`-Array\`, \`-ForEach\`, \`-State\` and \`-Merge\`. \`FILTER (WHERE …)\` and \`DISTINCT\` work as well.
`

export function functionsGuide(cases: FunctionCases): string {
  const tables = FAMILIES.map(([subject, functions]) => {
    const rows = functions
      .filter(({ name }) => !HIDING_NAMES.has(name))
      .map((spec) => [
        code(signatureOf(spec)),
        (spec.aliases ?? [])
          .filter((name) => !HIDING_NAMES.has(name))
          .map(code)
          .join(', '),
        engineOf(spec),
        nullsOf(spec),
        exampleOf([spec.name, ...(spec.aliases ?? [])], cases),
      ])
    return section(subject, rows, HEAD)
  })
  const macros = MACROS.map(({ names: [name = '', ...aliases], takes }) => {
    const example = exampleOf([name, ...aliases], cases)
    const [, expression = ''] = /^`(.*?)`/.exec(example) ?? []
    return [
      code(`${name}(${takes})`),
      aliases.map(code).join(', '),
      engineOfExample(expression),
      nullsOfCall(expression, typeOfExample),
      example,
    ]
  })
  const forms = FUNCTION_FORMS.map(({ names: [name = '', ...aliases], takes, example }) => [
    code(`${name}(${takes})`),
    aliases.map(code).join(', '),
    engineOfExample(example),
    code(example),
  ])
  return `${[
    INTRODUCTION,
    ...tables,
    section('Written with other functions', macros, HEAD),
    section('Operators and syntax as functions', forms),
  ]
    .join('\n\n')
    .replace('\n\n\n', '\n\n')}\n`
}

const HEAD = ['Function', 'Also', 'Engine', 'NULL', 'Example']

/** Names of functions that replace those of the catalogue with which they are written. */
const HIDING_NAMES = new Set([...MACROS, ...FUNCTION_FORMS].flatMap(({ names }) => names))

const code = (text: string): string => `\`${text.replaceAll('|', String.raw`\|`)}\``

const section = (
  title: string,
  rows: readonly string[][],
  head = ['Function', 'Also', 'Engine', 'Example'],
): string => `## ${title}\n\n${tableOf([head, ...rows])}`

function signatureOf(spec: FunctionSpec): string {
  const { name, takes, optional = 0, rest, mayTakeLambda } = spec
  const required = takes.length - optional
  const args = [
    ...(mayTakeLambda ? ['lambda?'] : []),
    ...takes.map((kind, index) => (index < required ? kind : `${kind}?`)),
    ...(rest === undefined ? [] : [`${rest}...`]),
  ]
  const params = spec.kind === 'aggregate' && spec.params ? parameterText(spec.params) : ''
  return `${name}${params}(${args.join(', ')})${spec.kind === 'window' ? ' OVER (…)' : ''}`
}

const parameterText = ({ min, max }: { min: number; max: number }): string =>
  `(${min === 0 ? 'parameter?' : max > 1 ? 'parameter, …' : 'parameter'})`

function engineOf(spec: FunctionSpec): string {
  if (spec.onlyClickhouse) return 'ClickHouse'
  return spec.kind === 'scalar' && spec.computed ? 'both (Worker)' : 'both'
}

/**
 * Returns the engines that an expression or a query runs on.
 * @throws HogqlError for one that does not compile
 */
export function engineOfExample(example: string): string {
  const { sqlite } = compileExample(example).queries
  if ('refusal' in sqlite) return 'ClickHouse'
  return sqlite.computed ? 'both (Worker)' : 'both'
}

function compileExample(example: string): Compiled {
  const sql = example.startsWith('SELECT') ? example : `WITH 1 AS x, 2 AS y SELECT ${example} FROM events`
  const context = { timezone: 'UTC', variables: {}, propertyTypes: () => undefined, findAction: () => [] }
  return compileParsed(parseHogql(sql), context)
}

function typeOfExample(example: string): Type | undefined {
  try {
    return compileExample(example).columns[0]?.type
  } catch (error) {
    if (error instanceof HogqlError) return undefined
    throw error
  }
}

/** The most characters of an example. Longer ones do not help. */
const MAX_EXAMPLE = 140

/** Returns the shortest case of plain letters that calls the function. */
function exampleOf(names: readonly string[], { calls, texts }: FunctionCases): string {
  const begins = new RegExp(String.raw`^(?:${names.join('|')})\(`, 'i')
  const shown = calls
    .filter(([expression, , timezone]) => begins.test(expression) && timezone === undefined)
    .map(([expression, value]) => `${code(expression)} → ${code(JSON.stringify(value))}`)
  const called = texts.flatMap((text) => callsIn(text, names)).map(code)
  return shortest(shown) ?? shortest(called) ?? ''
}

const shortest = (texts: readonly string[]): string | undefined =>
  texts
    .filter((text) => text.length <= MAX_EXAMPLE && /^[ -~À-ӿ→]*$/.test(text) && !text.includes('``'))
    .toSorted((one, other) => one.length - other.length)[0]

/** Returns the calls of a function in a text, with balanced parentheses. */
function callsIn(text: string, names: readonly string[]): string[] {
  const start = new RegExp(String.raw`\b(?:${names.join('|')})(?:If)?\(`, 'gi')
  return [...text.matchAll(start)].flatMap(({ 0: head, index }) => {
    let end = closingOf(text, index + head.length - 1)
    if (text[end + 1] === '(') end = closingOf(text, end + 1)
    const over = /^ over \([^()]*\)/i.exec(text.slice(end + 1))
    return end < 0 ? [] : [text.slice(index, end + 1) + (over?.[0] ?? '')]
  })
}

/** Returns the position of the closing parenthesis, or -1 without one. */
function closingOf(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')' && --depth === 0) return at
  }
  return -1
}
