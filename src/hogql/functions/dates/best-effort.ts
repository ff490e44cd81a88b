// Converts texts of dates to ISO 8601: those with the day or the month first, with names of months, compact digits, and other separators or
// offsets.
const DIGITS = "'0123456789'"
const LETTERS = "'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'"
const MONTHS = `'["jan","feb","mar","apr","may","jun","jul","aug","sep","oct","nov","dec"]'`

const twoDigits = (sql: string): string => `substr('0' || ${sql}, -2)`

/** SQL of the characters of a set at the beginning of a text. */
const leading = (text: string, set: string): string =>
  `substr(${text}, 1, length(${text}) - length(ltrim(${text}, ${set})))`

const allDigits = (text: string, count: number): string =>
  `length(${text}) = ${count} AND ${text} NOT GLOB '*[^0-9]*'`

/** SQL for dates such as `20240229` and `20240229T235959`, which it writes with dashes. */
const compact = (v: string): string =>
  `CASE WHEN substr(${v}, 1, 8) NOT GLOB '*[^0-9]*' AND length(${v}) > 7 AND (${allDigits(v, 14)} OR substr(${v} || ' ', 9, 1) IN (' ', 'T')) ` +
  `THEN substr(${v}, 1, 4) || '-' || substr(${v}, 5, 2) || '-' || substr(${v}, 7, 2) || ' ' || substr(${v}, 9) END`

/** SQL of whether a word begins one of the names, in any case. An empty word does. */
const isName = (word: string, names: string): string => `instr(' ${names} ', ' ' || lower(${word})) > 0`

const MONTH_NAMES = 'january february march april may june july august september october november december'
const DAY_NAMES = 'monday tuesday wednesday thursday friday saturday sunday'

/**
 * SQL that writes `Sat, 18 Aug 2018 07:22:16` and `August 18, 2018` as `18-08-2018 …`. It is NULL without a month's name, and with any other
 * word than the name of a day before it: a word may have changed the date (`25th`).
 */
const named = (v: string): string =>
  `(SELECT CASE WHEN length(day) IN (1, 2) OR NOT ${isName('day', DAY_NAMES)} OR NOT ${isName('word', MONTH_NAMES)} OR before GLOB '*[^0-9]*' THEN NULL ` +
  `WHEN before <> '' THEN before || '-' || month || '-' || behind ` +
  `WHEN ltrim(ltrim(behind, ${DIGITS}), ' ,') NOT GLOB '*[0-9]:*' OR ltrim(ltrim(behind, ${DIGITS}), ' ,') GLOB '[0-9][0-9][0-9][0-9]*' ` +
  `THEN ${leading('behind', DIGITS)} || '-' || month || '-' || ltrim(ltrim(behind, ${DIGITS}), ' ,') END ` +
  `FROM (SELECT ${leading('front', LETTERS)} AS day, ltrim(ltrim(front, ${LETTERS}), ' ,.') AS before, month, ` +
  `${leading('rest', LETTERS)} AS word, ltrim(ltrim(rest, ${LETTERS}), ' ,-/.') AS behind ` +
  `FROM (SELECT ltrim(rtrim(substr(${v}, 1, at - 1), ' ,-/.')) AS front, substr(${v}, at) AS rest, month ` +
  `FROM (SELECT instr(lower(${v}), m.value) AS at, printf('%02d', m.key + 1) AS month FROM json_each(${MONTHS}) AS m WHERE at > 0 ORDER BY at LIMIT 1))))`

/** SQL of `14:30`, `2:30`, `14` or `143000` as a time, with seconds if there are any. */
const TIME =
  `CASE WHEN clock = '' THEN '00:00' WHEN ${allDigits('clock', 6)} THEN substr(clock, 1, 2) || ':' || substr(clock, 3, 2) || ':' || substr(clock, 5) ` +
  `WHEN ${allDigits('clock', 2)} THEN clock || ':00' WHEN clock GLOB '[0-9]:*' THEN '0' || clock ELSE clock END`

