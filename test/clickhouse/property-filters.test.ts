// Property filters and actions on both engines over the data set of the corpus: the same rows.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { QueryEngine } from '../../src/analytics/engine/query-engine'
import { ActionStep } from '../../src/hogql/resolve/filters/action-steps'
import { type CompileContext, compileHogql } from '../../src/hogql/compile'
import type { CompiledQuery } from '../../src/hogql/compiled'
import { NOW, PROJECT, propertyType, type SampleProject } from '../hogql/corpus/dataset'
import { type Engines, startEngines } from './differential/engines'
import { COHORT } from './support/load-corpus'

const PROJECT_ID = 22

const CHAINS: readonly string[] = [
  'a.btn.primary:attr_id="pay"href="/pay"nth-child="2"nth-of-type="1"text="Pay now";div.card;body',
  'button.btn:nth-child="1"nth-of-type="1"text="Repay";form;body',
  'span:text="a;b \\"quoted\\" 100%";a.btn:href="/pay?x=1";body',
]

/** The project with clicks on elements. */
const CLICKED: SampleProject = {
  ...PROJECT,
  events: [
    ...PROJECT.events,
    ...CHAINS.map((chain, at) => ({
      ...PROJECT.events[0]!,
      uuid: `88888888-0000-4000-8000-${String(at).padStart(12, '0')}`,
      event: '$autocapture',
      properties: {
        $elements_chain: chain,
        $current_url: `https://example.com/${at}`,
        $lib_version: `1.${at + 1}.0`,
        '$feature/beta': at === 0 ? 'false' : 'blue',
        ...(at < 2 ? { $exception_types: ['TypeError', ...(at === 0 ? ['RangeError'] : [])] } : {}),
      },
    })),
  ],
}

let engines: Engines
beforeAll(async () => {
  engines = await startEngines('filters')
  await engines.load(PROJECT_ID, CLICKED)
})
afterAll(() => engines?.stop())

async function rowsOn(engine: QueryEngine, query: CompiledQuery | { refusal: string }): Promise<unknown> {
  if (!('sql' in query)) return query.refusal
  const { rows } = await engine.run(query, {
    projectId: PROJECT_ID,
    timezone: 'UTC',
    now: NOW,
    variables: new Map(),
    limit: 1000,
    offset: 0,
    queryId: null,
  })
  return rows
}

/** The rows, which are the same on both engines. */
async function rowsOnBoth(sql: string, given: Partial<CompileContext>): Promise<unknown> {
  const { queries } = await compileHogql(sql, {
    timezone: 'UTC',
    variables: {},
    propertyTypes: propertyType,
    ...given,
  })
  const rows = await rowsOn(engines.d1, queries.sqlite)
  expect(rows).toEqual(await rowsOn(engines.clickhouse, queries.clickhouse))
  return rows
}

it.each([
  { key: 'plan', operator: 'regex', value: '^(pro|free)$' },
  { key: 'plan', operator: 'not_regex', value: 'r+' },
  { key: 'amount', operator: 'between', value: [1, 30] },
  { key: 'amount', operator: 'not_between', value: [1, 30] },
  { key: '$browser', operator: 'icontains_multi', value: ['CHROME', 'fire'] },
  { key: '$lib_version', operator: 'semver_gte', value: '1.2.0' },
  { key: '$lib_version', operator: 'semver_neq', value: '1.2.0' },
  { key: '$lib_version', operator: 'semver_caret', value: '1.0.0' },
  { key: 'score', operator: 'exact', value: [7, 'abc'] },
  { key: 'amount', operator: 'in', value: [10, 'abc'] },
  { key: 'currency', operator: 'is_not', value: ['USD', 3] },
  { key: "length(event) > 6 OR properties.plan = 'pro'", type: 'hogql' },
  { key: 'text', type: 'element', operator: 'not_icontains', value: 'x' },
  { key: 'beta', type: 'flag', operator: 'flag_evaluates_to', value: true },
  { key: '$browser', operator: 'starts_with', value: 'CHR' },
  { key: '$browser', operator: 'not_starts_with', value: ['fire', 'saf'] },
  { key: '$current_url', operator: 'ends_with', value: '/PRICING' },
  { key: '$current_url', operator: 'not_ends_with', value: '/' },
  { key: '$current_url', operator: 'is_cleaned_path_exact', value: 'https://example.com/' },
  { key: 'selector', type: 'element', operator: 'exact', value: '.btn' },
  { key: 'tag_name', type: 'element', operator: 'is_not', value: ['div', 'span'] },
  { key: '$browser', operator: 'icontains', value: ['CHROME', 'f%x', '\\'] },
  { key: 'selector', type: 'element', operator: 'is_not', value: ['button', 'form > button'] },
  { key: 'id', type: 'cohort', value: COHORT },
  { key: 'steps', type: 'action', value: [{ event: 'purchase' }, { url: '/pricing' }] },
  { key: 'steps', type: 'action', operator: 'is_not', value: [{ event: '$pageview', url: '/' }] },
])('$type $key $operator $value', async (filter) => {
  const given = { filters: { properties: [filter] } }
  const sql = 'SELECT uuid FROM events WHERE {filters} ORDER BY uuid'
  expect(await rowsOnBoth(sql, given)).not.toEqual([])
})

