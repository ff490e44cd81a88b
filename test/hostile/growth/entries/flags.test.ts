// Flags: filters and cohorts as they are written, and the texts at evaluation: patterns, versions, dates, search.
import { beforeAll } from 'vitest'
import { idsInCsv } from '../../../../src/flags/cohorts/csv'
import { validateCohortFilters } from '../../../../src/flags/cohorts/cohort-filters'
import { validateFilters } from '../../../../src/flags/filters/validate'
import { MAX_SEARCHED_NAME, searchable, searchFor } from '../../../../src/flags/read/name-search'
import { EvaluationBudget } from '../../../../src/evaluation/budget'
import { compile } from '../../../../src/evaluation/compile/compile'
import { compileBacktracking } from '../../../../src/evaluation/regex/backtracking'
import { compileRegex, MAX_REGEX_LENGTH, MAX_REGEX_TEXT } from '../../../../src/evaluation/regex/regex'
import { unsupportedIn } from '../../../../src/evaluation/regex/unsupported'
import { parseDate } from '../../../../src/evaluation/values/date'
import { parseSemver } from '../../../../src/evaluation/values/semver'
import { compileSemver, SEMVER_OPERATORS } from '../../../../src/evaluation/values/semver-range'
import { sortableVersion } from '../../../../src/hogql/computed/texts'
import { MAX_BODY_BYTES } from '../../../../src/http/body/body'
import { MAX_SEARCH_LENGTH } from '../../../../src/http/fields'
import { parseTimestamp } from '../../../../src/timestamps'
import { cleanNames } from '../../../../src/tags'
import { loadEngines } from '../../../evaluation/support'
import { itGrowsLinearly } from '../entry-growth'
import { type Entry, entry, mapped, nested, numbered, repeated, type Shapes, TEXTS, VALUES } from '../shapes'

const list = (count: number, item: (index: number) => unknown) =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => item(index))

const property = (more: object) => ({ key: 'plan', type: 'person', operator: 'exact', value: 'pro', ...more })
const whole = (more: object) => ({ properties: [], rollout_percentage: 100, ...more })

const FILTERS: Shapes = {
  'condition sets': (size) => ({ groups: list(size / 45, () => whole({})) }),
  properties: (size) => ({ groups: [whole({ properties: list(size / 70, () => property({})) })] }),
  patterns: (size) => ({
    groups: [whole({ properties: list(size / 70, (n) => property({ operator: 'regex', value: `a${n}` })) })],
  }),
  'the same pattern': (size) => ({
    groups: [whole({ properties: list(size / 70, () => property({ operator: 'regex', value: 'a+b' })) })],
  }),
  'a long list of values': (size) => ({
    groups: [whole({ properties: [property({ value: list(size / 8, (n) => `v${n}`) })] })],
  }),
  'long versions': (size) => ({
    groups: [
      whole({ properties: [property({ operator: 'semver_gt', value: `1.0.0-${'a.'.repeat(size / 2)}a` })] }),
    ],
  }),
  variants: (size) => ({
    groups: [whole({})],
    multivariate: { variants: list(size / 45, (n) => ({ key: `v${n}`, rollout_percentage: 0 })) },
  }),
  payloads: (size) => ({
    groups: [whole({})],
    payloads: Object.fromEntries(list(size / 16, (n) => [`v${n}`, n]) as [string, number][]),
  }),
  'a large payload': (size) => ({ groups: [whole({})], payloads: { true: VALUES['nested objects'](size) } }),
  'cohorts that do not exist': (size) => ({
    groups: [whole({ properties: list(size / 70, (n) => property({ type: 'cohort', value: n })) })],
  }),
  'misspelt keys': (size) => ({
    groups: [whole(Object.fromEntries(list(size / 14, (n) => [`Variant_${n}`, n]) as [string, number][]))],
  }),
}

const NO_FACTS = {
  self: { id: 1, key: 'flag' },
  stored: null,
  isRemoteConfiguration: false,
  linkedToEarlyAccess: false,
  targets: new Map(),
  cohorts: new Map(),
}

const cohortGroup = (values: readonly unknown[]) => ({ type: 'AND', values })

const COHORTS: Shapes = {
  conditions: (size) => ({ properties: cohortGroup(list(size / 70, () => property({}))) }),
  groups: (size) => ({ properties: cohortGroup(list(size / 100, () => cohortGroup([property({})]))) }),
  'groups in groups': (size) => {
    let group = cohortGroup([property({})])
    for (let level = 0; level < 24; level += 1) group = cohortGroup([group])
    return { properties: cohortGroup(list(size / 800, () => group)) }
  },
  'a long value': (size) => ({
    properties: cohortGroup([property({ value: VALUES['a list of texts'](size) })]),
  }),
  'unknown fields': (size) => ({ properties: cohortGroup([VALUES['a wide object'](size)]) }),
}

