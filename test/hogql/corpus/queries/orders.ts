// Tuples and arrays in every place of an order: D1 computes ClickHouse's order, or refuses the query. Their JSON sorts as text in another
// order, [0, 100] before [0, 10].
import type { CorpusQuery } from '../corpus-query'

interface Key {
  name: string
  /** The expression that WITH names `t`. */
  alias?: string
  /** A FROM with the column `n`. */
  from: string
  /** The key of a row. */
  of: string
  isArray?: true
  isWrittenOut?: true
}

const NUMBERS = '(SELECT arrayJoin([9, 10, 100, 11]) AS n)'
const FORMS = [
  ['a tuple', '(n % 2, n)'],
  ['an array', '[n % 2, n]'],
] as const

const KEYS: readonly Key[] = FORMS.flatMap(([form, key]): Key[] => {
  const isArray = key.startsWith('[') || undefined
  return [
    { name: form, from: NUMBERS, of: key, isArray, isWrittenOut: true },
    { name: `a name of ${form}`, alias: key, from: NUMBERS, of: 't', isArray, isWrittenOut: true },
    { name: `${form} that is computed`, from: NUMBERS, of: `arrayMap(x -> ${key}, [0])[1]`, isArray },
    { name: `a column of ${form}`, from: `(SELECT n, ${key} AS t FROM ${NUMBERS})`, of: 't', isArray },
  ]
})

type Rows = CorpusQuery['rows']

interface Place {
  name: string
  sql(key: Key): string
  columns: readonly string[]
  types: CorpusQuery['types']
  rows: Rows
  /** Whether D1 computes it for tuples, or only for those that are written out. */
  onD1: 'all' | 'written out' | 'none'
}

const INTEGERS = ['integer', 'integer'] as const
const IN_ORDER = [
  [0, 10],
  [0, 100],
  [1, 9],
  [1, 11],
]

