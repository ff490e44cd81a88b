// Properties: conversions by their definitions and by their context.
import { describe, expect, it } from 'vitest'
import { refusal, written } from './resolving'

describe('properties with a definition', () => {
  it.each([
    [
      'select properties.num, properties.flag, properties.when, properties.text, person.properties.num, properties.num.x from events',
      `{toFloat(s0.properties->num) as 'num' float?, toBool(s0.properties->flag) as 'flag' boolean?, toDateTime(s0.properties->when) as 'when' datetime?, s0.properties->text as 'text' string?, toFloat(s0.person__properties->num) as 'num' float?, s0.properties->num.x as 'x' string? from events(properties, person__properties) s0}`,
    ],
    [
      `select properties.num = '5', properties.num = 'five', properties.num != '', properties.flag = 'true', properties.flag = 'yes', properties.flag = 1, properties.when = '2026-01-01', properties.when > 'x' from events`,
      `{(toFloat(s0.properties->num) = 5) as 'properties.num = '5'' integer, (s0.properties->num = "five") as 'properties.num = 'five'' integer, (s0.properties->num != "") as 'properties.num != ''' integer, (toBool(s0.properties->flag) = true) as 'properties.flag = 'true'' integer, (s0.properties->flag = "yes") as 'properties.flag = 'yes'' integer, (toBool(s0.properties->flag) = 1) as 'properties.flag = 1' integer, (toDateTime(s0.properties->when) = datetime 2026-01-01T00:00:00.000000Z) as 'properties.when = '2026-01-01'' integer, (s0.properties->when > "x") as 'properties.when > 'x'' integer from events(properties) s0}`,
    ],
    [
      `select properties.num in ('1','2'), properties.num in ('a','b'), properties.text in (1, 2), properties.flag in (true) from events`,
      `{(toFloat(s0.properties->num) in (1, 2)) as 'properties.num in ('1','2')' integer, (s0.properties->num in ("a", "b")) as 'properties.num in ('a','b')' integer, (toFloat(s0.properties->text) in (1, 2)) as 'properties.text in (1, 2)' integer, (toBool(s0.properties->flag) in (true)) as 'properties.flag in (true)' integer from events(properties) s0}`,
    ],
    [
      `select lower(properties.num), concat(properties.num), toString(properties.flag), JSONExtractString(properties.num, 'x') from events`,
      `{lower(s0.properties->num) as 'lower(properties.num)' string?, concat(toFloat(s0.properties->num)) as 'concat(properties.num)' string, toString(toBool(s0.properties->flag)) as 'toString(properties.flag)' string?, JSONExtractString(s0.properties->num, "x") as 'JSONExtractString(properties.num, 'x')' string? from events(properties) s0}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })
})

describe('properties without a definition', () => {
  it.each([
    [
      'select properties.a + 1, properties.a > 3, properties.a = 3, properties.a = true, properties.a > now(), toDate(timestamp) = properties.a, sum(properties.a), avg(properties.a), max(properties.a), -(properties.a) from events group by all',
      `{(toFloat(s0.properties->a) + 1) as 'properties.a + 1' float?, (toFloat(s0.properties->a) > 3) as 'properties.a > 3' integer, (toFloat(s0.properties->a) = 3) as 'properties.a = 3' integer, (toBool(s0.properties->a) = true) as 'properties.a = true' integer, (toDateTime(s0.properties->a) > now) as 'properties.a > now()' integer, (toDateTime(toDate(s0.timestamp)) = toDateTime(s0.properties->a)) as 'toDate(timestamp) = properties.a' integer, sum(toFloat(s0.properties->a)) as 'sum(properties.a)' float?, avg(toFloat(s0.properties->a)) as 'avg(properties.a)' float?, max(s0.properties->a) as 'max(properties.a)' string?, -toFloat(s0.properties->a) as '-(properties.a)' float? from events(properties, timestamp) s0 group (toFloat(s0.properties->a) + 1), (toFloat(s0.properties->a) > 3), (toFloat(s0.properties->a) = 3), (toBool(s0.properties->a) = true), (toDateTime(s0.properties->a) > now), (toDateTime(toDate(s0.timestamp)) = toDateTime(s0.properties->a)), -toFloat(s0.properties->a)}`,
    ],
    [
      'select properties.list.1, properties.list.2.name, properties.list[1], properties.$set.list.1 from events',
      `{s0.properties->list.1 as 'properties.list.1' string?, s0.properties->list.2.name as 'properties.list.2.name' string?, s0.properties->list.1 as 'properties.list[1]' string?, s0.properties->$set.list.1 as 'properties.$set.list.1' string? from events(properties) s0}`,
    ],
    [
      'select if(properties.a, 1, 0), not properties.a, properties.a and true from events',
      `{(toBool(s0.properties->a) ? 1 : 0) as 'if(properties.a, 1, 0)' integer, not toBool(s0.properties->a) as 'not properties.a' integer?, (toBool(s0.properties->a) and true) as 'properties.a and true' integer? from events(properties) s0}`,
    ],
    [
      `select coalesce(properties.a, 0), coalesce(properties.a, 'x'), coalesce(properties.a, now()), ifNull(properties.num, 'none') from events`,
      `{coalesce(toFloat(s0.properties->a), 0) as 'coalesce(properties.a, 0)' float, coalesce(s0.properties->a, "x") as 'coalesce(properties.a, 'x')' string, coalesce(toDateTime(s0.properties->a), now) as 'coalesce(properties.a, now())' datetime, ifNull(s0.properties->num, "none") as 'ifNull(properties.num, 'none')' string from events(properties) s0}`,
    ],
    [
      `select toStartOfDay(properties.a), dateDiff('day', properties.a, timestamp), properties.a + interval 1 day from events`,
      `{toStartOfDay(toDateTime(s0.properties->a)) as 'toStartOfDay(properties.a)' datetime?, dateDiff("day", toDateTime(s0.properties->a), s0.timestamp) as 'dateDiff('day', properties.a, timestamp)' integer?, (toDateTime(s0.properties->a) >> 1 day) as 'properties.a + interval 1 day' datetime? from events(properties, timestamp) s0}`,
    ],
    [
      'select a + 1, a = 2 from (select properties.a as a from events)',
      `{(toFloat(s1.c0) + 1) as 'a + 1' float?, (toFloat(s1.c0) = 2) as 'a = 2' integer from {s0.properties->a as 'a' string? from events(properties) s0} s1}`,
    ],
    [
      'select properties.a = properties.b, properties.a < properties.b from events',
      `{(s0.properties->a = s0.properties->b) as 'properties.a = properties.b' integer, (s0.properties->a < s0.properties->b) as 'properties.a < properties.b' integer from events(properties) s0}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })
})

describe('a property that is text by its definition', () => {
  it.each([
    'ifNull(properties.text, 0)',
    'coalesce(properties.text, 1.5)',
    'properties.text ?? true',
    'nullIf(properties.text, 0)',
    `if(event = 'a', properties.text, 0)`,
    `multiIf(event = 'a', 1, properties.text)`,
    `case when event = 'a' then properties.text else 0 end`,
    '[properties.text, 1]',
    'greatest(properties.text, 1)',
    'least(1, properties.text)',
    'lag(properties.text, 1, 0) over (order by uuid)',
    `map('a', properties.text, 'b', 1)`,
    `transform(properties.text, ['x'], [1])`,
    'ifNull(text, 0) from (select properties.text from events)',
    '1 union all select properties.text',
  ])('has no common type with numbers: %s', async (expression) => {
    const sql = `select ${expression}${expression.includes('(select') ? '' : ' from events'}`
    expect(await refusal(sql)).toMatch(
      /^type_mismatch: There is no common type for .*\. Convert with toString\(…\) or toFloat\(…\) @ /,
    )
  })

  it('has no common type with dates', async () => {
    expect(await refusal('select coalesce(properties.text, timestamp) from events')).toBe(
      "type_mismatch: There is no common type for the arguments of 'coalesce': a string, a datetime. Convert with toString(…) or toDateTime(…) @ coalesce(properties.text, timestamp)",
    )
  })

  it.each([
    [
      'coalesce(properties.text, properties.num)',
      'coalesce(s0.properties->text, s0.properties->num)',
      'string?',
    ],
    ['ifNull(toFloat(properties.text), 0)', 'ifNull(toFloat(s0.properties->text), 0)', 'float'],
    ['properties.text = 5', '(toFloat(s0.properties->text) = 5)', 'integer'],
  ])('is a text beside a property, and compared as a number: %s', async (expression, sql, type) => {
    expect(await written(`select ${expression} from events`)).toBe(
      `{${sql} as '${expression}' ${type} from events(properties) s0}`,
    )
  })
})

it.each([
  'select 1 from events where properties.text',
  'select if(properties.text, 1, 0) from events',
  'select countIf(not properties.text) from events',
])('refuses a property that is text by its definition as a condition: %s', async (sql) => {
  expect(await refusal(sql)).toBe(
    'type_mismatch: A condition is expected here, such as a comparison of the property with a text, and got a string @ properties.text',
  )
})