/** SQL that converts a time of twelve hours to one of twenty-four. */
const OF_DAY =
  `CASE tail WHEN 'PM' THEN printf('%02d', substr(time, 1, 2) % 12 + 12) || substr(time, 3) ` +
  `WHEN 'AM' THEN printf('%02d', substr(time, 1, 2) % 12) || substr(time, 3) ELSE time END`

/** SQL of an offset. It is NULL for any other text. */
const OFFSET =
  `CASE WHEN tail IN ('', 'AM', 'PM') THEN '' WHEN tail IN ('Z', 'UTC', 'GMT') THEN 'Z' ` +
  `WHEN tail GLOB '[+-][0-9][0-9]' THEN tail || ':00' WHEN tail GLOB '[+-][0-9][0-9]:[0-9][0-9]' THEN tail ` +
  `WHEN tail GLOB '[+-][0-9][0-9][0-9][0-9]' THEN substr(tail, 1, 3) || ':' || substr(tail, 4) END`

/** Returns SQL of a date whose third number is the year. When the first is a month and the second above 12, the second is the day. */
const dated = (year: string): string =>
  `${year} || '-' || iif(b > '12' AND length(b) = 2, ${twoDigits('a')} || '-' || b, ${twoDigits('b')} || '-' || ${twoDigits('a')})`

const DATE =
  `CASE WHEN sa NOT IN ('-', '/', '.') OR length(b) NOT IN (1, 2) OR length(a) NOT IN (1, 2, 4) THEN NULL ` +
  `WHEN length(a) = 4 AND length(c) < 3 THEN a || '-' || ${twoDigits('b')} || '-' || CASE c WHEN '' THEN '01' ELSE ${twoDigits('c')} END ` +
  `WHEN sb NOT IN ('-', '/', '.') OR length(a) = 4 THEN NULL WHEN length(c) = 4 THEN ${dated('c')} ` +
  `WHEN length(c) = 2 THEN ${dated(`iif(c < '70', '20', '19') || c`)} END`

const CLOCK = `'0123456789:.'`

/**
 * Returns SQL of three numbers with separators and the time after them. The database must not insert its expressions into each other,
 * because they would grow exponentially.
 */
const numbered = (v: string): string =>
  `(WITH p0(v) AS MATERIALIZED (SELECT trim(coalesce(${compact(v)}, ${named(v)}, ${v}))), ` +
  `p1(a, r) AS MATERIALIZED (SELECT ${leading('v', DIGITS)}, ltrim(v, ${DIGITS}) FROM p0), ` +
  `p2(a, sa, b, r) AS MATERIALIZED (SELECT a, substr(r, 1, 1), ${leading('substr(r, 2)', DIGITS)}, ltrim(substr(r, 2), ${DIGITS}) FROM p1), ` +
  `p3(a, sa, b, sb, c, r) AS MATERIALIZED (SELECT a, sa, b, substr(r, 1, 1), iif(substr(r, 1, 1) IN ('-', '/', '.'), ${leading('substr(r, 2)', DIGITS)}, ''), ` +
  `iif(substr(r, 1, 1) IN ('-', '/', '.'), ltrim(substr(r, 2), ${DIGITS}), r) FROM p2), ` +
  `p4(date, r) AS MATERIALIZED (SELECT ${DATE}, upper(ltrim(r, ' ,Tt')) FROM p3), ` +
  `p5(date, clock, tail) AS MATERIALIZED (SELECT date, ${leading('r', CLOCK)}, trim(ltrim(r, ${CLOCK})) FROM p4), ` +
  `p6(date, time, tail) AS MATERIALIZED (SELECT date, ${TIME}, tail FROM p5) ` +
  `SELECT date || 'T' || ${OF_DAY} || ${OFFSET} FROM p6)`

/** Returns SQL of a text as ISO 8601. It is unchanged if it is in that form, and NULL if it is no date. */
export const isoText = (v: string): string =>
  `CASE WHEN julianday(${v}) IS NOT NULL AND ${v} GLOB '[0-9][0-9][0-9][0-9]-*' THEN ${v} WHEN ${allDigits(v, 4)} THEN ${v} || '-01-01' ` +
  `WHEN ${allDigits(v, 6)} THEN substr(${v}, 1, 4) || '-' || substr(${v}, 5) || '-01' ELSE ${numbered(v)} END`
