// The time of SQL, from its text.
import { describe, expect, it } from 'vitest'
import { DATE, FUNCTION, JSON_ROWS, SUBSELECT } from '../../../src/hogql/cost/rates'
import { timeOfSql } from '../../../src/hogql/cost/time-of-sql'

describe('the time of SQL', () => {
  it.each([
    ['(argument 0) + 1', 0],
    ['upper((argument 0))', FUNCTION],
    ["strftime('%Y(date(', date(x))", 2 * DATE],
    ["\"date\"(x) || 'it''s date('", 0],
    ['CASE WHEN upper(a) = b THEN date(a) WHEN c THEN upper(a) ELSE upper(lower(a)) END', FUNCTION + DATE],
    ['CASE date(a) WHEN b THEN CASE WHEN c THEN d END END || date(e)', 2 * DATE],
    ['iif(upper(a), iif(b, date(a), 1), lower(a))', FUNCTION + DATE],
    ['iif(a, b, (c)) + date(d)', DATE],
    [
      '(SELECT v FROM (SELECT date(a) AS v) WHERE v IN (SELECT value FROM json_each(b)))',
      3 * SUBSELECT + DATE + JSON_ROWS,
    ],
    ['CASE WHEN (a', 0],
  ])('of %s', (sql, nanoseconds) => {
    expect(timeOfSql(sql)).toBe(nanoseconds)
  })
})
