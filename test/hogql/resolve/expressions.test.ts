// Operators, conditions, membership, casts, and constants.
import { describe, expect, it } from 'vitest'
import { refusal, written } from './resolving'

describe('operators', () => {
  it.each([
    [
      'select 1 + 2 * 3 - 4, 5 / 2, 5 % 2, 5 % number, -number, not number, number and 1 or 0 from numbers(3)',
      `{((1 + (2 * 3)) - 4) as '1 + 2 * 3 - 4' integer, (5 / 2) as '5 / 2' float, (5 % 2) as '5 % 2' integer, (5 % s0.number) as '5 % number' integer?, -s0.number as '-number' integer, not s0.number as 'not number' integer, ((s0.number and 1) or 0) as 'number and 1 or 0' integer from numbers(0, 3) s0}`,
    ],
    [
      `select event = 'a', event != 'a', event = null, event is not null, event <=> null, event is distinct from 'b', 1 < 2, 'a' >= 'b' from events`,
      `{(s0.event = "a") as 'event = 'a'' integer, (s0.event != "a") as 'event != 'a'' integer, (s0.event is null) as 'event = null' integer, (s0.event is not null) as 'event is not null' integer, (s0.event is null) as 'event <=> null' integer, (s0.event != "b") as 'event is distinct from 'b'' integer, (1 < 2) as '1 < 2' integer, ("a" >= "b") as ''a' >= 'b'' integer from events(event) s0}`,
    ],
    [
      `select event between 'a' and 'b', number not between 1 and 2 from events, numbers(1)`,
      `{((s0.event >= "a") and (s0.event <= "b")) as 'event between 'a' and 'b'' integer, ((s1.number < 1) or (s1.number > 2)) as 'number not between 1 and 2' integer from events(event) s0 cross numbers(0, 1) s1}`,
    ],
    [
      `select event like 'a%', event not ilike '%b', 'x' || event, event || 1 from events`,
      `{(s0.event like "a%") as 'event like 'a%'' integer, (s0.event not ilike "%b") as 'event not ilike '%b'' integer, concat("x", s0.event) as ''x' || event' string, concat(s0.event, 1) as 'event || 1' string from events(event) s0}`,
    ],
    [
      `select number ? 'a' : 'b', number ?? 1 from numbers(1)`,
      `{(s0.number ? "a" : "b") as 'number ? 'a' : 'b'' string, ifNull(s0.number, 1) as 'number ?? 1' integer from numbers(0, 1) s0}`,
    ],
    [
      `select properties = '{}' from events`,
      `{(s0.properties = "{}") as 'properties = '{}'' integer from events(properties) s0}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      `select number = '1', number = 'a' from numbers(1)`,
      `type_mismatch: An integer cannot be compared with 'a' @ number = 'a'`,
    ],
    [
      `select true = 1, true = 'true', true = 'x'`,
      `type_mismatch: A boolean cannot be compared with 'x' @ true = 'x'`,
    ],
    [
      `select [1] = [2], (1, 'a') = (2, 'b'), (1, 2) = (1, 2, 3)`,
      'type_mismatch: Tuple(Int64, Int64) cannot be compared with Tuple(Int64, Int64, Int64) @ (1, 2) = (1, 2, 3)',
    ],
    [
      'select groupArray(number) = [0.5, 1] from numbers(2)',
      'type_mismatch: Array(Int64) cannot be compared with Array(Float64) @ groupArray(number) = [0.5, 1]',
    ],
    [`select ['a'] = [1]`, `type_mismatch: Array(String) cannot be compared with Array(Int64) @ ['a'] = [1]`],
    [
      'select has([groupArray(number)], [1.0]) from numbers(1)',
      `type_mismatch: Function 'has' cannot compare the values of Array(Array(Int64)) and Array(Float64) @ has([groupArray(number)], [1.0])`,
    ],
    [
      `select has(['a'], 1)`,
      `type_mismatch: Function 'has' cannot compare the values of Array(String) and Int64. Convert with toString(…) or toFloat(…) @ has(['a'], 1)`,
    ],
    [
      `select hasAny(splitByChar(',', '1'), [1])`,
      `type_mismatch: Function 'hasAny' cannot compare the values of Array(String) and Array(Int64). Convert with toString(…) or toFloat(…) @ hasAny(splitByChar(',', '1'), [1])`,
    ],
    [
      `select has(['10', 'x'], properties.num) from events`,
      `type_mismatch: Function 'has' cannot compare the values of Array(String) and Nullable(Float64). Convert with toString(…) or toFloat(…) @ has(['10', 'x'], properties.num)`,
    ],
    [
      `select event = lower(event), event = ['a'] from events`,
      `type_mismatch: A string cannot be compared with Array(String): use IN @ event = ['a']`,
    ],
    [
      `select event != ['a'] from events`,
      `type_mismatch: A string cannot be compared with Array(String): use NOT IN @ event != ['a']`,
    ],
    [
      `select event = length(event) from events`,
      `type_mismatch: A string cannot be compared with an integer. Convert with toString(…) or toFloat(…) @ event = length(event)`,
    ],
    ['select event + 1 from events', `type_mismatch: '+' takes numbers, and got a string @ event + 1`],
    [`select 'a' * 2`, `type_mismatch: '*' takes numbers, and got a string @ 'a' * 2`],
    [
      'select timestamp = 5 from events',
      'type_mismatch: A datetime cannot be compared with an integer @ timestamp = 5',
    ],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})

describe('conditionals', () => {
  it.each([
    [
      `select if(event = 'a', 1, 2.5), multiIf(event = 'a', 'x', event = 'b', 'y', 'z'), case when event = 'a' then 1 end, case event when 'a' then 1 when 'b' then 2 else 3 end from events`,
      `{((s0.event = "a") ? 1 : 2.5) as 'if(event = 'a', 1, 2.5)' float, ((s0.event = "a") ? "x" : (s0.event = "b") ? "y" : "z") as 'multiIf(event = 'a', 'x', event = 'b', 'y', 'z')' string, ((s0.event = "a") ? 1 : null) as 'case when event = 'a' then 1 end' integer?, ((s0.event = "a") ? 1 : (s0.event = "b") ? 2 : 3) as 'case event when 'a' then 1 when 'b' then 2 else 3 end' integer from events(event) s0}`,
    ],
    [
      `select if(1, null, 2), if(1, timestamp, toDate(timestamp)), if(1, timestamp, '2026-01-01'), if(1, {variables.n}, 1) from events`,
      `{(1 ? null : 2) as 'if(1, null, 2)' integer?, (1 ? s0.timestamp : toDateTime(toDate(s0.timestamp))) as 'if(1, timestamp, toDate(timestamp))' datetime, (1 ? s0.timestamp : datetime 2026-01-01T00:00:00.000000Z) as 'if(1, timestamp, '2026-01-01')' datetime, (1 ? {n float?} : 1) as 'if(1, {variables.n}, 1)' float? from events(timestamp) s0}`,
    ],
    [
      `select if(1, [1], [2.5]), if(1, [], [1]), if(1, (1, null), (2, 'a'))`,
      `{(1 ? [toFloat(1)] : [2.5]) as 'if(1, [1], [2.5])' [float], (1 ? [] : [1]) as 'if(1, [], [1])' [integer], (1 ? <1, null> : <2, "a">) as 'if(1, (1, null), (2, 'a'))' (integer, string?)}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      `select if(event = 'a', 'x', 1) from events`,
      `type_mismatch: There is no common type for the branches: a string, an integer. Convert with toString(…) or toFloat(…) @ if(event = 'a', 'x', 1)`,
    ],
    ['select if(1, 2)', `invalid_query: Function 'if' takes 3 arguments @ if(1, 2)`],
    [
      'select multiIf(1, 2)',
      `invalid_query: Function 'multiIf' takes an odd number of arguments, at least 3 @ multiIf(1, 2)`,
    ],
    [`select if('a', 1, 2)`, `type_mismatch: A condition is expected here, and got a string @ 'a'`],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})

describe('membership', () => {
  it.each([
    [
      `select event in ('a'), event in ('a', 'b'), event not in ['a'], event in tuple('a', 'b'), in(event, ('a', 'b')), notIn(event, 'a') from events`,
      `{(s0.event in ("a")) as 'event in ('a')' integer, (s0.event in ("a", "b")) as 'event in ('a', 'b')' integer, (s0.event not in ("a")) as 'event not in ['a']' integer, (s0.event in ("a", "b")) as 'event in tuple('a', 'b')' integer, (s0.event in ("a", "b")) as 'in(event, ('a', 'b'))' integer, (s0.event not in ("a")) as 'notIn(event, 'a')' integer from events(event) s0}`,
    ],
    [
      `select (event, distinct_id) in (('a', 'b')), (event, distinct_id) in ('a', 'b'), (event, distinct_id) in (select event, distinct_id from events) from events`,
      `{(<s0.event, s0.distinct_id> in (<"a", "b">)) as '(event, distinct_id) in (('a', 'b'))' integer, (<s0.event, s0.distinct_id> in (<"a", "b">)) as '(event, distinct_id) in ('a', 'b')' integer, (<s0.event, s0.distinct_id> in {s1.event as 'event' string, s1.distinct_id as 'distinct_id' string from events(event, distinct_id) s1}) as '(event, distinct_id) in (select event, distinct_id from events)' integer from events(event, distinct_id) s0}`,
    ],
    [
      'with c as (select event as x from events) select event from events where event in c and event not in (select x from c)',
      `{with cte0 {s1.event as 'x' string from events(event) s1} s2.event as 'event' string from events(event) s2 where ((s2.event in {s3.c0 as 'x' string from cte0 s3}) and (s2.event not in {s4.c0 as 'x' string from cte0 s4}))}`,
    ],
    [
      `select event in {variables.l}, 5 in {variables.l}, timestamp in {variables.l}, event in splitByChar(',', distinct_id) from events`,
      `{(s0.event in {l [string]?}) as 'event in {variables.l}' integer, (5 in {l [integer]?}) as '5 in {variables.l}' integer, (s0.timestamp in {l [datetime]?}) as 'timestamp in {variables.l}' integer, (s0.event in splitByChar(",", s0.distinct_id)) as 'event in splitByChar(',', distinct_id)' integer from events(event, timestamp, distinct_id) s0}`,
    ],
    [
      'select properties.num in (select properties.num from events), properties.a in (select 1) from events',
      `{(toFloat(s0.properties->num) in {toFloat(s1.properties->num) as 'num' float? from events(properties) s1}) as 'properties.num in (select properties.num from events)' integer, (toFloat(s0.properties->a) in {1 as '1' integer}) as 'properties.a in (select 1)' integer from events(properties) s0}`,
    ],
    [
      `select timestamp in ('2026-01-01', '2026-01-02'), toDate(timestamp) in ('2026-01-01') from events`,
      `{(s0.timestamp in (datetime 2026-01-01T00:00:00.000000Z, datetime 2026-01-02T00:00:00.000000Z)) as 'timestamp in ('2026-01-01', '2026-01-02')' integer, (toDate(s0.timestamp) in (date 2026-01-01)) as 'toDate(timestamp) in ('2026-01-01')' integer from events(timestamp) s0}`,
    ],
    [
      'select event from events where person_id in cohort 4',
      `{s0.event as 'event' string from events(event, person_id) s0 where (s0.person_id in {s1.person_id as 'person_id' string from cohort_people(person_id, cohort_id) s1 where (s1.cohort_id = 4)})}`,
    ],
    [
      `select event from events where person_id not in cohort 'vip'`,
      `{s0.event as 'event' string from events(event, person_id) s0 where (s0.person_id not in {s1.person_id as 'person_id' string from cohort_people(person_id, cohort_id) s1 where (s1.cohort_id = 7)})}`,
    ],
    [
      `select properties.a in (1, 'x', 2, null, true), properties.num not in (1, 'x') from events`,
      `{((toFloat(s0.properties->a) in (1, 2)) or (s0.properties->a in ("x", null)) or (toBool(s0.properties->a) in (true))) as 'properties.a in (1, 'x', 2, null, true)' integer, ((toFloat(s0.properties->num) not in (1)) and (s0.properties->num not in ("x"))) as 'properties.num not in (1, 'x')' integer from events(properties) s0}`,
    ],
    [
      `select has(['1', '2'], properties.num), hasAny([properties.num], ['1']), has({variables.l}, properties.num), hasAll([properties.num], {variables.l}) from events`,
      `{has([1, 2], toFloat(s0.properties->num)) as 'has(['1', '2'], properties.num)' integer, hasAny([s0.properties->num], ["1"]) as 'hasAny([properties.num], ['1'])' integer, has({l [float]?}, toFloat(s0.properties->num)) as 'has({variables.l}, properties.num)' integer, hasAll([toFloat(s0.properties->num)], {l [float]?}) as 'hasAll([properties.num], {variables.l})' integer from events(properties) s0}`,
    ],
    [
      `select event = {variables.l}, event in ('a', {variables.l}), properties.num > {variables.l}, has({variables.l}, {variables.l}), lower({variables.l}) from events`,
      `{(s0.event = {l string?}) as 'event = {variables.l}' integer, (s0.event in ("a", {l string?})) as 'event in ('a', {variables.l})' integer, (toFloat(s0.properties->num) > {l float?}) as 'properties.num > {variables.l}' integer, has({l [string]?}, {l string?}) as 'has({variables.l}, {variables.l})' integer, lower({l string?}) as 'lower({variables.l})' string? from events(event, properties) s0}`,
    ],
    [
      'select null in (1), 1 in (null, 2)',
      `{(null in (1)) as 'null in (1)' integer, (1 in (null, 2)) as '1 in (null, 2)' integer}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      'select event in (1, 2) from events',
      'type_mismatch: A string cannot be IN a list that has an integer. Convert with toString(…) or toFloat(…) @ event in (1, 2)',
    ],
    [
      `select event in ('a', ['b']) from events`,
      `type_mismatch: A string cannot be IN a list that has an array: write IN and the array alone @ event in ('a', ['b'])`,
    ],
    [
      'select event in (select 1) from events',
      'type_mismatch: A string cannot be IN a list that has an integer. Convert with toString(…) or toFloat(…) @ event in (select 1)',
    ],
    [
      'select event in (select event, uuid from events) from events',
      'type_mismatch: The subquery has 2 columns where 1 are expected @ event in (select event, uuid from events)',
    ],
    [
      `select event from events where person_id in cohort 'x'`,
      `invalid_query: Could not find a static cohort with the name 'x'. Queries read no dynamic ones: write their conditions in their place @ 'x'`,
    ],
    [
      'select event from events where timestamp in cohort 3',
      'type_mismatch: IN COHORT takes the id of a person @ timestamp',
    ],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})

describe('casts', () => {
  it.each([
    [
      `select '5'::int, event::String, cast(event as Float64), try_cast(event as UInt8), event::Nullable(String), '2026-01-01'::Date, '2026-01-01 10:00'::DateTime('UTC'), event::Decimal, cast(1, 'Bool') from events`,
      `{toInt("5") as ''5'::int' integer?, toString(s0.event) as 'event::String' string, toFloat(s0.event) as 'cast(event as Float64)' float?, toInt(s0.event) as 'try_cast(event as UInt8)' integer?, toString(s0.event) as 'event::Nullable(String)' string, date 2026-01-01 as ''2026-01-01'::Date' date, datetime 2026-01-01T10:00:00.000000Z as ''2026-01-01 10:00'::DateTime('UTC')' datetime, toFloat(s0.event) as 'event::Decimal' float?, toBool(1) as 'cast(1, 'Bool')' boolean from events(event) s0}`,
    ],
    [
      `select toDate('2026-01-01'), toDateTime('2026-01-01T10:00:00'), toDateTime('x'), toDate(event) from events`,
      `{date 2026-01-01 as 'toDate('2026-01-01')' date, datetime 2026-01-01T10:00:00.000000Z as 'toDateTime('2026-01-01T10:00:00')' datetime, toDateTime("x") as 'toDateTime('x')' datetime?, toDate(s0.event) as 'toDate(event)' date? from events(event) s0}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      'select event::Decimal(10, 2) from events',
      'not_supported: Numbers have no scale: Decimal(10, 2) is not supported. Use round(toFloat(x), 2) for digits. @ event::Decimal(10, 2)',
    ],
    [
      'select toDecimal(event, 2) from events',
      "invalid_query: Function 'toFloat' takes 1 argument, and got 2 @ toDecimal(event, 2)",
    ],
    ['select event::Foo from events', 'not_supported: Unsupported type: foo @ event::Foo'],
    [
      'select cast(event as Array(String)) from events',
      'not_supported: Unsupported type: array(string) @ cast(event as Array(String))',
    ],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})

describe('other expressions', () => {
  it.each([
    [
      `select 0x1F, 1.0, 1e3, -5, '5'`,
      `{31 as '0x1F' integer, 1 as '1.0' float, 1000 as '1e3' float, -5 as '-5' integer, "5" as ''5'' string}`,
    ],
    [
      `select match(event, 'a.*'), event =~ 'a', event !~ 'a', event =~* 'a', event !~* 'b' from events`,
      `{match(s0.event, "a.*") as 'match(event, 'a.*')' integer, ifNull(match(s0.event, "a"), 0) as 'event =~ 'a'' integer, not ifNull(match(s0.event, "a"), 0) as 'event !~ 'a'' integer, ifNull(match(s0.event, "(?i)a"), 0) as 'event =~* 'a'' integer, not ifNull(match(s0.event, "(?i)b"), 0) as 'event !~* 'b'' integer from events(event) s0}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [`select {'a': 1}`, `not_supported: Dictionaries are not supported @ {'a': 1}`],
    [
      'select x -> 1',
      'invalid_query: A lambda can only be an argument of a function such as arrayMap @ x -> 1',
    ],
    [
      'select [1, 2, 3][0:2]',
      'not_supported: The bounds of a slice are whole numbers from 1 on, such as [1:3]. For others use arraySlice(…) @ [1, 2, 3][0:2]',
    ],
    ['select f(1)(2)', `unknown_function: Unsupported function call 'f(...)'. @ f(1)(2)`],
    [
      'select <script>1</script>',
      'not_supported: HogQLX tags such as <script> are not supported: select the values themselves. @ <script',
    ],
    [
      'select 99999999999999999999',
      'not_supported: The number 99999999999999999999 is not supported. @ 99999999999999999999',
    ],
    [
      'select 9007199254740993',
      'not_supported: The number 9007199254740993 is too large. @ 9007199254740993',
    ],
    ['select inf, nan', 'not_supported: The number Infinity is not supported. @ inf'],
    ['select foo(1)', `unknown_function: Unsupported function call 'foo(...)'. @ foo(1)`],
    ['select count', 'unknown_field: Unable to resolve field: count (did you mean count()?) @ count'],
    ['select team_id from events', 'unknown_field: Unable to resolve field: team_id @ team_id'],
    [
      'select properties.a[event] from events',
      'not_supported: Properties are reached by a constant name, or by an index @ properties.a[event]',
    ],
    [
      `select [1][1], [1]['a'], (1, 2)[1], 'a'[1]`,
      `unknown_field: Unable to resolve field: a of an array @ [1]['a']`,
    ],
    ...[
      '[1, 2][0]',
      '[1, 2][-0]',
      '[1, 2]?.[0]',
      '(1, 2)[0]',
      'properties[0]',
      'properties.items[0]',
      'properties.items[1].tags[0]',
      "splitByChar('@', event)[0]",
      'arrayMap(x -> [x], [1])[1][0]',
    ].map((value) => [
      `select ${value} as v from events`,
      `invalid_query: SQL indexes start from one, not from zero. E.g: array[1] @ ${value}`,
    ]),
    ...['(1, 2).0', '[(1, 2)].0', 'properties.0', 'properties.items.0', 'properties.items.1.0'].map(
      (value) => [
        `select ${value} as v from events`,
        `invalid_query: SQL indexes start from one, not from zero. E.g: array.1 @ ${value}`,
      ],
    ),
    ['select (1, 2).3', 'type_mismatch: The tuple has 2 elements, and none is .3 @ (1, 2).3'],
    ['select event.1 from events', 'type_mismatch: A string has no element .1 @ event.1'],
    ['select a.b.c from events', 'unknown_field: Unable to resolve field: a.b.c @ a.b.c'],
    ['select event.x from events', 'unknown_field: Unable to resolve field: x of a string @ event.x'],
    [
      'select (select 1, 2)',
      'invalid_query: A subquery that is a value has 1 column, and got 2 @ select 1, 2',
    ],
    ['select exists(1)', 'invalid_query: EXISTS takes a subquery @ exists(1)'],
    ['select try_cast(1 as foo)', 'not_supported: Unsupported type: foo @ try_cast(1 as foo)'],
    [
      'select lower(1)',
      `type_mismatch: Function 'lower' takes a string as its first argument, and got an integer @ 1`,
    ],
    ['select lower()', `invalid_query: Function 'lower' takes 1 argument, and got 0 @ lower()`],
    [
      `select lower('a', 'b')`,
      `invalid_query: Function 'lower' takes 1 argument, and got 2 @ lower('a', 'b')`,
    ],
    [
      'select arrayMap(x -> x, 1)',
      `type_mismatch: Function 'arrayMap' takes an array as its second argument, and got an integer @ 1`,
    ],
    [
      'select arrayMap(1, [1])',
      `type_mismatch: Function 'arrayMap' takes a lambda as its first argument @ 1`,
    ],
    [
      'select arrayMap((x, y) -> x, [1])',
      'invalid_query: The lambda has 2 parameters for 1 array @ (x, y) -> x',
    ],
    [
      'select lower(x -> x)',
      `type_mismatch: Function 'lower' takes no lambda as its first argument @ x -> x`,
    ],
    [
      String.raw`select event like 'a\\' from events`,
      String.raw`invalid_query: A pattern of LIKE in this query ends in a single backslash. @ event like 'a\\'`,
    ],
    [
      'select event =~* distinct_id from events',
      'not_supported: =~* takes a constant pattern @ event =~* distinct_id',
    ],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})

describe('constant regular expressions', () => {
  const reasons = {
    '(a': "'(a' is not a regular expression of RE2: error parsing regexp: missing closing ): `(a`.",
  }
  it.each([
    [`select match(event, '(a') from events`, `match(event, '(a')`],
    [`select event =~ '(a' from events`, `event =~ '(a'`],
    [`select count() from events where event !~ '(a'`, `event !~ '(a'`],
    [`select extract(event, '(a') from events`, `extract(event, '(a')`],
    [`select replaceRegexpAll(event, '(a', '') from events`, `replaceRegexpAll(event, '(a', '')`],
    [`select splitByRegexp('(a', event) from events`, `splitByRegexp('(a', event)`],
    [`select multiMatchAny(event, ['b', '(a']) from events`, `multiMatchAny(event, ['b', '(a'])`],
  ])('rejects an invalid one in %s', async (sql, place) => {
    expect(await refusal(sql)).toBe(`invalid_query: ${reasons['(a']} @ ${place}`)
  })

  it('rejects a replacement with a group that the pattern does not have', async () => {
    expect(await refusal(String.raw`select replaceRegexpOne(event, '(a)', '\\2') from events`)).toBe(
      String.raw`invalid_query: The replacement has \2, and the regular expression 1 groups. @ replaceRegexpOne(event, '(a)', '\\2')`,
    )
  })

  it.each([
    [`a pattern of a column`, 'select match(event, distinct_id) from events'],
    ['a pattern of a variable', 'select match(event, {variables.s}) from events'],
    ['a long pattern, which only D1 rejects', `select match(event, '${'a'.repeat(1001)}') from events`],
  ])('accepts %s', async (_, sql) => {
    expect(await refusal(sql)).toMatch(/^none: /)
  })
})

it.each([
  'session.$channel_type',
  "getTrafficType('Googlebot/2.1')",
  "getTrafficCategory('Googlebot/2.1')",
  "getBotType('Googlebot/2.1')",
  "getBotName('Googlebot/2.1')",
])('%s is the same whatever the text of the query has at the places of its own text', async (expression) => {
  const paddedWith = async (letter: string) =>
    (await written(`select ${expression}, '${letter.repeat(30_000)}' from events`)).replaceAll(
      letter.repeat(30_000),
      '',
    )
  expect(await paddedWith('e')).toBe(await paddedWith('#'))
})
