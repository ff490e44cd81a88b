// Names: what they resolve to, names of result columns, and `*`.
import { describe, expect, it } from 'vitest'
import { refusal, written } from './resolving'

describe('names', () => {
  it.each([
    [
      'select event, e.event, properties.$browser, person.properties.email, count(), 1 + 1, timestamp t from events e group by all',
      `{s0.event as 'event' string, s0.event as 'event' string, s0.properties->$browser as '$browser' string?, s0.person__properties->email as 'email' string?, count() as 'count()' integer, (1 + 1) as '1 + 1' integer, s0.timestamp as 't' datetime from events(event, properties, person__properties, timestamp) s0 group s0.event, s0.event, s0.properties->$browser, s0.person__properties->email, (1 + 1), s0.timestamp}`,
    ],
    [
      `select event from events where event = 'a' group by event having count() > 1 order by count() desc, 1 limit 5 by event`,
      `{s0.event as 'event' string from events(event) s0 where (s0.event = "a") group s0.event having (count() > 1) order count() desc, s0.event limit 5 offset 0 by s0.event}`,
    ],
    [
      `select toDate(timestamp) as timestamp from events where timestamp > '2026-01-01'`,
      `{toDate(s0.timestamp) as 'timestamp' date from events(timestamp) s0 where (toDate(s0.timestamp) > date 2026-01-01)}`,
    ],
    [
      `select event as e, upper(e) as u from events where u = 'A' order by u`,
      `{s0.event as 'e' string, upper(s0.event) as 'u' string from events(event) s0 where (upper(s0.event) = "A") order upper(s0.event)}`,
    ],
    [
      'select count() as event from events order by event',
      `{count() as 'event' integer from events() s0 aggregated order count()}`,
    ],
    ['select `c` from (select 1 as `c`)', `{s0.c0 as 'c' integer from {1 as 'c' integer} s0}`],
    [
      'select `count()` from (select count() from events)',
      `{s1.c0 as 'count()' integer from {count() as 'count()' integer from events() s0 aggregated} s1}`,
    ],
    [
      'select * from (select event, event from events)',
      `{s1.c0 as 'event' string, s1.c1 as 'event' string from {s0.event as 'event' string, s0.event as 'event' string from events(event) s0} s1}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      'select x from (select a.x, b.x from (select 1 as x) a, (select 2 as x) b)',
      'unknown_field: Ambiguous query. Found multiple sources for field: x @ x',
    ],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})

describe('scopes', () => {
  it.each([
    [
      `select x.event from (select event from events e where e.event = 'a') x`,
      `{s1.c0 as 'event' string from {s0.event as 'event' string from events(event) s0 where (s0.event = "a")} s1}`,
    ],
    [
      'select a.event from events a, events b where a.uuid = b.uuid',
      `{s0.event as 'event' string from events(event, uuid) s0 cross events(uuid) s1 where (s0.uuid = s1.uuid)}`,
    ],
    ['select 1 as a, 1 as a', `{1 as 'a' integer, 1 as 'a' integer}`],
    ['select events.event from events', `{s0.event as 'event' string from events(event) s0}`],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      'select event from events a join events b on a.uuid = b.uuid',
      'unknown_field: Ambiguous query. Found multiple sources for field: event @ event',
    ],
    ['select x from events as x', 'unknown_field: Unable to resolve field: x @ x'],
    ...[
      [
        'select event from events where exists (select 1 from persons p where p.id = events.person_id)',
        'events.person_id',
      ],
      ['select (select count() from persons where id = e.person_id) from events e', 'e.person_id'],
      [
        'select event from events e where uuid in (select id from persons where id = e.uuid union all select id from persons)',
        'e.uuid',
      ],
      ['select exists (select 1 where exists (select 1 where x = 1)) from (select 1 as x)', 'x'],
      ['select number as k, (select k) from numbers(3)', 'k'],
      ['select count() as c, (select c) from events', 'c'],
      ['select row_number() over () as c from events where 1 in (select c)', 'c'],
      ['select arrayMap(x -> (select x + 1), [1])', 'x'],
    ].map(([sql = '', name = '']) => [
      sql,
      `not_supported: A subquery cannot read '${name}' of the query around it: use a JOIN, or IN (SELECT …) @ ${name}`,
    ]),
    [
      'select id from persons a join persons b using id join persons c on true',
      'unknown_field: Ambiguous query. Found multiple sources for field: id @ id',
    ],
    [
      'select 1 from persons a join persons b using id join persons c on true join persons d using id',
      'unknown_field: Ambiguous query. Found multiple sources for field: id @ id',
    ],
    ...[
      'select arrayMap(x -> (x + 1 as y), [1]), y',
      "select mapFilter((k, v) -> (k as y) = 'a', map('a', 1)), y",
      'select arrayExists(x -> (x as y) = 1, [1]) from events where y = 1',
    ].map((sql) => [sql, 'unknown_field: Unable to resolve field: y @ y']),
    [
      'select e.event from events e join persons e on true',
      `invalid_query: Already have joined a table called 'e'. Can't redefine. @ persons e`,
    ],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })

  it.each([
    'select 1 as a, 2 as a',
    'select number as a, count() as a from numbers(3) group by number',
    'select 1 as a, (2 as a) + 1',
    'select 1 as b from events where (1 as a) = 1 and (2 as a) = 2',
    'select 1 from numbers(2) array join [1] as a, [2] as a',
    'select arrayMap(x -> (x as a) + (x + 1 as a), [1])',
  ])('refuses one alias of two expressions: %s', async (sql) => {
    expect(await refusal(sql)).toMatch(/^invalid_query: Cannot redefine an alias with the name: a @ /)
  })

  it.each([
    'select event as distinct_id, distinct_id as event from events',
    'select upper(a) as b, concat(b, a) as a from (select event as a, event as b from events)',
    'select a as b, b as c, c as a from (select 1 as a, 2 as b, 3 as c)',
  ])('refuses names of columns that are exchanged: %s', async (sql) => {
    expect(await refusal(sql)).toMatch(/^invalid_query: '\w+' is a column and an alias above: /)
  })

  it('reads columns by their table where names are exchanged', async () => {
    expect(await written('select e.event as distinct_id, e.distinct_id as event from events as e')).toBe(
      "{s0.event as 'distinct_id' string, s0.distinct_id as 'event' string from events(event, distinct_id) s0}",
    )
  })
})

