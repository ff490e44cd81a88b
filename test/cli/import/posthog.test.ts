// `npm run import -- --from posthog`, from one Halyard to another, or between projects of one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, type Project } from '../project'
import { open, property, where } from '../../support/filters'
import { contentsOf, fillProject } from './full-project'
import { serveWorker, type ServedWorker } from '../../support/server/served-worker'
import { type Json, projectAt, serveProject, type ServedProject } from './service'

const PATIENT = { timeout: 180_000 }

let folder: Project
let source: ServedProject
let other: ServedWorker

beforeAll(async () => {
  folder = createProject({})
  source = await serveProject('Source')
  other = await serveWorker()
  await fillProject(source)
})
afterAll(async () => {
  folder.remove()
  await other.stop()
})

const runImport = (target: ServedProject, args: readonly string[], env: Record<string, string> = {}) =>
  folder.run(
    'import',
    [
      '--from=posthog',
      `--url=${source.url}`,
      `--project=${source.id}`,
      `--to-url=${target.url}`,
      `--to-project=${target.id}`,
      ...args,
    ],
    { IMPORT_KEY: source.key, HALYARD_KEY: target.key, ...env },
  )

const heading = (target: ServedProject) =>
  `From ${source.url}, project ${source.id}\nto   ${target.url}, project ${target.id}:\n\n`

const LOOK_AHEAD =
  '  changes named: the pattern ^(?!user-9)user-[0-9]@ of email runs in steps here: a match of more than 1,000,000 of them, in a very long ' +
  'text, counts as none\n'

const SAME = `Group types: 1 the same
Definitions of events: 3 the same
Definitions of properties: 7 the same
Variables: 2 the same
Cohorts: 4 the same
Flags: 13 the same
Saved queries: 3 the same
Dashboards: 2 the same
Scheduled changes: 2 the same
Webhooks: 1 the same
Settings of the project: 1 the same
Approval policies: 1 the same
`

