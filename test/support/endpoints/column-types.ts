// Columns of every type that a result can have, for tests of rows that are kept: each scalar within each shape.

const SCALARS = [
  'toInt(7)',
  '-9007199254740991',
  'toFloat(2)',
  '0.1',
  "toDecimal('12.50')",
  `'a"b\\'c,é'`,
  "''",
  'true',
  'false',
  '1 = 2',
  "toDateTime('2026-11-01 05:30:00.123456')",
  "toDateTime('1850-01-01 00:00:01')",
  "toTimeZone(toDateTime('2026-07-01 00:00:00'), 'Asia/Kathmandu')",
  "toDate('1969-12-31')",
  "toUUID('0193a5b0-7c1e-7000-8000-00000000000a')",
  "JSONExtractRaw('{\"a\": [1, null]}', 'a')",
]

const SHAPES: readonly ((scalar: string) => string)[] = [
  (x) => x,
  (x) => `nullIf(${x}, ${x})`,
  (x) => `[${x}]`,
  (x) => `[${x}, NULL]`,
  (x) => `[[${x}], []]`,
  (x) => `tuple(${x}, NULL)`,
  (x) => `[(1, ${x})]`,
  (x) => `arrayFilter(e -> 1 = 2, [${x}])`,
  (x) => `map('k', ${x}, '__proto__', ${x})`,
  (x) => `map(toString(${x}), 1)`,
  (x) => `map('k', map('l', ${x}))`,
  (x) => `[map('k', [${x}])]`,
  (x) => `tuple(map('k', tuple(${x})))`,
  (x) => `mapFilter((k, v) -> 1 = 2, map('k', ${x}))`,
]

/** A query for each shape, with a column for each scalar. */
export const COLUMN_TYPE_QUERIES: readonly string[] = [
  ...SHAPES.map((shape) => `SELECT ${SCALARS.map((scalar, at) => `${shape(scalar)} AS x${at}`).join(', ')}`),
  "SELECT NULL AS x, [NULL] AS list, [] AS none, map() AS nothing, map(1, 'a', 2, 'b') AS numbered, map(toDate('2026-01-01'), 1) AS dated",
]
