// Revenue and other numbers that events carry.
import type { CorpusQuery } from '../corpus-query'

export const MONEY: readonly CorpusQuery[] = [
  {
    name: 'revenue by month',
    sql: `
      SELECT toStartOfMonth(timestamp) AS month, sum(properties.amount) AS revenue, count() AS purchases
      FROM events WHERE event = 'purchase' GROUP BY month ORDER BY month`,
    ordered: true,
    columns: ['month', 'revenue', 'purchases'],
    types: ['date', 'float', 'integer'],
    rows: [
      ['2026-01-01', 30.5, 2],
      ['2026-02-01', 364.99, 5],
      ['2026-03-01', 1277.24, 9],
    ],
  },
  {
    name: 'revenue by currency',
    sql: `
      SELECT properties.currency AS currency, round(sum(properties.amount), 2) AS revenue, round(avg(properties.amount), 4) AS mean
      FROM events WHERE event = 'purchase' GROUP BY currency ORDER BY currency`,
    ordered: true,
    columns: ['currency', 'revenue', 'mean'],
    types: ['string', 'float', 'float'],
    rows: [
      ['EUR', 45, 22.5],
      ['GBP', 282.23, 56.446],
      ['JPY', 1000, 1000],
      ['USD', 345.5, 57.5833],
    ],
  },
  {
    name: 'revenue of what is paid',
    sql: `
      SELECT properties.paid AS paid, count() AS purchases, sum(properties.amount) AS revenue
      FROM events WHERE event = 'purchase' GROUP BY paid ORDER BY paid`,
    ordered: true,
    columns: ['paid', 'purchases', 'revenue'],
    types: ['boolean', 'integer', 'float'],
    rows: [
      [false, 4, 87.25],
      [true, 11, 1585.48],
      [null, 1, null],
    ],
  },
  {
    name: 'revenue by person',
    sql: `
      SELECT person.properties.email AS email, sum(properties.amount) AS revenue
      FROM events WHERE event = 'purchase' AND properties.amount > 0 AND person.properties.email IS NOT NULL
      GROUP BY email HAVING revenue > 50 ORDER BY revenue DESC`,
    ordered: true,
    columns: ['email', 'revenue'],
    types: ['string', 'float'],
    rows: [
      ['judy_100%@example.jp', 1000],
      ['grace@navy.mil', 325],
      ['ada@example.com', 222.23],
      ['niaj@example.com', 60],
    ],
  },
  {
    name: 'revenue by plan of the person',
    sql: `
      SELECT person.properties.plan AS plan, sumIf(properties.amount, properties.paid = true) AS paid
      FROM events WHERE event = 'purchase' GROUP BY plan ORDER BY plan`,
    ordered: true,
    columns: ['plan', 'paid'],
    types: ['string', 'float'],
    rows: [
      ['enterprise', 1000],
      ['free', 20.5],
      ['pro', 239.98000000000002],
      ['team', 325],
    ],
  },
  {
    name: 'smallest, largest, mean',
    sql: `
      SELECT min(properties.amount) AS lowest, max(properties.amount) AS highest, avg(properties.amount) AS mean, count(properties.amount) AS known, count() AS purchases
      FROM events WHERE event = 'purchase'`,
    columns: ['lowest', 'highest', 'mean', 'known', 'purchases'],
    types: ['float', 'float', 'float', 'integer', 'integer'],
    rows: [[-45, 1000, 119.48071428571428, 14, 16]],
  },
  {
    name: 'median and percentiles',
    sql: `
      SELECT median(properties.amount) AS middle, quantile(0.25)(properties.amount) AS lower, quantile(0.75)(properties.amount) AS upper, quantile(0.95)(properties.amount) AS high
      FROM events WHERE event = 'purchase'`,
    columns: ['middle', 'lower', 'upper', 'high'],
    types: ['float', 'float', 'float', 'float'],
    rows: [[37.5, 12.9375, 93.74249999999999, 512.4999999999998]],
  },
  {
    name: 'median by month',
    sql: `
      SELECT toStartOfMonth(timestamp) AS month, median(properties.amount) AS middle, count() AS purchases
      FROM events WHERE event = 'purchase' GROUP BY month ORDER BY month`,
    ordered: true,
    columns: ['month', 'middle', 'purchases'],
    types: ['date', 'float', 'integer'],
    rows: [
      ['2026-01-01', 15.25, 2],
      ['2026-02-01', 57.495, 5],
      ['2026-03-01', 52.5, 9],
    ],
  },
  {
    name: 'percentile of a condition',
    sql: `
      SELECT quantileIf(0.9)(properties.amount, properties.currency = 'USD') AS usd, medianIf(properties.amount, properties.currency = 'GBP') AS gbp
      FROM events WHERE event = 'purchase'`,
    columns: ['usd', 'gbp'],
    types: ['float', 'float'],
    rows: [[162.5, 60]],
  },
  {
    name: 'histogram of amounts',
    sql: `
      SELECT multiIf(properties.amount < 0, 'refund', properties.amount = 0, 'free', properties.amount < 50, 'small', properties.amount < 200, 'medium', 'large') AS size, count() AS purchases
      FROM events WHERE event = 'purchase' AND properties.amount IS NOT NULL GROUP BY size ORDER BY purchases DESC, size`,
    ordered: true,
    columns: ['size', 'purchases'],
    types: ['string', 'integer'],
    rows: [
      ['small', 6],
      ['medium', 4],
      ['large', 2],
      ['free', 1],
      ['refund', 1],
    ],
  },
  {
    name: 'running total',
    sql: `
      SELECT toDate(timestamp) AS day, properties.amount AS amount, sum(properties.amount) OVER (ORDER BY timestamp) AS total
      FROM events WHERE event = 'purchase' AND properties.currency = 'GBP' ORDER BY timestamp`,
    ordered: true,
    columns: ['day', 'amount', 'total'],
    types: ['date', 'float', 'float'],
    rows: [
      ['2026-01-15', 10, 10],
      ['2026-02-20', 99.99, 109.99],
      ['2026-03-12', 12.25, 122.24],
      ['2026-03-13', 60, 182.24],
      ['2026-03-19', 99.99, 282.23],
    ],
  },
  {
    name: 'month over month',
    sql: `
      SELECT month, revenue, lagInFrame(revenue, 1, 0) OVER (ORDER BY month) AS before, revenue - before AS growth
      FROM (SELECT toStartOfMonth(timestamp) AS month, ifNull(sum(properties.amount), 0) AS revenue FROM events WHERE event = 'purchase' GROUP BY month)
      ORDER BY month`,
    ordered: true,
    columns: ['month', 'revenue', 'before', 'growth'],
    types: ['date', 'float', 'float', 'float'],
    rows: [
      ['2026-01-01', 30.5, 0, 30.5],
      ['2026-02-01', 364.99, 30.5, 334.49],
      ['2026-03-01', 1277.24, 364.99, 912.25],
    ],
  },
  {
    name: 'mean of purchases for each buyer',
    sql: "SELECT round(sum(properties.amount) / uniq(person_id), 2) AS each FROM events WHERE event = 'purchase'",
    columns: ['each'],
    types: ['float'],
    rows: [[209.09]],
  },
  {
    name: 'quantity times amount',
    sql: `
      SELECT distinct_id, properties.quantity * properties.amount AS value FROM events
      WHERE event = 'purchase' AND properties.quantity > 1 ORDER BY value DESC`,
    ordered: true,
    columns: ['distinct_id', 'value'],
    types: ['string', 'float'],
    rows: [
      ['grace', 2500],
      ['grace', 225],
      ['dmitri', 135],
      ['n-3', 120],
      ['chloe', 60],
      ['chloe-phone', 45],
      ['ben', 41],
    ],
  },
  {
    name: 'first and last purchase',
    sql: `
      SELECT argMin(properties.amount, timestamp) AS first, argMax(properties.amount, timestamp) AS last, argMax(distinct_id, properties.amount) AS biggest
      FROM events WHERE event = 'purchase'`,
    columns: ['first', 'last', 'biggest'],
    types: ['float', 'float', 'string'],
    rows: [[10, 99.99, 'judy']],
  },
  {
    name: 'items in an array of objects',
    sql: `
      SELECT JSONExtractString(item, 'sku') AS sku, sum(JSONExtractInt(item, 'qty')) AS sold
      FROM (SELECT arrayJoin(JSONExtractArrayRaw(properties, 'items')) AS item FROM events WHERE event = 'purchase')
      GROUP BY sku ORDER BY sku`,
    ordered: true,
    columns: ['sku', 'sold'],
    types: ['string', 'integer'],
    rows: [
      ['A-1', 6],
      ['B-2', 1],
      ['C-3', 7],
    ],
  },
]
