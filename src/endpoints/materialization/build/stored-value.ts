// From values as the API shows them to what D1 keeps of them: the reverse of what is done when kept rows are read.
import type { Type } from '../../../hogql/types'
import { parseTimestamp } from '../../../timestamps'

/** What is kept of a value: as JSON has it, moments in stored form. */
export function storedValue(value: unknown, type: Type): unknown {
  if (value === null || value === undefined) return null
  switch (type.kind) {
    case 'datetime':
      return parseTimestamp(String(value))
    case 'array':
      return listOf(value).map((item) => storedValue(item, type.of))
    case 'tuple':
      return listOf(value).map((item, place) =>
        storedValue(item, type.of[place] ?? { kind: 'null', nullable: true }),
      )
    case 'boolean':
    case 'integer':
    case 'float':
    case 'string':
    case 'date':
    case 'json':
    case 'null':
      return value
  }
}

const listOf = (value: unknown) => value as unknown[]