describe('objects', () => {
  it.each([
    [
      'select person.id, poe.properties.plan, person.is_identified, group_1.properties.name, group_0.key, session.$entry_current_url, session.duration, $group_3, $session_id from events',
      `{s0.person_id as 'id' string, s0.person__properties->plan as 'plan' string?, s0.person__is_identified as 'is_identified' boolean?, s0.group_1__properties->name as 'name' string?, s0.group_0__key as 'key' string?, s0.session__$entry_current_url as '$entry_current_url' string?, s0.session__$session_duration as 'duration' integer?, s0.$group_3 as '$group_3' string, s0.$session_id as '$session_id' string? from events(person_id, person__properties, person__is_identified, group_1__properties, group_0__key, session__$entry_current_url, session__$session_duration, $group_3, $session_id) s0}`,
    ],
    [
      `select e.person.properties.plan, e.properties['a'], e.properties['a']['b'], properties?.a, properties.a.b.c from events e`,
      `{s0.person__properties->plan as 'plan' string?, s0.properties->a as 'e.properties['a']' string?, s0.properties->a.b as 'e.properties['a']['b']' string?, s0.properties->a as 'properties?.a' string?, s0.properties->a.b.c as 'c' string? from events(person__properties, properties) s0}`,
    ],
    [
      'select p.properties.email, p.is_identified from persons p',
      `{s0.properties->email as 'email' string?, s0.is_identified as 'is_identified' boolean from persons(properties, is_identified) s0}`,
    ],
    [
      'select g.key, g.properties.name, index from groups g',
      `{s0.key as 'key' string, s0.properties->name as 'name' string?, s0.index as 'index' integer from groups(key, properties, index) s0}`,
    ],
    [
      'select session_id, $session_duration, $exit_pathname from sessions',
      `{s0.session_id as 'session_id' string, s0.$session_duration as '$session_duration' integer, path(s0.$exit_current_url) as '$exit_pathname' string? from sessions(session_id, $session_duration, $exit_current_url) s0}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      'select group_9.key from events',
      "unknown_field: Unable to resolve field: group_9.key (did you mean 'group_0'?) @ group_9.key",
    ],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})

describe('*', () => {
  it.each([
    [
      'select * from (select 1 as x, 1 as x)',
      `{s0.c0 as 'x' integer, s0.c1 as 'x' integer from {1 as 'x' integer, 1 as 'x' integer} s0}`,
    ],
    [
      'select * from events e join person_distinct_ids using distinct_id',
      `{s0.uuid as 'uuid' string, s0.event as 'event' string, s0.properties as 'properties' json, s0.timestamp as 'timestamp' datetime, s0.distinct_id as 'distinct_id' string, s0.elements_chain as 'elements_chain' string, s0.created_at as 'created_at' datetime, s0.person_id as 'person_id' string, s1.person_id as 'person_id' string from events(distinct_id, uuid, event, properties, timestamp, elements_chain, created_at, person_id) s0 inner person_distinct_ids(distinct_id, person_id) s1 on (s0.distinct_id = s1.distinct_id)}`,
    ],
    [
      'select p.*, e.event from events e right join persons p on p.id = e.person_id',
      `{s1.id as 'id' string, s1.created_at as 'created_at' datetime, s1.properties as 'properties' json, s1.is_identified as 'is_identified' boolean, s0.event as 'event' string? from events(person_id, event) s0 right persons(id, created_at, properties, is_identified) s1 on (s1.id = s0.person_id)}`,
    ],
    [
      'select count(*), count(e.*) from events e',
      `{count() as 'count(*)' integer, count() as 'count(e.*)' integer from events() s0 aggregated}`,
    ],
  ])('resolves %s', async (sql, expected) => {
    expect(await written(sql)).toBe(expected)
  })

  it.each([
    [
      'select * exclude (nope) from events',
      'unknown_field: Unable to resolve field: nope @ * exclude (nope)',
    ],
    ['select *', 'invalid_query: Cannot resolve * without a FROM clause @ *'],
    ['select max(*) from events', `invalid_query: Function 'max' takes 1 argument, and got 0 @ max(*)`],
    [`select columns('a') from events`, `not_supported: COLUMNS(…) is not supported @ columns('a')`],
  ])('refuses %s', async (sql, expected) => {
    expect(await refusal(sql)).toBe(expected)
  })
})