beforeAll(loadEngines)

const compiled = (filters: unknown) =>
  compile({
    flags: [{ id: 1, key: 'flag', active: true, filters }],
    cohorts: [],
    group_type_mapping: {},
    property_matching_version: 1,
  } as never)

const ROWS: Shapes<string> = {
  ...TEXTS,
  'lines of ids': numbered((n) => `id-${n}`, '\n'),
  'many columns': numbered((n) => `column ${n}`, ',', 'distinct_id,', '\na'),
  'quotes in quotes': repeated('""', '"', '"'),
  'a quote without an end': repeated('a,\n', '"'),
  'empty lines': repeated('\n'),
}

const PATTERNS: Shapes<string> = {
  ...TEXTS,
  groups: nested('(', ')', 'a'),
  'repeated groups': nested('(', ')*', 'a'),
  'counted groups': nested('(', '){2}', 'a'),
  'counted letters': repeated('a{9}'),
  'counted classes': repeated(String.raw`\w{9}`),
  alternatives: numbered((n) => `a${n}`, '|'),
  'a long class': repeated('a-z', '[', ']'),
  'classes without an end': repeated('[a'),
  'any characters': repeated('.*'),
  'optional letters': repeated('a?'),
  'looks ahead': repeated('(?=a)'),
  'nested looks ahead': nested('(?=', ')', 'a'),
  references: repeated(String.raw`\1`, '(a)'),
  'a class beside a reference': repeated(String.raw`\W`, String.raw`(a)\1[`, ']'),
  'classes beside a reference': numbered(
    (n) => String.raw`[${String.fromCharCode(0x4e00 + (n % 20_000))}\W](a)\1`,
  ),
  'atomic groups': nested('(?>', ')', 'a'),
  'named groups': numbered((n) => `(?P<n${n}>a)`),
  flags: repeated('(?i)a'),
}

/** Compiles a pattern as a flag's does, and looks for it in the longest text. */
function searchWith(pattern: string): unknown {
  unsupportedIn(pattern)
  const found = [compileRegex(pattern), compileBacktracking(pattern)]
  return found.map((each) =>
    typeof each === 'string' ? each : each.search('ab'.repeat(MAX_REGEX_TEXT / 4), new EvaluationBudget()),
  )
}

const VALUE_READERS: Record<string, (text: string) => unknown> = {
  'a version': (text) => [parseSemver(text), sortableVersion(text)],
  'a date': (text) => [parseDate(text, 0, 'Europe/Berlin'), parseTimestamp(text)],
  'a number': (text) => Number(text),
}
const VALUE_TEXTS: Shapes<string> = {
  ...TEXTS,
  'identifiers of a version': repeated('.a', '1.0.0-a'),
  'digits of a version': repeated('.1', '1'),
  'digits of a date': repeated('1', '2026-01-01T00:00:00.', 'Z'),
  'words of a date': repeated('Mon, ', '', '1 Jan 2026'),
}

const values = Object.entries(VALUE_READERS).map(([name, read]) =>
  entry(name, MAX_BODY_BYTES, VALUE_TEXTS, read),
)

const ranges = entry(
  'versions of a filter',
  MAX_BODY_BYTES / 2,
  { ...VALUE_TEXTS, ranges: repeated('>=1.0.0-a,', '', '1.0.0') },
  (text) => SEMVER_OPERATORS.map((operator) => compileSemver(operator, text)),
)

const ENTRIES: readonly Entry[] = [
  entry('filters of a flag', MAX_BODY_BYTES, FILTERS, (filters) =>
    validateFilters(filters as Record<string, unknown>, NO_FACTS),
  ),
  entry('stored filters of a flag', MAX_BODY_BYTES / 2, FILTERS, compiled),
  entry('conditions of a cohort', MAX_BODY_BYTES, COHORTS, (filters) =>
    validateCohortFilters(filters as Record<string, unknown>, null),
  ),
  entry('a file of members', MAX_BODY_BYTES, ROWS, idsInCsv),
  entry('a regular expression', MAX_REGEX_LENGTH, PATTERNS, searchWith),
  ...values,
  ranges,
  entry(
    'tags',
    MAX_BODY_BYTES,
    {
      ...mapped(TEXTS, (text) => [text]),
      many: (size) => list(size / 8, (n) => `t${n % 2 ? n : -n}`) as string[],
      alike: (size) => list(size / 200, (n) => 'x'.repeat(195) + n) as string[],
    },
    cleanNames,
  ),
  entry('a searched name', MAX_SEARCHED_NAME, TEXTS, searchable),
  entry('a search term', MAX_SEARCH_LENGTH, TEXTS, (term) => searchFor(`a ${term}`.trim())('t.x')),
]

itGrowsLinearly('flags', ENTRIES)
