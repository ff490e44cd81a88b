// Parses names of types, which trees have in lower case: `Array(Nullable(String))`, `DateTime64(3, 'UTC')`, `timestamp with time zone`.
import { notSupported, type Reader } from './reader'

/** Parses the type of a CAST. */
export const typeName = (reader: Reader): string => reader.nested(() => typeWithArguments(reader))

function typeWithArguments(reader: Reader): string {
  const start = reader.token
  let name = lowerName(reader)
  if (reader.take('(')) {
    const items: string[] = []
    while (!reader.is(')')) {
      items.push(typeArgument(reader))
      if (!reader.take(',')) break
    }
    reader.expect(')')
    if (items.some((item) => item.includes('=')))
      throw notSupported('Types of the kind Enum are not supported.', start)
    name += `(${items.join(', ')})`
  } else {
    while (reader.isName() && !reader.is('AS')) name += ` ${lowerName(reader)}`
  }
  while (reader.take('[')) {
    name += `[${reader.token.kind === 'integer' ? reader.next().value : ''}]`
    reader.expect(']')
  }
  return name
}

const lowerName = (reader: Reader): string => reader.name().toLowerCase()

function typeArgument(reader: Reader): string {
  const { kind, start } = reader.token
  if (kind === 'word' || kind === 'quoted') {
    const isNamed = reader.isName(reader.after())
    return isNamed ? `${lowerName(reader)} ${typeName(reader)}` : typeName(reader)
  }
  if (kind !== 'string' && kind !== 'integer') reader.fail("')' is missing")
  reader.next()
  // The argument may be the `'a' = 1` of an Enum.
  if (reader.take('=')) reader.next()
  return reader.sql.slice(start, reader.end)
}

const CAST_TYPES = new Set(
  'DATE DAY HOUR INTERVAL MINUTE MONTH QUARTER SECOND TIME TIMESTAMP WEEK YEAR YYYY'.split(' '),
)

/** Parses the type after `::`, which has no parameters. */
export function castType(reader: Reader): string {
  if (!reader.isPlainName(CAST_TYPES)) reader.fail()
  const name = lowerName(reader)
  if (reader.take('WITH', 'TIME', 'ZONE')) return `${name} with time zone`
  return reader.take('WITH', 'LOCAL', 'TIME', 'ZONE') ? `${name} with local time zone` : name
}
