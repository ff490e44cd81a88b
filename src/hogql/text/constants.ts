// Names and constants as HogQL text.

const PLAIN = /^[A-Za-z_$][A-Za-z0-9_$]*$/

/** Words that the grammar would take for something else. */
const RESERVED = new Set(
  'all and anti any array as asc asof between both by case cast cohort collate cross current date day desc distinct else end escape except extract false final first following for from full group having hour id if ilike in inf inner intersect interval into is join last leading left like limit minute month name nan not null nulls offset on or order outer over partition preceding prewhere qualify quarter range recursive return right rollup row rows sample second select semi settings substring then ties timestamp to top totals trailing trim true truncate unbounded union using week when where window with year'.split(
    ' ',
  ),
)

/** Words of RESERVED that users name columns by all the same, and that the grammar takes as names. */
const NAMES = new Set([
  'timestamp',
  'id',
  'name',
  'date',
  'first',
  'last',
  'day',
  'week',
  'month',
  'year',
  'hour',
  'minute',
  'second',
])

/** A name, in backticks where it would be read as something else. */
export function nameText(name: string): string {
  const isPlain = PLAIN.test(name) && (!RESERVED.has(name.toLowerCase()) || NAMES.has(name.toLowerCase()))
  return isPlain ? name : `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

/** A chain of names; a number in it is an index. */
export const chainText = (chain: readonly (string | number)[]): string =>
  chain
    .map((part) => (part === '*' ? '*' : typeof part === 'number' ? String(part) : nameText(part)))
    .join('.')

const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\0': '\\0',
}

/** A constant. */
export function constantText(value: string | number | boolean | null): string {
  if (value === null) return 'NULL'
  // oxlint-disable-next-line no-control-regex
  if (typeof value === 'string') return `'${value.replace(/[\\'\n\t\r\0]/g, (char) => ESCAPES[char]!)}'`
  return String(value)
}
