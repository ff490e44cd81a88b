// Parameters of ClickHouse. They are in the text form of their types, escaped as in tab-separated files.
import { bareMoment } from '../../hogql/clickhouse/convert'
import type { Parameter } from '../../hogql/compiled'
import type { Kind, Type } from '../../hogql/types'
import type { BoundValue } from './query-engine'

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
}

const escaped = (text: string): string => text.replace(/[\\\t\n\r\0]/g, (character) => ESCAPES[character]!)

export const encodeParameters = (parameters: readonly Parameter[], values: readonly BoundValue[]): string[] =>
  parameters.map((parameter, place) => encode(values[place] ?? null, typeOf(parameter)))

/** The bound type, as far as it determines the text form. */
function typeOf(parameter: Parameter): Pick<Type, 'kind'> {
  if (parameter.kind === 'variable') return parameter.type
  if (parameter.kind === 'clock') return { kind: parameter.which === 'now' ? 'datetime' : 'date' }
  return { kind: 'string' }
}

function encode(value: BoundValue, type: Pick<Type, 'kind'>): string {
  if (isList(value)) {
    const of = 'of' in type && isType(type.of) ? type.of.kind : 'string'
    return `[${value.map((item) => quoted(item, of)).join(',')}]`
  }
  if (value === null) return type.kind === 'array' ? '[]' : '\\N'
  return escaped(plain(value, type.kind))
}

const isList = (value: BoundValue): value is Extract<BoundValue, readonly unknown[]> => Array.isArray(value)
const isType = (of: unknown): of is Type => typeof of === 'object' && of !== null && 'kind' in of

function quoted(value: string | number | boolean | null, kind: Kind): string {
  if (value === null) return 'NULL'
  if (typeof value !== 'string') return String(value)
  return `'${escaped(plain(value, kind)).replaceAll("'", "\\'")}'`
}

const plain = (value: string | number | boolean, kind: Kind): string =>
  kind === 'datetime' ? bareMoment(String(value)) : String(value)
