// The pure parts of the pages of saved queries.
import { describe, expect, it } from 'vitest'
import { callSamples, insightVariables } from '../../src/console/query/tabs/call-samples'
import { csvOf, jsonOf } from '../../src/console/query/result/download'
import {
  issueOf,
  queryOf,
  storedValues,
  textOf,
  valueIssue,
  variableNames,
  withValues,
  templatesOf,
} from '../../src/console/query/draft'
import { asKind, barsOf, fitting, linesOf, suggestedPlot } from '../../src/console/query/result/plot-choice'
import { readInsight, writeInsight } from '../../src/console/query/insight/insight-edit'
import { rowsOfInsight, startsIn } from '../../src/console/query/insight/insight-rows'
import { pathIn, placeOf } from '../../src/console/query/editor/json-place'
import { parseRunMessage } from '../../src/console/query/tabs/run-message'
import { diffLines } from '../../src/console/query/text-diff'

const variable = (code_name: string, default_value: unknown) => ({
  id: `id-${code_name}`,
  name: code_name,
  code_name,
  type: 'String' as const,
  default_value,
  values: null,
  created_by: 1,
  created_at: '2026-01-01T00:00:00Z',
})

describe('a draft', () => {
  it('shows the SQL of a query, and an insight without options that are not set', () => {
    expect(textOf({ kind: 'HogQLQuery', query: 'SELECT 1', variables: null })).toBe('SELECT 1')
    expect(textOf({ kind: 'TrendsQuery', series: [{ event: 'a', math: null }], interval: null })).toBe(
      JSON.stringify({ kind: 'TrendsQuery', series: [{ event: 'a' }] }, null, 2),
    )
  })

  it('keeps the other keys of a stored query', () => {
    const stored = { kind: 'HogQLQuery', query: 'SELECT 1', filters: { dateRange: null } }
    expect(queryOf({ kind: 'HogQLQuery', text: 'SELECT 2' }, stored)).toEqual({
      ...stored,
      query: 'SELECT 2',
    })
  })

  it.each([
    [[], '$pageview', 'purchase'],
    [['$autocapture', '$pageview', 'order placed'], '$pageview', 'order placed'],
    [['$identify', 'order placed'], 'order placed', '$identify'],
    [['order placed'], 'order placed', 'order placed'],
  ])('of an example names events of %j', (names, first, second) => {
    const { TrendsQuery, FunnelsQuery } = templatesOf(names)
    const eventsOf = (text: string) =>
      (JSON.parse(text) as { series: { event: string }[] }).series.map(({ event }) => event)
    expect(eventsOf(FunnelsQuery)).toEqual([first, second])
    expect(eventsOf(TrendsQuery)).toEqual([first])
  })

  it('describes errors in JSON', () => {
    expect(issueOf({ kind: 'TrendsQuery', text: '[1]' })).toBe('A query is a JSON object.')
    expect(issueOf({ kind: 'TrendsQuery', text: '{' })).toMatch(/^This is not valid JSON/)
    expect(issueOf({ kind: 'HogQLQuery', text: ' ' })).toBe('A query is needed.')
    expect(issueOf({ kind: 'HogQLQuery', text: 'SELECT' })).toBeNull()
  })

  it('runs with values for the variables that its text reads', () => {
    const known = [variable('plan', 'pro'), variable('other', 'x')]
    const query = { kind: 'HogQLQuery', query: 'SELECT {variables.plan}, { variables.plan }' }
    expect(variableNames(query.query)).toEqual(['plan'])
    const stored = { variables: { 'id-plan': { code_name: 'plan', value: 'free' } } }
    expect(storedValues(stored, known)).toEqual({ plan: 'free', other: 'x' })
    expect(withValues(query, { plan: 'free' }, known)).toEqual({
      ...query,
      variables: {
        'id-plan': { variableId: 'id-plan', code_name: 'plan', value: 'free', isNull: false },
      },
    })
    expect(withValues(query, {}, known)).toMatchObject({ variables: { 'id-plan': { isNull: true } } })
  })

  it('takes numbers as values of a variable that is one', () => {
    for (const value of [null, undefined, 1, '-1.5', ' 2e3 '])
      expect(valueIssue({ type: 'Number' }, value)).toBeNull()
    for (const value of ['abc', '', '1,5', '0x1'])
      expect(valueIssue({ type: 'Number' }, value)).toBe('Enter a number.')
    expect(valueIssue({ type: 'String' }, 'abc')).toBeNull()
  })
})