const PLACES: readonly Place[] = [
  {
    name: 'ORDER BY',
    sql: ({ from, of }) => `SELECT n FROM ${from} ORDER BY ${of}`,
    columns: ['n'],
    types: ['integer'],
    rows: [[10], [100], [9], [11]],
    onD1: 'all',
  },
  {
    name: 'ORDER BY … DESC',
    sql: ({ from, of }) => `SELECT n FROM ${from} ORDER BY ${of} DESC LIMIT 3`,
    columns: ['n'],
    types: ['integer'],
    rows: [[11], [9], [100]],
    onD1: 'all',
  },
  {
    name: 'ORDER BY an alias',
    sql: ({ from, of }) => `SELECT ${of} AS sorted FROM ${from} ORDER BY sorted`,
    columns: ['sorted'],
    types: ['array'],
    rows: IN_ORDER.map((key) => [key]),
    onD1: 'all',
  },
  {
    name: 'SELECT DISTINCT',
    sql: ({ from, of }) => `SELECT DISTINCT ${of} AS sorted FROM ${from} ORDER BY sorted DESC`,
    columns: ['sorted'],
    types: ['array'],
    rows: IN_ORDER.toReversed().map((key) => [key]),
    onD1: 'all',
  },
  {
    name: 'SELECT DISTINCT … LIMIT BY',
    sql: ({ from, of }) =>
      `SELECT DISTINCT ${of} AS sorted, n % 2 AS odd FROM ${from} ORDER BY sorted LIMIT 1 BY odd`,
    columns: ['sorted', 'odd'],
    types: ['array', 'integer'],
    rows: [
      [[0, 10], 0],
      [[1, 9], 1],
    ],
    onD1: 'all',
  },
  {
    name: 'LIMIT BY',
    sql: ({ from, of }) => `SELECT n FROM ${from} ORDER BY ${of} DESC LIMIT 1 BY n % 2`,
    columns: ['n'],
    types: ['integer'],
    rows: [[11], [100]],
    onD1: 'all',
  },
  {
    name: 'GROUP BY',
    sql: ({ from, of }) =>
      `SELECT ${of} AS sorted, avg(n) * 2 AS c, row_number() OVER (ORDER BY sorted DESC) AS r FROM ${from} GROUP BY sorted ORDER BY sorted`,
    columns: ['sorted', 'c', 'r'],
    types: ['array', 'float', 'integer'],
    rows: [
      [[0, 10], 20, 4],
      [[0, 100], 200, 3],
      [[1, 9], 18, 2],
      [[1, 11], 22, 1],
    ],
    onD1: 'all',
  },
  {
    name: 'OVER',
    sql: ({ from, of }) =>
      `SELECT n, row_number() OVER (ORDER BY ${of}) AS r, sum(n) OVER (ORDER BY ${of}) AS s, lagInFrame(n) OVER (ORDER BY ${of}) AS l FROM ${from} ORDER BY n`,
    columns: ['n', 'r', 's', 'l'],
    types: ['integer', 'integer', 'integer', 'integer'],
    rows: [
      [9, 3, 119, 100],
      [10, 1, 10, 0],
      [11, 4, 130, 9],
      [100, 2, 110, 10],
    ],
    onD1: 'all',
  },
  {
    name: 'argMax and argMin',
    sql: ({ from, of }) => `SELECT argMax(n, ${of}) AS a, argMin(n, ${of}) AS b FROM ${from}`,
    columns: ['a', 'b'],
    types: INTEGERS,
    rows: [[11, 10]],
    onD1: 'all',
  },
  {
    name: 'arraySort and arrayReverseSort',
    sql: ({ from, of }) =>
      `SELECT arraySort(groupArray(${of})) AS a, arrayReverseSort(groupArray(${of})) AS b FROM ${from}`,
    columns: ['a', 'b'],
    types: ['array', 'array'],
    rows: [[IN_ORDER, IN_ORDER.toReversed()]],
    onD1: 'all',
  },
  {
    name: 'arrayMax and arrayMin',
    sql: ({ from, of }) =>
      `SELECT arrayMax(groupArray(${of})) AS a, arrayMin(groupArray(${of})) AS b FROM ${from}`,
    columns: ['a', 'b'],
    types: ['array', 'array'],
    rows: [
      [
        [1, 11],
        [0, 10],
      ],
    ],
    onD1: 'all',
  },
  {
    name: 'arraySort with a lambda',
    sql: ({ from, of }) =>
      `SELECT arraySort(x -> x.2, groupArray((n, ${of}))).1 AS a, arrayReverseSort((x, key) -> key, groupArray(n), groupArray(${of})) AS b FROM ${from}`,
    columns: ['a', 'b'],
    types: ['array', 'array'],
    rows: [
      [
        [10, 100, 9, 11],
        [11, 9, 100, 10],
      ],
    ],
    onD1: 'all',
  },
  {
    name: 'arrayMax and arrayMin with a lambda',
    sql: ({ from, of }) =>
      `SELECT arrayMax(x -> x.2, groupArray((n, ${of}))) AS a, arrayMin(x -> x.2, groupArray((n, ${of}))) AS b FROM ${from}`,
    columns: ['a', 'b'],
    types: ['array', 'array'],
    rows: [
      [
        [1, 11],
        [0, 10],
      ],
    ],
    onD1: 'all',
  },
  {
    name: 'keys of sumMap',
    sql: ({ from, of }) => `SELECT sumMap([${of}], [n]) AS a FROM ${from}`,
    columns: ['a'],
    types: ['array'],
    rows: [[[IN_ORDER, [10, 100, 9, 11]]]],
    onD1: 'all',
  },
  {
    name: 'min and max',
    sql: ({ from, of }) => `SELECT min(${of}) AS a, max(${of}) AS b FROM ${from}`,
    columns: ['a', 'b'],
    types: ['array', 'array'],
    rows: [
      [
        [0, 10],
        [1, 11],
      ],
    ],
    onD1: 'none',
  },
  {
    name: 'greatest and least',
    sql: ({ from, of }) =>
      `SELECT n, greatest(${of}, ${of}) AS a, least(${of}, ${of}) AS b FROM ${from} ORDER BY n LIMIT 1`,
    columns: ['n', 'a', 'b'],
    types: ['integer', 'array', 'array'],
    rows: [[9, [1, 9], [1, 9]]],
    onD1: 'none',
  },
  {
    name: '<',
    sql: ({ from, of, isArray }) =>
      `SELECT n FROM ${from} WHERE ${of} < ${isArray ? '[0, 11]' : '(0, 11)'} ORDER BY n`,
    columns: ['n'],
    types: ['integer'],
    rows: [[10]],
    onD1: 'written out',
  },
  {
    name: 'BETWEEN',
    sql: ({ from, of, isArray }) =>
      `SELECT n FROM ${from} WHERE ${of} BETWEEN ${isArray ? '[0, 11] AND [1, 10]' : '(0, 11) AND (1, 10)'} ORDER BY n`,
    columns: ['n'],
    types: ['integer'],
    rows: [[9], [100]],
    onD1: 'written out',
  },
]

const ofPlace = (place: Place): CorpusQuery[] =>
  KEYS.map((key) => ({
    name: `${place.name}: ${key.name}`,
    sql: (key.alias === undefined ? '' : `WITH ${key.alias} AS t `) + place.sql(key),
    clickhouseOnly:
      key.isArray || place.onD1 === 'none' || (place.onD1 === 'written out' && !key.isWrittenOut),
    ordered: true,
    columns: place.columns,
    types: place.types,
    rows: place.rows,
  }))

