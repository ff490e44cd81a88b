// `npm run export`, and `npm run import -- --from file` back.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inCohort, where } from '../../support/filters'
import { createProject, type Project } from '../project'
import { contentsOf, fillProject } from './full-project'
import { type Json, serveProject, type ServedProject } from './service'

const PATIENT = { timeout: 180_000 }

let folder: Project
let source: ServedProject
let file: string

const runExport = (project: ServedProject, args: readonly string[]) =>
  folder.run('export', [`--url=${project.url}`, `--project=${project.id}`, ...args], {
    HALYARD_KEY: project.key,
  })

const runImport = (target: ServedProject, args: readonly string[]) =>
  folder.run('import', ['--from=file', `--to-url=${target.url}`, `--to-project=${target.id}`, ...args], {
    HALYARD_KEY: target.key,
  })

beforeAll(async () => {
  folder = createProject({})
  file = join(folder.folder, 'project.jsonl')
  source = await serveProject('Exported')
  await fillProject(source)
  expect(await runExport(source, ['project.jsonl', '--secrets'])).toEqual({
    code: 0,
    stderr: '',
    stdout: `Group types: 1
Definitions of events: 3
Definitions of properties: 7
Variables: 2
Cohorts: 4
Flags: 13
Saved queries: 3
Dashboards: 2
Scheduled changes: 2
Webhooks: 1
Settings of the project: 1
Approval policies: 1
Events: 36
Groups: 5
Persons: 30

The project is in project.jsonl. It contains personal data. It contains payloads that were encrypted.
`,
  })
})
afterAll(() => folder.remove())

const SETTINGS = new Set(['dashboard', 'scheduled_change', 'webhook', 'project', 'approval_policy'])
const OWNER = 'owner@example.com'

const linesIn = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json)

