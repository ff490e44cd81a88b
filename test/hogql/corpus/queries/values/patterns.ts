// LIKE and ILIKE: case counts in one and not in the other, on text of every alphabet and with every special character.
import type { CorpusQuery } from '../../corpus-query'

export const PATTERNS: readonly CorpusQuery[] = [
  {
    name: 'like minds the case',
    sql: "SELECT 'Purchase' LIKE 'purchase' AS a, 'Purchase' LIKE 'Pur%' AS b, 'Purchase' LIKE 'pur%' AS c, 'Purchase' ILIKE 'pur%' AS d",
    columns: ['a', 'b', 'c', 'd'],
    types: ['integer', 'integer', 'integer', 'integer'],
    rows: [[0, 1, 0, 1]],
  },
  {
    name: 'like on a column',
    sql: "SELECT event, count() AS total FROM events WHERE event LIKE 'p%' OR event LIKE '%called' GROUP BY event ORDER BY event",
    ordered: true,
    columns: ['event', 'total'],
    types: ['string', 'integer'],
    rows: [
      ['$feature_flag_called', 9],
      ['purchase', 16],
    ],
  },
  {
    name: 'ilike on a column',
    sql: "SELECT event, count() AS total FROM events WHERE event ILIKE 'p%' GROUP BY event ORDER BY event",
    ordered: true,
    columns: ['event', 'total'],
    types: ['string', 'integer'],
    rows: [
      ['Purchase', 1],
      ['purchase', 16],
    ],
  },
  {
    name: 'not like',
    sql: "SELECT DISTINCT event FROM events WHERE event NOT LIKE '%u%' ORDER BY event",
    ordered: true,
    columns: ['event'],
    types: ['string'],
    rows: [['$pageview'], ['export']],
  },
  {
    name: 'not ilike',
    sql: "SELECT DISTINCT event FROM events WHERE event NOT ILIKE '%P%' ORDER BY event",
    ordered: true,
    columns: ['event'],
    types: ['string'],
    rows: [['$feature_flag_called']],
  },
  {
    name: 'underscore is one character',
    sql: "SELECT 'cat' LIKE 'c_t' AS a, 'cart' LIKE 'c_t' AS b, 'cät' LIKE 'c_t' AS c, 'ct' LIKE 'c_t' AS d",
    columns: ['a', 'b', 'c', 'd'],
    types: ['integer', 'integer', 'integer', 'integer'],
    rows: [[1, 0, 1, 0]],
  },
  {
    name: 'percent in the middle',
    sql: "SELECT 'checkout' LIKE 'ch%out' AS a, 'checkout' LIKE '%eck%u%' AS b, 'checkout' LIKE 'ch%in' AS c, '' LIKE '%' AS d, '' LIKE '' AS e",
    columns: ['a', 'b', 'c', 'd', 'e'],
    types: ['integer', 'integer', 'integer', 'integer', 'integer'],
    rows: [[1, 1, 0, 1, 1]],
  },
  {
    name: 'characters that mean something elsewhere',
    sql: `
      SELECT properties.label AS label, label LIKE '%[x]%' AS brackets, label LIKE '%?*' AS wild, label LIKE '%*%' AS star
      FROM events WHERE event = 'export' AND properties.label IS NOT NULL ORDER BY timestamp`,
    ordered: true,
    columns: ['label', 'brackets', 'wild', 'star'],
    types: ['string', 'integer', 'integer', 'integer'],
    rows: [
      ['100% of_it [x]?*', 1, 1, 1],
      ['UPPER lower Ünïcode ΣΊΣΥΦΟΣ', 0, 0, 0],
      ['', 0, 0, 0],
    ],
  },
  {
    name: 'escaped percent and underscore',
    sql: "SELECT '100%' LIKE '100\\\\%' AS a, '1000' LIKE '100\\\\%' AS b, 'a_b' LIKE 'a\\\\_b' AS c, 'axb' LIKE 'a\\\\_b' AS d",
    columns: ['a', 'b', 'c', 'd'],
    types: ['integer', 'integer', 'integer', 'integer'],
    rows: [[1, 0, 1, 0]],
  },
  {
    name: 'an address with percent and underscore',
    sql: "SELECT properties.name AS name FROM persons WHERE properties.email LIKE '%\\\\_100\\\\%@%'",
    columns: ['name'],
    types: ['string'],
    rows: [['裕子']],
  },
  {
    name: 'ilike outside ASCII',
    sql: "SELECT 'CHLOÉ' ILIKE 'chloé' AS a, 'Дмитрий' ILIKE 'дМИТРИЙ' AS b, 'Ünïcode' ILIKE '%NÏC%' AS c",
    columns: ['a', 'b', 'c'],
    types: ['integer', 'integer', 'integer'],
    rows: [[1, 1, 1]],
  },
  {
    name: 'ilike on people',
    sql: "SELECT properties.email AS email FROM persons WHERE properties.email ILIKE '%EXAMPLE.com' ORDER BY email",
    ordered: true,
    columns: ['email'],
    types: ['string'],
    rows: [['CHLOE@Example.com'], ['ada@example.com'], ['ben@example.com'], ['niaj@example.com']],
  },
  {
    name: 'a pattern longer than fifty bytes',
    sql: "SELECT count() AS total FROM events WHERE properties.$current_url LIKE '%https://example.com/docs/install/and/some/more/path/that/is/long%' OR properties.$current_url LIKE 'https://example.com/docs%'",
    columns: ['total'],
    types: ['integer'],
    rows: [[7]],
  },
  {
    name: 'equality minds the case',
    sql: "SELECT 'a' = 'A' AS a, 'a' = 'a ' AS b, 'é' = 'é' AS c, 'a' < 'b' AS d, 'Z' < 'a' AS e, '10' < '9' AS f",
    columns: ['a', 'b', 'c', 'd', 'e', 'f'],
    types: ['integer', 'integer', 'integer', 'integer', 'integer', 'integer'],
    rows: [[0, 0, 1, 1, 1, 1]],
  },
]