describe('a difference of texts', () => {
  it('keeps the lines in common', () => {
    expect(diffLines('a\nb\nc', 'a\nx\nc\nd')).toEqual([
      { kind: 'same', text: 'a' },
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'x' },
      { kind: 'same', text: 'c' },
      { kind: 'added', text: 'd' },
    ])
  })
})

const DAYS = {
  columns: ['day', 'plan', 'total'],
  types: [
    ['day', "Nullable(DateTime64(6, 'UTC'))"],
    ['plan', 'String'],
    ['total', 'Int64'],
  ],
  rows: [
    ['2026-01-02T00:00:00Z', 'pro', 5],
    ['2026-01-01T00:00:00Z', 'pro', 3],
    ['2026-01-01T00:00:00Z', 'free', 1],
    [null, 'free', 9],
  ],
}

describe('a plot', () => {
  it('draws lines by time, a series for each text, the largest first', () => {
    const choice = suggestedPlot(DAYS)
    expect(choice).toEqual({ kind: 'line', x: 'day', y: ['total'], by: 'plan' })
    expect(linesOf(DAYS, choice!)).toEqual({
      times: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
      series: [
        { label: 'pro', data: [3, 5] },
        { label: 'free', data: [1, null] },
      ],
      omitted: 0,
      hiddenRows: 0,
    })
  })

  it('draws a series for each text that tells the rows of a time apart, else counts rows that it does not draw', () => {
    const types = [
      ['day', 'Date'],
      ['country', 'String'],
      ['city', 'String'],
      ['n', 'Int64'],
    ]
    const rows = [
      ['2026-01-01', 'DE', 'Berlin', 100],
      ['2026-01-01', 'DE', 'Bonn', 3],
      ['2026-01-01', 'FR', 'Paris', 7],
    ]
    const cities = { columns: types.map(([name]) => name!), types, rows }
    expect(suggestedPlot(cities)).toMatchObject({ by: 'city' })
    expect(linesOf(cities, { kind: 'line', x: 'day', y: ['n'], by: 'country' })).toMatchObject({
      series: [
        { label: 'DE', data: [100] },
        { label: 'FR', data: [7] },
      ],
      hiddenRows: 1,
    })
    const twice = { ...cities, rows: [...rows, rows[0]!] }
    const choice = suggestedPlot(twice)!
    expect(choice.by).toBe('country')
    expect(linesOf(twice, { ...choice, by: null })).toMatchObject({ hiddenRows: 3 })
  })

  it('draws bars of texts, numbers of a single row, and nothing without numbers', () => {
    const bars = {
      columns: ['plan', 'n'],
      types: [
        ['plan', 'String'],
        ['n', 'Float64'],
      ],
      rows: [['pro', 2]],
    }
    expect(suggestedPlot(bars)).toEqual({ kind: 'bar', x: 'plan', y: ['n'], by: null })
    expect(barsOf(bars, suggestedPlot(bars)!)).toEqual({ bars: [{ label: 'pro', value: 2 }], omitted: 0 })
    expect(suggestedPlot({ columns: ['n'], types: [['n', 'Int64']], rows: [[1]] })?.kind).toBe('number')
    expect(suggestedPlot({ columns: ['a'], types: [['a', 'String']], rows: [['x']] })).toBeNull()
  })

  it('keeps a choice as long as the columns are there', () => {
    const choice = { kind: 'bar' as const, x: 'plan', y: ['total'], by: null }
    expect(fitting(choice, DAYS)).toEqual(choice)
    expect(fitting({ ...choice, x: 'gone' }, DAYS)).toBeNull()
    expect(asKind(choice, 'line', DAYS)).toEqual({ kind: 'line', x: 'day', y: ['total'], by: 'plan' })
  })
})