describe('npm run export', PATIENT, () => {
  it('writes a line for each thing, in the order in which an import takes them', () => {
    const lines = linesIn(file)
    expect(lines[0]).toEqual({
      kind: 'halyard_project',
      format: 1,
      exported_at: expect.stringMatching(/^20.*Z$/),
      source: `${source.url}, project ${source.id}`,
    })
    expect(lines.at(-1)).toEqual({ kind: 'end', lines: lines.length })
    expect([...new Set(lines.map(({ kind }) => kind))]).toEqual([
      'halyard_project',
      'group_type',
      'event',
      'group',
      'person',
      'event_definition',
      'property_definition',
      'variable',
      'cohort',
      'flag',
      'query',
      'dashboard',
      'scheduled_change',
      'webhook',
      'project',
      'approval_policy',
      'end',
    ])
    expect(lines.find(({ key }) => key === 'payers')).toEqual({
      kind: 'flag',
      key: 'payers',
      value: {
        name: '',
        filters: {
          groups: [
            {
              properties: [{ key: 'id', type: 'cohort', operator: 'in', value: 'Payers from elsewhere' }],
              rollout_percentage: 100,
              aggregation_group_type_index: null,
            },
          ],
          aggregation_group_type_index: null,
        },
        active: true,
        archived: false,
        ensure_experience_continuity: false,
        is_remote_configuration: false,
        has_encrypted_payloads: false,
        evaluation_runtime: 'all',
        bucketing_identifier: 'distinct_id',
        tags: [],
        evaluation_contexts: [],
        rollback_conditions: null,
      },
      initial: { created_at: expect.stringMatching(/^20.*Z$/) },
    })
    expect(lines.filter(({ kind }) => SETTINGS.has(String(kind)))).toEqual([
      {
        kind: 'dashboard',
        key: 'Overview',
        value: {
          name: 'Overview',
          description: 'Of the shop',
          filters: { date_from: '-14d', date_to: null },
          tiles: [
            { endpoint: 'visits', layouts: { sm: { x: 0, y: 2, w: 6, h: 4 } } },
            { endpoint: 'daily', layouts: {} },
          ],
          flags: ['colour'],
        },
      },
      {
        kind: 'dashboard',
        key: 'Overview (2)',
        value: {
          name: 'Overview',
          description: '',
          filters: { date_from: null, date_to: null },
          tiles: [],
          flags: [],
        },
      },
      {
        kind: 'scheduled_change',
        key: 'colour add_release_condition 2099-03-01T08:00:00Z',
        value: {
          flag: 'colour',
          payload: {
            operation: 'add_release_condition',
            value: where(inCohort(0, { value: 'Payers from elsewhere' })),
          },
          scheduled_at: '2099-03-01T08:00:00Z',
          is_recurring: false,
          recurrence_interval: null,
          end_date: null,
        },
      },
      {
        kind: 'scheduled_change',
        key: 'colour update_status weekly',
        value: {
          flag: 'colour',
          payload: { operation: 'update_status', value: false },
          scheduled_at: '2099-04-01T08:00:00Z',
          is_recurring: false,
          recurrence_interval: 'weekly',
          end_date: '2099-12-31T00:00:00Z',
        },
      },
      {
        kind: 'webhook',
        key: 'https://hooks.example.com/halyard',
        value: {
          url: 'https://hooks.example.com/halyard',
          description: 'To the chat',
          events: ['Cohort.created', 'FeatureFlag.*'],
        },
      },
      {
        kind: 'project',
        key: 'settings',
        value: { timezone: 'Europe/Berlin', require_evaluation_contexts: false },
      },
      {
        kind: 'approval_policy',
        key: 'feature_flag.update',
        value: {
          conditions: { type: 'before_after', field: 'rollout_percentage', operator: '>', value: 99 },
          quorum: 1,
          approvers: [OWNER],
          allow_self_approve: false,
          bypass_org_membership_levels: [15],
          expires_after: '2 00:00:00',
          enabled: true,
        },
      },
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('leaves out the streams of --without, and encrypted payloads', async () => {
    expect(await runExport(source, ['short.jsonl', '--without', 'persons,events'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('\nThe project is in short.jsonl.\n'),
    })
    const text = readFileSync(join(folder.folder, 'short.jsonl'), 'utf8')
    expect(text).not.toContain('s3cret')
    expect(text).not.toContain('user-9@example.com')
    const target = await serveProject('Without secrets')
    expect(await runImport(target, ['short.jsonl'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        '  cannot secret: its encrypted payload is not in the file: export with --secrets\n',
      ),
    })
  })

  it('does not overwrite a file', async () => {
    expect(await runExport(source, ['project.jsonl'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'project.jsonl exists: name another file.\n',
    })
  })

  it('rejects a folder that does not exist', async () => {
    expect(await runExport(source, ['missing/project.jsonl'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The folder missing does not exist.\n',
    })
  })

  it('rejects two files', async () => {
    expect(await folder.run('export', ['a', 'b'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Name one file: npm run export -- FILE\n',
    })
  })
})

describe('npm run import -- --from file', PATIENT, () => {
  it('gives the same project', async () => {
    const target = await serveProject('Back')
    const first = await runImport(target, ['project.jsonl', '--with', 'persons,events', '--apply'])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const [there, here] = [await contentsOf(source), await contentsOf(target)]
    const withoutVersions = (flags: unknown[]) => flags.map((flag) => ({ ...(flag as Json), version: 0 }))
    expect({ ...here, flags: withoutVersions(here.flags) }).toEqual({
      ...there,
      flags: withoutVersions(there.flags),
    })

    expect(await runExport(target, ['again.jsonl', '--secrets'])).toMatchObject({ code: 0 })
    const items = (path: string) =>
      linesIn(path)
        // Persons are merged by an event, which has a property.
        .filter(({ value, kind, key }) => value && kind !== 'event_definition' && key !== 'event alias')
        .map((line) => JSON.stringify(line))
        .toSorted()
    expect(items(join(folder.folder, 'again.jsonl'))).toEqual(items(file))

    expect(await target.list('webhooks/')).toMatchObject([{ active: false }])
    // Dashboards and a policy of the file change, those here are as they were written.
    const edited = readFileSync(file, 'utf8')
      .replace('[{"endpoint":"visits","layouts":{"sm":{"x":0,"y":2,"w":6,"h":4}}},', '[')
      .replace('{"endpoint":"daily","layouts":{}}', '{"endpoint":"daily","layouts":{}},{"endpoint":"trend"}')
      .replace('"flags":["colour"]', '"flags":["partly"]')
      .replace('"approvers":["', '"approvers":["nobody@example.com","')
    writeFileSync(file, edited)
    const second = await runImport(target, ['project.jsonl', '--apply'])
    expect(second.stdout).toContain(
      '\nDashboards: 1 to update, 1 the same\n  updates Overview: tiles, flags\n',
    )
    expect(second.stdout).toMatch(
      /\n2 written\.\nfeature_flag\.update: has no approvers who are no members here: nobody@example\.com\n$/,
    )
    const after = await contentsOf(target)
    expect(after.dashboards.at(-1)).toMatchObject({ tiles: [{ endpoint: 'daily' }, { endpoint: 'trend' }] })
    expect(
      (after.flags as Json[]).flatMap(({ key, analytics_dashboards: names }) =>
        (names as string[]).map((name) => `${String(key)} ${name}`),
      ),
    ).toEqual(['partly Overview'])
    const third = await runImport(target, ['project.jsonl', '--apply'])
    expect(third.stdout).toMatch(/\n0 written\.\n$/)
  })

  it('takes lines written by hand, with defaults', async () => {
    const target = await serveProject('By hand')
    const lines = [
      { kind: 'halyard_project', format: 1, exported_at: '2026-11-23T00:00:00Z', source: 'a hand' },
      { kind: 'cohort', key: 'Nobody', value: { name: 'Nobody' } },
      { kind: 'flag', key: 'short', value: { filters: { groups: [{ rollout_percentage: 5 }] } } },
      { kind: 'end', lines: 4 },
    ]
    writeFileSync(
      join(folder.folder, 'hand.jsonl'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    )
    expect(await runImport(target, ['hand.jsonl', '--apply'])).toEqual({
      code: 0,
      stderr: '',
      stdout: `From hand.jsonl
to   ${target.url}, project ${target.id}:

Cohorts: 1 not possible
  cannot Nobody: has neither conditions nor a list of members
Flags: 1 to create
  as it is: short

1 written.
`,
    })
    expect((await runImport(target, ['hand.jsonl', '--apply'])).stdout).toContain('\n0 written.\n')
  })

  it('reports queries that cannot run here, before it writes', async () => {
    const target = await serveProject('Queries')
    const version = (query: string) => ({
      query: { kind: 'HogQLQuery', query },
      description: '',
      data_freshness_seconds: 86_400,
      is_active: true,
      is_materialized: false,
      optional_breakdown_properties: [],
      bucket_overrides: null,
    })
    const query = (key: string, ...texts: string[]) => ({
      kind: 'query',
      key,
      value: { is_active: true, tags: [], derived_from_insight: null, versions: texts.map(version) },
    })
    const trends = { ...query('trends', ''), key: 'trends' }
    trends.value.versions[0]!.query = {
      kind: 'TrendsQuery',
      series: [{ kind: 'ActionsNode', id: 1 }],
    } as never
    const lines = [
      { kind: 'halyard_project', format: 1, exported_at: '2026-11-23T00:00:00Z', source: 'a test' },
      query('stopped', 'SELECT 1', 'SELECT nosuch() FROM events'),
      query('revised', 'SELECT nosuch() FROM events', 'SELECT 2'),
      query('acted', 'SELECT count() FROM events WHERE matchesAction(2)'),
      trends,
      { kind: 'end', lines: 6 },
    ]
    writeFileSync(
      join(folder.folder, 'queries.jsonl'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    )
    const report = `From queries.jsonl
to   ${target.url}, project ${target.id}:

Saved queries: 1 to create, 3 not possible
  changes revised: version 1 is left out: Unsupported function call 'nosuch(...)'.
  changes revised: version 2 becomes version 1
  cannot stopped: Unsupported function call 'nosuch(...)'.
  cannot acted: names the action 2, and actions are not imported
  cannot trends: names the action 1, and actions are not imported
`
    expect(await runImport(target, ['queries.jsonl', '--apply'])).toEqual({
      code: 0,
      stderr: '',
      stdout: `${report}\n1 written.\n`,
    })
    expect(await target.list<Json>('endpoints/')).toMatchObject([{ name: 'revised', current_version: 1 }])
    expect(await runImport(target, ['queries.jsonl', '--apply'])).toMatchObject({
      stdout: `${report.replace('1 to create', '1 the same').replaceAll(/  changes .*\n/g, '')}\n0 written.\n`,
    })
  })

  it('reports a missing file', async () => {
    expect(await runImport({ ...source, id: 0 }, ['missing.jsonl'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'missing.jsonl does not exist, or is not a file.\n',
    })
  })

  it.each([
    ['cut', (text: string) => text.slice(0, -20), /ends within a line: it is not complete\.\n$/],
    [
      'short',
      (text: string) => text.replace(/[^\n]*\n$/, ''),
      /is not complete: the last line does not fit the others\.\n$/,
    ],
    [
      'newer',
      (text: string) => text.replace('"format":1', '"format":2'),
      /^Line 1 of newer\.jsonl is no line of an export of format 1/,
    ],
    [
      'wrong',
      (text: string) => text.replace('{"kind":"group_type"', '{"kind":"grouptype"'),
      /^Line 2 of wrong\.jsonl is no line of an export/,
    ],
    [
      'repeated',
      (text: string) => text.replace(/^\{"kind":"flag".*\n/m, '$&$&'),
      /^Line (\d+) of repeated\.jsonl repeats line \d+: flag [\w-]+\.\n$/,
    ],
    [
      'longer',
      (text: string) => `${text}{"kind":"group_type","key":"late","value":{}}\n`,
      /^Line \d+ of longer\.jsonl is behind the line that ends the export\.\n$/,
    ],
    [
      'misspelt',
      (text: string) => text.replace('"distinct_ids":', '"distinct_id":'),
      /^Line \d+ of misspelt\.jsonl is no line of an export of format 1: row\.distinct_ids: /,
    ],
    [
      'extended',
      (text: string) => text.replace(/^(\{"kind":"event","row":\{)/m, '$1"propertys":{},'),
      /^Line \d+ of extended\.jsonl is no line of an export of format 1: row: Unrecognized key: "propertys"\n$/,
    ],
  ])('rejects a file that is %s', async (name, spoil, message) => {
    writeFileSync(join(folder.folder, `${name}.jsonl`), spoil(readFileSync(file, 'utf8')))
    expect(await runImport({ ...source, id: 0 }, [`${name}.jsonl`])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  })
})
