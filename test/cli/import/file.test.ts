// `npm run export`, and `npm run import -- --from file` back.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
Events: 36
Groups: 5
Persons: 30

The project is in project.jsonl. It contains personal data. It contains payloads that were encrypted.
`,
  })
})
afterAll(() => folder.remove())

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

    expect(
      await runExport(target, ['again.jsonl', '--secrets', '--without', 'persons,events']),
    ).toMatchObject({ code: 0 })
    const items = (path: string) =>
      linesIn(path)
        // Persons are merged by an event, which has a property.
        .filter(({ value, kind, key }) => value && kind !== 'event_definition' && key !== 'event alias')
        .map((line) => JSON.stringify(line))
        .toSorted()
    expect(items(join(folder.folder, 'again.jsonl'))).toEqual(items(file))

    const second = await runImport(target, ['project.jsonl', '--apply'])
    expect(second.stdout).toMatch(/\n0 written\.\n$/)
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
    const lines = [
      { kind: 'halyard_project', format: 1, exported_at: '2026-11-23T00:00:00Z', source: 'a test' },
      query('stopped', 'SELECT 1', 'SELECT nosuch() FROM events'),
      query('revised', 'SELECT nosuch() FROM events', 'SELECT 2'),
      { kind: 'end', lines: 4 },
    ]
    writeFileSync(
      join(folder.folder, 'queries.jsonl'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    )
    const report = `From queries.jsonl
to   ${target.url}, project ${target.id}:

Saved queries: 1 to create, 1 not possible
  changes revised: version 1 is left out: Unsupported function call 'nosuch(...)'.
  changes revised: version 2 becomes version 1
  cannot stopped: Unsupported function call 'nosuch(...)'.
`
    expect(await runImport(target, ['queries.jsonl', '--apply'])).toEqual({
      code: 0,
      stderr: '',
      stdout: `${report}\n1 written.\n`,
    })
    expect(await target.list<Json>('endpoints/')).toMatchObject([{ name: 'revised', current_version: 1 }])
    expect(await runImport(target, ['queries.jsonl', '--apply'])).toMatchObject({
      stdout: `${report.replace('1 to create', '1 the same')}\n0 written.\n`,
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
  ])('rejects a file that is %s', async (name, spoil, message) => {
    writeFileSync(join(folder.folder, `${name}.jsonl`), spoil(readFileSync(file, 'utf8')))
    expect(await runImport({ ...source, id: 0 }, [`${name}.jsonl`])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  })
})