describe('a file', () => {
  it('quotes CSV where needed, and escapes texts that look like formulas', () => {
    expect(
      csvOf(
        ['a', 'b,c'],
        [
          ['x"y', -1],
          ['=1+1', null],
          [['z'], true],
        ],
      ),
    ).toBe('a,"b,c"\r\n"x""y",-1\r\n\'=1+1,\r\n"[""z""]",true\r\n')
  })

  it('has an object for each row as JSON', () => {
    expect(JSON.parse(jsonOf(['a', 'b'], [[1, null]]))).toEqual([{ a: 1, b: null }])
  })
})

describe('a line of the run log', () => {
  const named = 'client_query_id="rows=9 version=7"'

  it('shows duration, rows, version and source', () => {
    const message = `Endpoint executed · path=materialized cache=miss duration_ms=12 rows=3 version=2 ${named}`
    expect(parseRunMessage('INFO', message)).toEqual({
      isOk: true,
      durationMs: 12,
      rows: 3,
      version: 2,
      isCached: false,
      isMaterialized: true,
      reason: null,
    })
  })

  it('shows why a run failed', () => {
    const failed = `Endpoint execution failed · path=inline duration_ms=8 version=2 error=query_timeout ${named}`
    expect(parseRunMessage('ERROR', failed)).toMatchObject({
      isOk: false,
      reason: 'query timeout',
      durationMs: 8,
      version: 2,
    })
    const rejected = 'Endpoint execution failed · invalid request · variables: Unknown variable(s): a.'
    expect(parseRunMessage('ERROR', rejected)).toMatchObject({
      isOk: false,
      reason: 'variables: Unknown variable(s): a.',
    })
  })
})

describe('code that calls a query', () => {
  it('has the values of its variables, quoted for each language', () => {
    const samples = callSamples({
      host: 'https://example.com',
      projectId: 1,
      name: 'q',
      values: { plan: "it's", none: null },
    })
    expect(samples.map(({ name }) => name)).toEqual(['curl', 'JavaScript', 'Python'])
    expect(samples[0]!.code).toContain(String.raw`-d '{"variables":{"plan":"it'\''s","none":null}}'`)
    expect(samples[2]!.code).toContain(`json={"variables": {"plan": "it's", "none": None}},`)
  })
})

describe('an error of an insight', () => {
  it.each([
    ['JSON parse error - query.series.0.math: Input should be text', ['series', '0', 'math']],
    ['series[1].math is not supported in a FunnelsQuery.', ['series', '1', 'math']],
    ["trendsFilter.display 'Auto' is not supported in a TrendsQuery.", ['trendsFilter', 'display']],
    ['This query exceeded the time limit.', []],
  ])('names a part: %s', (message, path) => {
    expect(pathIn(message)).toEqual(path)
  })

  it.each([
    [['series', '1', 'math'], '"dau"'],
    [['series', '1', 'nothing'], '{ "event": "b\\"]", "math": "dau" }'],
    [['n'], '-1.5e3'],
  ])('is at the place of %j', (path, part) => {
    const text = '{ "series": [{"event": "a"}, { "event": "b\\"]", "math": "dau" }],\n "n": -1.5e3 }'
    const { from, to } = placeOf(text, path)!
    expect(text.slice(from, to)).toBe(part)
  })

  it('is about the whole text where its part is not there', () => {
    expect(placeOf('{"a": 1}', ['b'])).toBeNull()
  })
})