it.each<[number, Record<string, unknown>]>([
  [2, { value: 'TypeError' }],
  [1, { value: ['RangeError'] }],
  [2, { value: ['RangeError', 'TypeError'] }],
  [2, { operator: 'is_not', value: 'RangeError' }],
  [2, { operator: 'not_in', value: ['RangeError', 'x'] }],
  [1, { operator: 'icontains', value: 'range' }],
  [0, { operator: 'icontains', value: '["' }],
  [2, { operator: 'regex', value: '^Type' }],
  [2, { operator: 'is_set' }],
  [1, { operator: 'is_not_set' }],
])('%i events have an exception whose type passes %j', async (count, filter) => {
  const properties = [{ key: '$exception_types', ...filter }]
  const sql = "SELECT count() FROM events WHERE {filters} AND uuid LIKE '8%'"
  expect(await rowsOnBoth(sql, { filters: { properties } })).toEqual([[count]])
})

const click = { event: '$autocapture' }

it.each<[number, Record<string, unknown>]>([
  [1, { url: '/2' }],
  [0, { url: 'EXAMPLE.com/' }],
  [1, { url: 'https://example.com/1', url_matching: 'exact' }],
  [2, { url: '/[01]$', url_matching: 'regex' }],
  [1, { ...click, text: 'Pay now' }],
  [2, { ...click, text: 'PAY', text_matching: 'contains' }],
  [2, { ...click, text: '^(Re)?[Pp]ay', text_matching: 'regex' }],
  [1, { ...click, href: '/pay' }],
  [2, { ...click, href: '/pay', href_matching: 'contains' }],
  [2, { ...click, tag_name: 'a' }],
  [1, { ...click, selector: '.primary.btn#pay' }],
  [1, { ...click, selector: 'div.card > a[href="/pay"]:nth-child(2)' }],
  [0, { ...click, selector: 'body > a.primary' }],
  [2, { ...click, selector: 'body a' }],
])('an action matches %i clicks by %j', async (count, step) => {
  const sql = "SELECT count() FROM events WHERE matchesAction('x') AND uuid LIKE '8%'"
  const given = { findAction: () => [ActionStep.parse(step)] }
  expect(await rowsOnBoth(sql, given)).toEqual([[count]])
  const properties = [{ key: 'id', type: 'action', value: 7 }]
  expect(
    await rowsOnBoth("SELECT count() FROM events WHERE {filters} AND uuid LIKE '8%'", {
      ...given,
      filters: { properties },
    }),
  ).toEqual([[count]])
})

it.each([
  "SELECT uuid FROM events WHERE event REGEXP '^[$](page|auto)' ORDER BY uuid",
  "SELECT uuid FROM events WHERE properties.$current_url NOT REGEXP '/[a-z]+$' ORDER BY uuid",
  "SELECT uuid FROM events WHERE properties.plan =~* 'PRO' ORDER BY uuid",
])('%s', async (sql) => {
  expect(await rowsOnBoth(sql, {})).not.toEqual([])
})

it.each(['in', 'not_in'])('persons %s a cohort', async (operator) => {
  const properties = [{ key: 'id', type: 'cohort', operator, value: COHORT }]
  const members = PROJECT.persons.filter(({ inCohort }) => Boolean(inCohort) === (operator === 'in'))
  const sql = 'SELECT id FROM persons WHERE {fragments.members} ORDER BY id'
  expect(await rowsOnBoth(sql, { fragments: { members: properties } })).toEqual(
    members.map(({ uuid }) => [uuid]).toSorted(),
  )
})
