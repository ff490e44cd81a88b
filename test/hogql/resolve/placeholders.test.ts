// Variables and filters.
import { describe, expect, it } from 'vitest'
import { FILTER_OPERATORS } from '../../../src/hogql/resolve/filters/operators'
import type { ResolveContext } from '../../../src/hogql/resolve/resolve'
import { refusal, written } from './resolving'

describe('placeholders', () => {
  it.each<[sql: string, expected: string, given?: Partial<ResolveContext>]>([
    [
      'select {variables.s}, {variables.n}, {variables.b}, {variables.l}, {variables.d}',
      `{{s string?} as '{variables.s}' string?, {n float?} as '{variables.n}' float?, {b boolean?} as '{variables.b}' boolean?, {l [string]?} as '{variables.l}' [string]?, {d string?} as '{variables.d}' string?}`,
    ],
    [
      'select event = {variables.s}, event = {variables.n}, timestamp > {variables.d}, timestamp > {variables.s}, toDate(timestamp) = {variables.d}, {variables.n} + 1, {variables.s} + 1, if({variables.b}, 1, 2), lower({variables.s}), lower({variables.n}), has({variables.l}, event), length({variables.l}) from events',
      `{(s0.event = {s string?}) as 'event = {variables.s}' integer, (s0.event = {n string?}) as 'event = {variables.n}' integer, (s0.timestamp > {d datetime?}) as 'timestamp > {variables.d}' integer, (s0.timestamp > {s datetime?}) as 'timestamp > {variables.s}' integer, (toDate(s0.timestamp) = {d date?}) as 'toDate(timestamp) = {variables.d}' integer, ({n float?} + 1) as '{variables.n} + 1' float?, ({s float?} + 1) as '{variables.s} + 1' float?, ({b boolean?} ? 1 : 2) as 'if({variables.b}, 1, 2)' integer, lower({s string?}) as 'lower({variables.s})' string?, lower({n string?}) as 'lower({variables.n})' string?, has({l [string]?}, s0.event) as 'has({variables.l}, event)' integer, length({l [string]?}) as 'length({variables.l})' integer? from events(event, timestamp) s0}`,
    ],
    [`select '{variables.s}'`, `{"{variables.s}" as ''{variables.s}'' string}`],
    [
      'select event from events where {filters}',
      `{s0.event as 'event' string from events(event) s0 where true}`,
    ],
    [
      'select event from events e where {filters} and timestamp >= {filters.dateRange.from} and timestamp < {filters.dateRange.to}',
      `{s0.event as 'event' string from events(event) s0 where (true and true and true)}`,
    ],
    [
      'select event from events where {filters}',
      `{s0.event as 'event' string from events(event, properties, person__properties, timestamp) s0 where ((s0.properties->$browser = "Chrome") and (toFloat(s0.person__properties->num) > 5) and not (s0.properties->plan in ("a", "b")) and (s0.timestamp < datetime 2026-03-01T00:00:00.000000Z) and (s0.timestamp >= (now >> -7 day)))}`,
      {
        filters: {
          dateRange: { date_from: '-7d', date_to: '2026-03-01' },
          properties: [
            { type: 'event', key: '$browser', operator: 'exact', value: ['Chrome'] },
            { type: 'person', key: 'num', operator: 'gt', value: ' +5. ' },
            { type: 'event', key: 'plan', operator: 'is_not', value: ['a', 'b'] },
          ],
        },
      },
    ],
    [
      'select event from events where timestamp between {filters.dateRange.from} and {filters.dateRange.to}',
      `{s0.event as 'event' string from events(event, timestamp) s0 where ((s0.timestamp >= toDateTime(toStartOfMonth(now))) and (s0.timestamp <= ((toStartOfDay((now >> -1 day)) >> 1 day) >> -1 second)))}`,
      { filters: { dateRange: { date_from: 'mStart', date_to: '-1dEnd' } } },
    ],
    [
      'select event from events where timestamp between {filters.dateRange.from} and now()',
      `{s0.event as 'event' string from events(event, timestamp) s0 where (true and (s0.timestamp <= now))}`,
      { filters: { dateRange: { date_from: 'all' } } },
    ],
    [
      'select session_id from sessions where {filters}',
      `{s0.session_id as 'session_id' string from sessions(session_id, $session_duration, $start_timestamp) s0 where ((s0.$session_duration > 10) and (s0.$start_timestamp >= datetime 2026-01-01T00:00:00.000000Z))}`,
      {
        filters: {
          dateRange: { date_from: '2026-01-01' },
          properties: [{ type: 'session', key: '$session_duration', operator: 'gt', value: 10 }],
        },
      },
    ],
    [
      'select key from groups where {filters}',
      `{s0.key as 'key' string from groups(key, properties, created_at) s0 where ((s0.properties->plan is not null) and (s0.created_at >= datetime 2026-01-01T00:00:00.000000Z))}`,
      {
        filters: {
          dateRange: { date_from: '2026-01-01' },
          properties: [{ type: 'group', key: 'plan', operator: 'is_set' }],
        },
      },
    ],
    [
      'select event from events where {filters}',
      `{s0.event as 'event' string from events(event, properties, person_id, distinct_id, group_1__properties) s0 where ((s0.properties->a ilike "%x%") and not (s0.properties->a ilike "%x%") and ifNull(match(s0.properties->a, "x"), 0) and not ifNull(match(s0.properties->a, "x"), 0) and (s0.properties->a is null) and (toDateTime(s0.properties->when) > (now >> -1 day)) and (toBool(s0.properties->flag) = true) and (s0.person_id in {s1.person_id as 'person_id' string from cohort_people(person_id, cohort_id) s1 where (s1.cohort_id = 4)}) and (s0.distinct_id = "x") and (toFloat(s0.group_1__properties->a) <= 3))}`,
      {
        filters: {
          properties: [
            { type: 'event', key: 'a', operator: 'icontains', value: 'x' },
            { type: 'event', key: 'a', operator: 'not_icontains', value: 'x' },
            { type: 'event', key: 'a', operator: 'regex', value: 'x' },
            { type: 'event', key: 'a', operator: 'not_regex', value: 'x' },
            { type: 'event', key: 'a', operator: 'is_not_set' },
            { type: 'event', key: 'when', operator: 'is_date_after', value: '-1d' },
            { type: 'event', key: 'flag', operator: 'exact', value: ['true'] },
            { type: 'cohort', key: 'id', value: 4 },
            { type: 'event_metadata', key: 'distinct_id', operator: 'exact', value: 'x' },
            { type: 'group', group_type_index: 1, key: 'a', operator: 'lte', value: 3 },
          ],
        },
      },
    ],
    [
      'select event from events where {filters}',
      `{s0.event as 'event' string from events(event, properties) s0 where ((s0.properties->a ilike "x%") and not (s0.properties->a ilike "x%") and ((s0.properties->a ilike "%x") or (s0.properties->a ilike "%y")) and not (s0.properties->a ilike "%x") and (s0.properties->a = "/a"))}`,
      {
        filters: {
          properties: [
            { key: 'a', operator: 'starts_with', value: 'x' },
            { key: 'a', operator: 'not_starts_with', value: 'x' },
            { key: 'a', operator: 'ends_with', value: ['x', 'y'] },
            { key: 'a', operator: 'not_ends_with', value: 'x' },
            { key: 'a', operator: 'is_cleaned_path_exact', value: '/a' },
          ],
        },
      },
    ],
  ])('resolves %s', async (sql, expected, given) => {
    expect(await written(sql, given)).toBe(expected)
  })

  it.each<[sql: string, expected: string, given?: Partial<ResolveContext>]>([
    [
      'select {variables.nope}',
      'invalid_query: Query references undefined variable(s): nope @ {variables.nope}',
    ],
    ['select {variables}', 'invalid_query: Unresolved placeholder: {variables} @ {variables}'],
    ['select {variables.s.x}', 'invalid_query: Unresolved placeholder: {variables.s.x} @ {variables.s.x}'],
    ['select {foo}', 'invalid_query: Unresolved placeholder: {foo} @ {foo}'],
    ['select {1 + 1}', 'invalid_query: Unresolved placeholder: {1 + 1} @ {1 + 1}'],
    [
      'select 1 where {filters}',
      `invalid_query: Cannot use 'filters' placeholder in a SELECT clause that does not select from the events, sessions, logs, traces or groups table. @ {filters}`,
    ],
    [
      'select event from events where {filters.foo}',
      'invalid_query: Unsupported filters placeholder `{filters.foo}`. Supported filters placeholders are: `{filters}`, `{filters.dateRange.from}`, `{filters.dateRange.to}`. @ {filters.foo}',
    ],
    [
      'select {filters.dateRange.from}',
      'invalid_query: The `{filters.dateRange.from}` placeholder must be used directly in a comparison (e.g. `timestamp > {filters.dateRange.from}`), not nested inside a function call, when the date range is not set. @ {filters.dateRange.from}',
    ],
    [
      'select count() from persons where {filters}',
      `invalid_query: Cannot use 'filters' placeholder in a SELECT clause that does not select from the events, sessions, logs, traces or groups table. @ {filters}`,
    ],
    [
      'select event from events where {filters}',
      `not_supported: Filters of type 'recording' are not supported. Supported: event, event_metadata, feature, person, person_metadata, group, session, cohort, element, flag, action, hogql @ {filters}`,
      { filters: { properties: [{ type: 'recording', key: '1' }] } },
    ],
    [
      'select event from events where {filters}',
      `not_supported: The operator 'semver_odd' of the filter on 'a' is not supported. Supported: ${FILTER_OPERATORS.join(', ')} @ {filters}`,
      { filters: { properties: [{ key: 'a', operator: 'semver_odd', value: '1' }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: The filter on 'a': 'x' is not a version such as 1.2.3 @ {filters}`,
      { filters: { properties: [{ key: 'a', operator: 'semver_gt', value: 'x' }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: The filter on 'a' takes two numbers, the first one not larger: [low, high] @ {filters}`,
      { filters: { properties: [{ key: 'a', operator: 'between', value: [1] }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: The filter on 'a' takes two numbers, the first one not larger: [low, high] @ {filters}`,
      { filters: { properties: [{ key: 'a', operator: 'not_between', value: [2, 1] }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: The filter on 'num' takes a number or a text, and got an empty one @ {filters}`,
      { filters: { properties: [{ key: 'num', operator: 'gt', value: '' }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: The filter on 'num' takes a number or a text, and got an empty one @ {filters}`,
      { filters: { properties: [{ key: 'num', operator: 'min', value: [' '] }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: The filter on 'a' takes a number or a text, and got an empty one @ {filters}`,
      { filters: { properties: [{ key: 'a', operator: 'lte', value: [1, ''] }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: The filter on 'num' takes two numbers, the first one not larger: [low, high] @ {filters}`,
      { filters: { properties: [{ key: 'num', operator: 'between', value: ['', 50] }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: The filter on 'num', which is a number, takes a number @ {filters}`,
      { filters: { properties: [{ key: 'num', operator: 'gt', value: '0x10' }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: The filter on 'num', which is a number, takes a number @ {filters}`,
      { filters: { properties: [{ key: 'num', operator: 'lt', value: 'Infinity' }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: The filter on 'a' of a group needs a group_type_index from 0 to 4 @ {filters}`,
      { filters: { properties: [{ type: 'group', key: 'a', value: 1 }] } },
    ],
    [
      'select event from events where {filters}',
      `not_supported: The property '$virt_initial_channel_type' is computed by PostHog, and not supported @ {filters}`,
      { filters: { properties: [{ type: 'person', key: '$virt_initial_channel_type', value: 'Direct' }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: No person has a property 'distinct_id'. Filter events by it with the type 'event_metadata'; persons with the type 'hogql' by person_id IN (SELECT person_id FROM person_distinct_ids WHERE distinct_id = '…') @ {filters}`,
      { filters: { properties: [{ type: 'person', key: 'distinct_id', value: 'a' }] } },
    ],
    [
      'select id from persons where {fragments.some}',
      `invalid_query: No person has a property 'distinct_id'. Filter events by it with the type 'event_metadata'; persons with the type 'hogql' by person_id IN (SELECT person_id FROM person_distinct_ids WHERE distinct_id = '…') @ {fragments.some}`,
      { fragments: { some: [{ type: 'person', key: 'distinct_id', value: 'a' }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: A filter on the 'tag_name' of elements takes the name of a tag @ {filters}`,
      { filters: { properties: [{ type: 'element', key: 'tag_name', value: '.btn' }] } },
    ],
    [
      'select event from events where {filters}',
      `not_supported: A filter on the 'tag_name' of elements takes the operators 'exact' and 'is_not' @ {filters}`,
      { filters: { properties: [{ type: 'element', key: 'tag_name', operator: 'icontains', value: 'a' }] } },
    ],
    [
      'select event from events where {filters}',
      `not_supported: Filters of elements are by text, href, tag_name and selector, and not by 'order' @ {filters}`,
      { filters: { properties: [{ type: 'element', key: 'order', value: 1 }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: The selector 'a >' cannot be matched: use tags, classes, ids, [name="value"] and :nth-child(n) @ {filters}`,
      { filters: { properties: [{ type: 'element', key: 'selector', value: 'a >' }] } },
    ],
    [
      'select event from events where {filters}',
      `unknown_field: The filter 'evnt = 1': Unable to resolve field: evnt (did you mean 'event'?) @ {filters}`,
      { filters: { properties: [{ type: 'hogql', key: 'evnt = 1' }] } },
    ],
    [
      'select event from events where {filters}',
      `syntax_error: The filter 'event =' is not an expression: Syntax error: the query ends where more is expected. @ `,
      { filters: { properties: [{ type: 'hogql', key: 'event =' }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: The filter '{filters}' has a placeholder. @ `,
      { filters: { properties: [{ type: 'hogql', key: '{filters}' }] } },
    ],
    [
      'select event from events where {filters}',
      `invalid_query: The filters of the query have an invalid date 'soon' @ {filters}`,
      { filters: { dateRange: { date_from: 'soon' } } },
    ],
    [
      'select event from events where {filters}',
      'invalid_query: The filters of the query are malformed @ {filters}',
      { filters: { properties: 'x' } },
    ],
  ])('refuses %s', async (sql, expected, given) => {
    expect(await refusal(sql, given)).toBe(expected)
  })
})