/** Orders of tuples whose items are NULL, tuples or arrays, or which an outer join leaves out. */
const ITEMS: readonly CorpusQuery[] = [
  {
    name: 'a tuple of an aggregate and NULL',
    sql: 'SELECT n % 2 AS odd, tuple(sum(n), NULL) AS `context.columns.sum` FROM (SELECT arrayJoin([9, 10, 100, 11]) AS n) GROUP BY odd ORDER BY `context.columns.sum` DESC LIMIT 1',
    ordered: true,
    columns: ['odd', 'context.columns.sum'],
    types: ['integer', 'array'],
    rows: [[0, [110, null]]],
  },
  ...(['', ' DESC'] as const).map((direction): CorpusQuery => ({
    name: `NULL in tuples${direction}`,
    sql: `SELECT t FROM (SELECT arrayJoin([(9, NULL), (9, 1), (NULL, 1), (10, 10), (10, 9)]) AS t) ORDER BY t${direction}`,
    ordered: true,
    columns: ['t'],
    types: ['array'],
    rows:
      direction === ''
        ? [[[9, 1]], [[9, null]], [[10, 9]], [[10, 10]], [[null, 1]]]
        : [[[10, 10]], [[10, 9]], [[9, 1]], [[9, null]], [[null, 1]]],
  })),
  {
    name: 'NULL in tuples of an array',
    sql: 'SELECT arraySort(a) AS b, arrayReverseSort(a) AS c, arrayMin(a) AS d, arrayMax(a) AS e FROM (SELECT [(9, NULL), (9, 1), (NULL, 1), (10, 10)] AS a)',
    columns: ['b', 'c', 'd', 'e'],
    types: ['array', 'array', 'array', 'array'],
    rows: [
      [
        [
          [9, 1],
          [9, null],
          [10, 10],
          [null, 1],
        ],
        [
          [10, 10],
          [9, 1],
          [9, null],
          [null, 1],
        ],
        [9, 1],
        [10, 10],
      ],
    ],
  },
  {
    name: 'tuples within tuples, of texts and numbers',
    sql: "SELECT t FROM (SELECT arrayJoin([(9, ('a', 1.5)), (10, ('b', 2.0)), (10, ('a b', 10.0)), (10, ('a', 9.0)), (10, ('a', 10.0))]) AS t) ORDER BY t DESC",
    ordered: true,
    columns: ['t'],
    types: ['array'],
    rows: [[[10, ['b', 2]]], [[10, ['a b', 10]]], [[10, ['a', 10]]], [[10, ['a', 9]]], [[9, ['a', 1.5]]]],
  },
  {
    name: 'a tuple that an outer join leaves out',
    sql: "SELECT a.n AS n, b.t AS t FROM (SELECT arrayJoin([1, 2]) AS n) AS a LEFT JOIN (SELECT 2 AS n, (1, 'x') AS t) AS b ON a.n = b.n ORDER BY b.t",
    ordered: true,
    columns: ['n', 't'],
    types: ['integer', 'array'],
    rows: [
      [2, [1, 'x']],
      [1, null],
    ],
  },
  {
    name: 'the greatest of no tuples',
    sql: "SELECT arrayMax(arrayFilter(x -> x.1 > 10, [(9, 'a'), (10, 'b')])) AS a",
    columns: ['a'],
    types: ['array'],
    rows: [[[0, '']]],
  },
  ...[
    'SELECT n FROM (SELECT arrayJoin([9, 10]) AS n) ORDER BY (1, [n])',
    'SELECT arrayJoin(arraySort([(1, [10]), (1, [9])])).2[1] AS n',
  ].map((sql): CorpusQuery => ({
    name: `an array within a tuple: ${sql}`,
    sql,
    clickhouseOnly: true,
    ordered: true,
    columns: ['n'],
    types: ['integer'],
    rows: [[9], [10]],
  })),
  ...['((n, 1), 2) < ((10, 0), 0)', '([n], 2) < ([10], 0)'].map((condition): CorpusQuery => ({
    name: `within tuples that are compared: ${condition}`,
    sql: `SELECT n FROM (SELECT arrayJoin([9, 10, 100]) AS n) WHERE ${condition}`,
    clickhouseOnly: true,
    columns: ['n'],
    types: ['integer'],
    rows: [[9]],
  })),
]

export const ORDERS: readonly CorpusQuery[] = [...PLACES.flatMap(ofPlace), ...ITEMS]