describe('npm run import -- --from posthog', PATIENT, () => {
  it('reports what it would do, and changes nothing', async () => {
    const target = await serveProject('Dry')
    expect(await runImport(target, ['--with', 'persons,events'])).toEqual({
      code: 0,
      stderr: '',
      stdout: `${heading(target)}Group types: 1 to create
  as it is: company
Definitions of events: 1 not possible
  cannot visited: is unknown here until it is captured: import again then, or with events and persons
Definitions of properties: 1 not possible
  cannot person age: is unknown here until it is captured: import again then, or with events and persons
Variables: 2 to create
  as it is: event_name, since
Cohorts: 4 to create
  as it is: French, Payers from elsewhere, Testers, French (2)
Flags: 13 to create
  as it is: partly, colour, on-blue, payers, testers, company, held-out, device, secret, empty, off-base, off-dependent
${LOOK_AHEAD}Saved queries: 3 to create
  as it is: daily, trend, visits
Dashboards: 2 to create
  as it is: Overview, Overview (2)
Scheduled changes: 2 to create
  as it is: colour add_release_condition 2099-03-01T08:00:00Z, colour update_status weekly
Webhooks: 1 to create
  changes https://hooks.example.com/halyard: is created paused, with a new secret
Settings of the project: 1 to update
  updates settings: timezone
Approval policies: 1 to create
  as it is: feature_flag.update
Events: 36, about 1 s
Groups: 5, about 1 s
Persons: 30, about 1 s

Nothing was changed: this was a dry run. --apply writes.
`,
    })
    expect(await target.list('feature_flags/')).toEqual([])
    expect(await target.list('cohorts/')).toEqual([])
  })

  it('moves a whole project, and nothing the second time', async () => {
    const { projectApiToken: token, personalApiKey: key } = other.credentials
    const target = projectAt({ url: other.url, id: other.projectId, token, key })
    const first = await runImport(target, ['--with', 'persons,events', '--apply', '--people=100'])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toContain('\n31 written.\n')
    expect(first.stdout).toContain(
      'The flags of both sides say the same of 100 people (30 of the source, as each side has stored them, 70 made up).\n',
    )
    const [there, here] = [await contentsOf(source), await contentsOf(target)]
    const withoutNotes = (flags: unknown[]) =>
      flags.map((flag) => ({
        ...(flag as Json),
        name: String((flag as Json).name).replace(/(\n\n)?Imported from [^]*$/, ''),
        version: 0,
      }))
    expect({ ...here, flags: withoutNotes(here.flags) }).toEqual({
      ...there,
      flags: withoutNotes(there.flags),
    })
    const secret = here.flags.find((flag) => (flag as Json).key === 'secret') as Json
    expect(secret.name).toMatch(
      new RegExp(
        `^Imported from ${source.url}, project ${source.id}, flag \\d+\\. Created 20..-..-.. by owner@example\\.com\\. Version 1\\.\\n20..-..-.. owner@example\\.com created$`,
      ),
    )
    const [{ id }] = (await target.list<{ id: number }>('feature_flags/?search=secret')) as [{ id: number }]
    expect(await target.call('GET', `feature_flags/${id}/remote_config/`)).toBe('"s3cret"')
    const people =
      "SELECT d.distinct_id, p.properties FROM person_distinct_ids AS d INNER JOIN persons AS p ON p.id = d.person_id WHERE d.distinct_id LIKE 'user%' ORDER BY d.distinct_id"
    expect(await target.rows(people)).toEqual(await source.rows(people))
    const events =
      'SELECT uuid, event, timestamp, distinct_id, properties FROM events ORDER BY timestamp, uuid'
    expect(await target.rows(events)).toEqual(await source.rows(events))
    const groups = 'SELECT key, properties FROM groups ORDER BY key'
    expect(await target.rows(groups)).toEqual(await source.rows(groups))

    const activity = () => target.call<{ count: number }>('GET', 'feature_flags/activity/')
    const before = await activity()
    const second = await runImport(target, ['--apply', '--no-check'])
    expect(second).toEqual({ code: 0, stderr: '', stdout: `${heading(target)}${SAME}\n0 written.\n` })
    expect((await activity()).count).toBe(before.count)
  })

  it('keeps items edited here, and takes items changed there', async () => {
    const target = await serveProject('Edited')
    await target.call('POST', 'feature_flags/', { key: 'empty', name: 'own' })
    expect(await runImport(target, ['--apply', '--no-check'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        "  keeps empty: is here already, with other name; --overwrite takes the source's\n",
      ),
    })
    const flagOf = async (project: ServedProject, key: string) =>
      (await project.list<{ id: number; key: string; name: string; tags: string[] }>('feature_flags/')).find(
        (flag) => flag.key === key,
      )!
    const [partly, heldOut] = [await flagOf(target, 'partly'), await flagOf(source, 'held-out')]
    await target.call('PATCH', `feature_flags/${partly.id}/`, { tags: ['mine'] })
    await source.call('PATCH', `feature_flags/${heldOut.id}/`, { tags: ['theirs'] })

    const second = await runImport(target, ['--apply', '--no-check'])
    expect(second.stdout).toContain('  updates held-out: tags\n')
    expect(second.stdout).toContain(
      "  keeps partly: was edited here since the import, with other tags; --overwrite takes the source's\n",
    )
    expect((await flagOf(target, 'partly')).tags).toEqual(['mine'])
    expect((await flagOf(target, 'held-out')).tags).toEqual(['theirs'])

    expect(await runImport(target, ['--apply', '--overwrite', '--no-check'])).toMatchObject({ code: 0 })
    expect((await flagOf(target, 'partly')).tags).toEqual(['growth', 'web'])
    expect((await flagOf(target, 'empty')).name).toMatch(/^Imported from /)
    await source.call('PATCH', `feature_flags/${heldOut.id}/`, { tags: [] })
  })

  it('lists the people whose flags differ', async () => {
    const target = await serveProject('Different')
    await target.capture([
      {
        event: '$groupidentify',
        distinct_id: 'user-0',
        properties: { $group_type: 'company', $group_key: 'first', $group_set: {} },
      },
    ])
    const company = where(property({ key: 'plan', type: 'group', group_type_index: 0, value: 'paidx' }))
    await target.call('POST', 'feature_flags/', {
      key: 'company',
      filters: { ...company, aggregation_group_type_index: 0 },
    })
    await target.call('POST', 'feature_flags/', {
      key: 'empty',
      filters: open({ payloads: { true: '{"a":1}' } }),
    })
    const [held] = await source.list<{ filters: Json }>('feature_flags/?search=held-out')
    await target.call('POST', 'feature_flags/', {
      key: 'held-out',
      filters: { ...held!.filters, payloads: { true: '"more"' } },
    })
    await target.call('POST', 'feature_flags/', {
      key: 'colour',
      filters: {
        groups: [
          { properties: [{ key: 'distinct_id', type: 'person', operator: 'exact', value: 'user-3' }] },
        ],
      },
    })
    const { stdout } = await runImport(target, ['--apply', '--people=100'])
    expect(stdout).toContain(
      'differ for some of 100 people (30 of the source, with their properties there, 70 made up):\n',
    )
    expect(stdout).toMatch(/ {2}colour: (99|100) people\n/)
    expect(stdout).toMatch(/ {4}user-5: (red|blue) there, false here\n/)
    // A condition on a group, for groups of the source and made-up ones.
    expect(stdout).toMatch(
      /\n {2}company: \d{1,2} people\n {4}user-\d+: (true there, false|false there, true) here\n/,
    )
    expect(stdout).toMatch(/\n {4}import-check-\d+: false there, true here\n/)
    // The same values with another payload.
    expect(stdout).toMatch(/\n {4}user-\d+: true with payload null there, true with payload "more" here\n/)
    expect(stdout).toContain('Kept as here, and checked with the others: colour, company, held-out, empty\n')
  })

  it('never prints keys', async () => {
    const target = await serveProject('Secret')
    const wrong = await runImport(target, [], { IMPORT_KEY: 'phx_wrong-wrong-wrong' })
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toMatch(
      /answered 401: Personal API key found in request Authorization header is invalid\.\n$/,
    )
    expect(wrong.stderr).not.toContain('wrong-wrong')
  })

  it.each([
    [[], '--from must be one of '],
    [['--from', 'posthog'], '--url must say where the service is.\n'],
    [
      ['--from', 'posthog', '--url', 'eu.posthog.com'],
      '--url must be a URL such as https://flags.example.com, got "eu.posthog.com".\n',
    ],
    [
      ['--from', 'posthog', '--url', 'https://a.example', '--with', 'people'],
      '--with takes persons and events, got "people".\n',
    ],
    [['--from', 'posthog', '--people', '0'], '--people must be a number from 1 to 999999, got "0".\n'],
    [
      ['--from', 'posthog', '--url', 'https://a.example'],
      '--project must be the id of a project of the source.\n',
    ],
    [
      ['--from', 'posthog', '--url', 'https://a.example', '--project', '1'],
      'There is no .dev/credentials.json: name the service with --to-url, or run npm start first.\n',
    ],
  ])('rejects %j', async (args, message) => {
    expect(await folder.run('import', args, { IMPORT_KEY: 'phx_a' })).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })
})
