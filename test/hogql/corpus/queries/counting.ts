// Counting: how often, how many people, the most frequent. The first queries that anybody writes.
import type { CorpusQuery } from '../corpus-query'

export const COUNTING: readonly CorpusQuery[] = [
  {
    name: 'all events',
    sql: 'SELECT count() FROM events',
    columns: ['count()'],
    types: ['integer'],
    rows: [[86]],
  },
  {
    name: 'events of one name',
    sql: "SELECT count() AS total FROM events WHERE event = '$pageview'",
    columns: ['total'],
    types: ['integer'],
    rows: [[40]],
  },
  {
    name: 'count with a star',
    sql: "SELECT count(*) AS total FROM events WHERE event = 'purchase'",
    columns: ['total'],
    types: ['integer'],
    rows: [[16]],
  },
  {
    name: 'events by name',
    sql: 'SELECT event, count() AS total FROM events GROUP BY event ORDER BY total DESC, event',
    ordered: true,
    columns: ['event', 'total'],
    types: ['string', 'integer'],
    rows: [
      ['$pageview', 40],
      ['purchase', 16],
      ['signup', 10],
      ['$feature_flag_called', 9],
      ['export', 6],
      ['$autocapture', 4],
      ['Purchase', 1],
    ],
  },
  {
    name: 'unique people',
    sql: 'SELECT count(DISTINCT person_id) AS people, uniq(person_id) AS approximately, uniqExact(person_id) AS exactly FROM events',
    columns: ['people', 'approximately', 'exactly'],
    types: ['integer', 'integer', 'integer'],
    rows: [[12, 12, 12]],
  },
  {
    name: 'unique people by distinct id and person',
    sql: "SELECT count(DISTINCT distinct_id) AS ids, count(DISTINCT person_id) AS people FROM events WHERE event = 'purchase'",
    columns: ['ids', 'people'],
    types: ['integer', 'integer'],
    rows: [[9, 8]],
  },
  {
    name: 'people by browser',
    sql: `
      SELECT properties.$browser AS browser, count() AS views, uniq(person_id) AS people
      FROM events WHERE event = '$pageview' GROUP BY browser ORDER BY views DESC, browser`,
    ordered: true,
    columns: ['browser', 'views', 'people'],
    types: ['string', 'integer', 'integer'],
    rows: [
      ['Chrome', 16, 5],
      ['Safari', 10, 3],
      ['Firefox', 7, 3],
      ['Edge', 6, 1],
      [null, 1, 1],
    ],
  },
  {
    name: 'top five pages',
    sql: `
      SELECT properties.$pathname AS path, count() AS views
      FROM events WHERE event = '$pageview'
      GROUP BY path ORDER BY views DESC, path LIMIT 5`,
    ordered: true,
    columns: ['path', 'views'],
    types: ['string', 'integer'],
    rows: [
      ['/', 24],
      ['/pricing', 8],
      ['/docs', 5],
      ['/docs/api', 1],
      ['/docs/install', 1],
    ],
  },
  {
    name: 'top pages after the first two',
    sql: `
      SELECT properties.$pathname AS path, count() AS views
      FROM events WHERE event = '$pageview'
      GROUP BY path ORDER BY views DESC, path LIMIT 2 OFFSET 2`,
    ordered: true,
    columns: ['path', 'views'],
    types: ['string', 'integer'],
    rows: [
      ['/docs', 5],
      ['/docs/api', 1],
    ],
  },
  {
    name: 'most active people',
    sql: `
      SELECT person.properties.name AS name, count() AS actions
      FROM events GROUP BY person_id, name ORDER BY actions DESC, name LIMIT 4`,
    ordered: true,
    columns: ['name', 'actions'],
    types: ['string', 'integer'],
    rows: [
      ['Ada Lovelace', 17],
      ['Grace Hopper', 14],
      ['Дмитрий', 11],
      ['Ben', 9],
    ],
  },
  {
    name: 'latest events',
    sql: 'SELECT timestamp, event, distinct_id FROM events ORDER BY timestamp DESC, uuid DESC LIMIT 3',
    ordered: true,
    columns: ['timestamp', 'event', 'distinct_id'],
    types: ['datetime', 'string', 'string'],
    rows: [
      ['2026-03-20T13:00:00Z', '$pageview', 'ben'],
      ['2026-03-20T11:59:59Z', '$pageview', 'dmitri'],
      ['2026-03-20T00:00:00Z', '$pageview', 'judy'],
    ],
  },
  {
    name: 'people by plan',
    sql: 'SELECT properties.plan AS plan, count() AS people FROM persons GROUP BY plan ORDER BY people DESC, plan',
    ordered: true,
    columns: ['plan', 'people'],
    types: ['string', 'integer'],
    rows: [
      ['free', 4],
      ['pro', 3],
      ['team', 2],
      [null, 2],
      ['enterprise', 1],
    ],
  },
  {
    name: 'people of a country',
    sql: "SELECT properties.name AS name FROM persons WHERE properties.country = 'US' ORDER BY name",
    ordered: true,
    columns: ['name'],
    types: ['string'],
    rows: [['Ben'], ['Fox 🦊'], ['Grace Hopper']],
  },
  {
    name: 'pivot with countIf',
    sql: `
      SELECT
        properties.$browser AS browser,
        countIf(properties.$pathname = '/') AS home,
        countIf(properties.$pathname = '/pricing') AS pricing,
        countIf(properties.$pathname LIKE '/docs%') AS docs
      FROM events WHERE event = '$pageview' AND properties.$browser IS NOT NULL
      GROUP BY browser ORDER BY browser`,
    ordered: true,
    columns: ['browser', 'home', 'pricing', 'docs'],
    types: ['string', 'integer', 'integer', 'integer'],
    rows: [
      ['Chrome', 11, 1, 4],
      ['Edge', 4, 2, 0],
      ['Firefox', 5, 2, 0],
      ['Safari', 3, 3, 3],
    ],
  },
  {
    name: 'share of the whole',
    sql: `
      SELECT event, round(count() * 100 / (SELECT count() FROM events), 2) AS percent
      FROM events GROUP BY event ORDER BY percent DESC, event`,
    ordered: true,
    columns: ['event', 'percent'],
    types: ['string', 'float'],
    rows: [
      ['$pageview', 46.51],
      ['purchase', 18.6],
      ['signup', 11.63],
      ['$feature_flag_called', 10.47],
      ['export', 6.98],
      ['$autocapture', 4.65],
      ['Purchase', 1.16],
    ],
  },
  {
    name: 'conversion rate',
    sql: `
      SELECT
        uniqIf(person_id, event = '$pageview') AS visitors,
        uniqIf(person_id, event = 'purchase') AS buyers,
        buyers / visitors AS rate
      FROM events WHERE timestamp >= '2026-03-01'`,
    columns: ['visitors', 'buyers', 'rate'],
    types: ['integer', 'integer', 'float'],
    rows: [[10, 7, 0.7]],
  },
  {
    name: 'conversion rate by browser',
    sql: `
      SELECT person.properties.country AS country,
        round(countIf(event = 'purchase') / countIf(event = '$pageview'), 3) AS per_view
      FROM events WHERE person.properties.country IN ('US', 'GB', 'JP') GROUP BY country ORDER BY per_view DESC`,
    ordered: true,
    columns: ['country', 'per_view'],
    types: ['string', 'float'],
    rows: [
      ['GB', 0.625],
      ['JP', 0.333],
      ['US', 0.25],
    ],
  },
  {
    name: 'active people in the last 7 and 30 days',
    sql: `
      SELECT
        uniqIf(person_id, timestamp > now() - INTERVAL 1 DAY) AS dau,
        uniqIf(person_id, timestamp > now() - INTERVAL 7 DAY) AS wau,
        uniqIf(person_id, timestamp > now() - INTERVAL 30 DAY) AS mau,
        round(dau / mau, 4) AS stickiness
      FROM events WHERE timestamp <= now()`,
    columns: ['dau', 'wau', 'mau', 'stickiness'],
    types: ['integer', 'integer', 'integer', 'float'],
    rows: [[2, 7, 11, 0.1818]],
  },
  {
    name: 'events of the last day',
    sql: 'SELECT event, count() AS total FROM events WHERE timestamp >= now() - INTERVAL 24 HOUR AND timestamp < now() GROUP BY event ORDER BY event',
    ordered: true,
    columns: ['event', 'total'],
    types: ['string', 'integer'],
    rows: [['$pageview', 2]],
  },
  {
    name: 'how many people did how many purchases',
    sql: `
      SELECT purchases, count() AS people FROM (
        SELECT person_id, count() AS purchases FROM events WHERE event = 'purchase' GROUP BY person_id
      ) GROUP BY purchases ORDER BY purchases`,
    ordered: true,
    columns: ['purchases', 'people'],
    types: ['integer', 'integer'],
    rows: [
      [1, 3],
      [2, 3],
      [3, 1],
      [4, 1],
    ],
  },
  {
    name: 'names that start with a dollar sign',
    sql: "SELECT DISTINCT event FROM events WHERE startsWith(event, '$') ORDER BY event",
    ordered: true,
    columns: ['event'],
    types: ['string'],
    rows: [['$autocapture'], ['$feature_flag_called'], ['$pageview']],
  },
  {
    name: 'event names as they are written',
    sql: "SELECT event, count() AS total FROM events WHERE lower(event) = 'purchase' GROUP BY event ORDER BY event",
    ordered: true,
    columns: ['event', 'total'],
    types: ['string', 'integer'],
    rows: [
      ['Purchase', 1],
      ['purchase', 16],
    ],
  },
]