describe('the form of an insight', () => {
  const text = JSON.stringify({
    kind: 'TrendsQuery',
    series: [
      { kind: 'EventsNode', event: 'a', name: 'A', properties: [{ key: 'x' }] },
      { kind: 'EventsNode', event: 'b', math: 'sum', math_property: 'amount' },
    ],
    dateRange: { date_from: '-7d', explicitDate: true },
  })
  const form = readInsight(text)!

  it('shows series, dates and breakdown', () => {
    expect(form).toEqual({
      series: [
        { at: 0, event: 'a', other: null, math: 'total', property: '' },
        { at: 1, event: 'b', other: null, math: 'sum', property: 'amount' },
      ],
      range: { from: '-7d', to: null },
      interval: 'day',
      breakdown: { property: '', type: 'event' },
      filters: [],
      windowLength: 14,
      windowUnit: 'day',
      display: 'ActionsLineGraph',
      isCompared: false,
      retention: {
        target: null,
        returning: null,
        otherTarget: null,
        otherReturning: null,
        period: 'Day',
        totalIntervals: 8,
        type: 'retention_recurring',
      },
    })
  })

  it('keeps fields that it does not show', () => {
    const [a, b] = form.series
    const written = JSON.parse(
      writeInsight(text, {
        series: [b!, { ...a!, event: 'c' }],
        range: { from: '2026-01-01', to: '2026-01-31' },
      }),
    )
    expect(written).toEqual({
      kind: 'TrendsQuery',
      series: [
        { kind: 'EventsNode', event: 'b', math: 'sum', math_property: 'amount' },
        { kind: 'EventsNode', event: 'c', properties: [{ key: 'x' }] },
      ],
      dateRange: { date_from: '2026-01-01', date_to: '2026-01-31', explicitDate: true },
    })
  })

  it('keeps series that are not one event, and options of a value that stays', () => {
    const action = { kind: 'ActionsNode', id: 1, name: 'Paid' }
    const percentile = { kind: 'EventsNode', event: 'load', math: 'p95', math_property: 'duration' }
    const stored = JSON.stringify({ kind: 'TrendsQuery', series: [action, percentile] })
    const { series } = readInsight(stored)!
    expect(series[0]).toMatchObject({ event: null, other: 'action Paid' })
    const added = { at: null, event: 'c', other: null, math: 'total', property: '' }
    const seriesWith = (change: object, other: object) =>
      JSON.parse(
        writeInsight(stored, {
          series: [{ ...series[0]!, ...change }, { ...series[1]!, ...other }, added],
        }),
      ).series
    expect(seriesWith({}, {})).toEqual([action, percentile, { kind: 'EventsNode', event: 'c' }])
    expect(seriesWith({ math: 'dau' }, { event: 'open' })).toEqual([
      { ...action, math: 'dau' },
      { ...percentile, event: 'open' },
      { kind: 'EventsNode', event: 'c' },
    ])
    expect(seriesWith({}, { math: 'total' })[1]).toEqual({ kind: 'EventsNode', event: 'load' })
  })

  it('keeps the action of a retention', () => {
    const targetEntity = { id: 1, type: 'actions', name: 'Paid' }
    const stored = JSON.stringify({ kind: 'RetentionQuery', retentionFilter: { targetEntity } })
    const { retention } = readInsight(stored)!
    expect(retention.otherTarget).toBe('action Paid')
    const written = JSON.parse(writeInsight(stored, { retention: { ...retention, period: 'Week' } }))
    expect(written.retentionFilter).toMatchObject({ targetEntity, period: 'Week' })
  })

  it('keeps other options of a breakdown and of a comparison', () => {
    const stored = JSON.stringify({
      series: [],
      breakdownFilter: { breakdown: 'plan', breakdown_type: 'event', breakdown_limit: 3 },
      compareFilter: { compare: false, compare_to: '-1w' },
    })
    const change = { breakdown: { property: 'country', type: 'event' }, isCompared: true } as const
    expect(JSON.parse(writeInsight(stored, change))).toMatchObject({
      breakdownFilter: { breakdown: 'country', breakdown_limit: 3 },
      compareFilter: { compare: true, compare_to: '-1w' },
    })
  })

  it('sets and removes a breakdown, and leaves others to the JSON', () => {
    const breakdown = { property: 'plan', type: 'person' } as const
    const broken = writeInsight(text, { breakdown })
    expect(readInsight(broken)!.breakdown).toEqual(breakdown)
    const none = writeInsight(broken, { breakdown: { property: '', type: 'person' } })
    expect(JSON.parse(none)).not.toHaveProperty('breakdownFilter')
    const several = JSON.stringify({ series: [], breakdownFilter: { breakdowns: [{ property: 'a' }] } })
    expect(readInsight(several)!.breakdown).toBeNull()
  })

  it('sets and removes filters, a display and a comparison', () => {
    const filters = [{ key: 'plan', type: 'event', operator: 'exact', value: ['pro'] }] as const
    const written = writeInsight(text, { filters: [...filters], display: 'BoldNumber', isCompared: true })
    expect(JSON.parse(written)).toMatchObject({
      properties: filters,
      trendsFilter: { display: 'BoldNumber' },
      compareFilter: { compare: true },
    })
    expect(readInsight(written)).toMatchObject({ filters, display: 'BoldNumber', isCompared: true })
    const removed = JSON.parse(writeInsight(written, { filters: [], isCompared: false }))
    expect(Object.keys(removed)).toEqual(['kind', 'series', 'dateRange', 'trendsFilter'])
    const group = JSON.stringify({ series: [], properties: { type: 'OR', values: [] } })
    expect(readInsight(group)!.filters).toBeNull()
  })

  it('writes a retention, whose entities keep what the form does not show', () => {
    const stored = JSON.stringify({
      kind: 'RetentionQuery',
      retentionFilter: {
        targetEntity: { id: 'a', type: 'events', properties: [{ key: 'x' }] },
        cumulative: true,
      },
    })
    const { retention } = readInsight(stored)!
    expect(retention).toMatchObject({ target: 'a', returning: null, totalIntervals: 8 })
    const change = { ...retention, returning: 'b', period: 'Week', type: 'retention_first_time' }
    expect(JSON.parse(writeInsight(stored, { retention: change })).retentionFilter).toEqual({
      targetEntity: { id: 'a', type: 'events', properties: [{ key: 'x' }] },
      returningEntity: { id: 'b', type: 'events' },
      period: 'Week',
      totalIntervals: 8,
      retentionType: 'retention_first_time',
      cumulative: true,
    })
  })

  it.each(['{', '[]', '{"series": 1}'])('is not there for %s', (invalidText) => {
    expect(readInsight(invalidText)).toBeNull()
  })
})

describe('the variables of an insight', () => {
  const dateRange = { date_from: '-30d' }
  const trend = {
    kind: 'TrendsQuery',
    dateRange,
    breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
  }
  const several = { breakdowns: [{ property: 'plan' }, { property: 'os' }] }

  it.each([
    [trend, false, { date_from: '-30d', plan: 'a value of plan' }],
    [trend, true, { plan: 'a value of plan' }],
    [
      { kind: 'InsightVizNode', source: { kind: 'RetentionQuery', breakdownFilter: several } },
      false,
      { plan: 'a value of plan', os: 'a value of os' },
    ],
    [{ ...trend, breakdownFilter: { breakdown: [1], breakdown_type: 'cohort' } }, true, {}],
    [{ kind: 'FunnelsQuery', breakdownFilter: { breakdown: 'plan' } }, true, {}],
  ])('of %j, materialized: %s', (query, isMaterialized, variables) => {
    expect(insightVariables(query, isMaterialized)).toEqual(variables)
  })
})

describe('an insight as rows', () => {
  const days = ['2026-01-01', '2026-01-02']

  it('has a column for each series of a trend, with what it is compared with', () => {
    const results = [
      { label: 'visit', days, data: [1, 2], count: 3, compare_label: 'current' },
      { label: 'visit', days: ['2025-12-30'], data: [4], count: 4, compare_label: 'previous' },
    ]
    expect(rowsOfInsight('TrendsQuery', results, 'UTC')).toEqual({
      columns: ['period', 'visit (current)', 'visit (previous)'],
      types: [
        ['period', 'DateTime'],
        ['visit (current)', 'Float64'],
        ['visit (previous)', 'Float64'],
      ],
      rows: [
        ['2026-01-01', 1, 4],
        ['2026-01-02', 2, null],
      ],
    })
    const totals = [
      { label: 'visit', days: [], data: [], count: 0, aggregated_value: 7, breakdown_value: 'pro' },
    ]
    const named = { ...totals[0]!, label: 'visit - pro', action: { name: 'visit', custom_name: 'Mine' } }
    expect(rowsOfInsight('TrendsQuery', [...totals, named], 'UTC')?.rows).toEqual([
      ['visit pro', 7],
      ['Mine - pro', 7],
    ])
  })

  it('has a row for each step of a funnel', () => {
    const step = (name: string, count: number, time: number | null) => ({
      name,
      custom_name: null,
      count,
      average_conversion_time: time,
    })
    const steps = [step('visit', 3, null), step('buy', 1, 90)]
    expect(rowsOfInsight('FunnelsQuery', steps, 'UTC')).toMatchObject({
      columns: ['step', 'event', 'people', 'percent', 'average_seconds'],
      rows: [
        [1, 'visit', 3, 100, null],
        [2, 'buy', 1, 33.3, 90],
      ],
    })
    const broken = [steps.map((each) => ({ ...each, breakdown_value: ['pro'] }))]
    expect(rowsOfInsight('FunnelsQuery', broken, 'UTC')?.rows[1]).toEqual(['pro', 2, 'buy', 1, 33.3, 90])
    expect(rowsOfInsight('FunnelsQuery', { bins: [[0, 4]] }, 'UTC')?.rows).toEqual([[0, 4]])
  })

  it('has a row for each start of a retention, and for each period of a lifecycle', () => {
    const values = (...counts: number[]) => counts.map((count, at) => ({ count, label: `Week ${at}` }))
    const starts = [
      { label: 'Week 0', date: '2026-01-05T00:00:00Z', values: values(4, 2) },
      { label: 'Week 1', date: '2026-01-12T00:00:00Z', values: values(3) },
    ]
    expect(rowsOfInsight('RetentionQuery', starts, 'UTC')).toMatchObject({
      columns: ['start', 'people', 'Week 0', 'Week 1'],
      rows: [
        ['2026-01-05', 4, 4, 2],
        ['2026-01-12', 3, 3, null],
      ],
    })
    // Periods begin at midnight on the clocks of the project.
    const local = { label: 'Week 0', date: '2026-01-04T23:00:00Z', values: values(4) }
    expect(rowsOfInsight('RetentionQuery', [local], 'Europe/Berlin')?.rows).toEqual([['2026-01-05', 4, 4]])
    expect(startsIn([local], 'UTC')).toEqual(['2026-01-04 23:00'])
    const lifecycle = ['new', 'dormant'].map((status, at) => ({
      label: `visit - ${status}`,
      status,
      days,
      data: [at === 0 ? 1 : -1, 0],
      count: 1,
    }))
    expect(rowsOfInsight('LifecycleQuery', lifecycle, 'UTC')).toMatchObject({
      columns: ['period', 'new', 'dormant'],
      rows: [
        ['2026-01-01', 1, -1],
        ['2026-01-02', 0, 0],
      ],
    })
    expect(rowsOfInsight('WebOverviewQuery', [], 'UTC')).toBeNull()
  })
})
