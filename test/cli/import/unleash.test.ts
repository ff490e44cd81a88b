// `npm run import -- --from unleash`, from the recorded answers of the real server.
//
// `RECORD=1 npx vitest run --project served test/cli/import/unleash.test.ts` imports from the real one, which needs PostgreSQL, and records it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, type Project } from '../project'
import { serveProject, type ServedProject } from './service'
import { serveUnleash, type UnleashService } from './unleash-service'

let unleash: UnleashService
let folder: Project

beforeAll(async () => {
  folder = createProject({})
  unleash = await serveUnleash()
})
afterAll(async () => {
  folder.remove()
  await unleash?.stop()
})

const runImport = (target: ServedProject, args: readonly string[]) =>
  folder.run(
    'import',
    [
      '--from=unleash',
      `--url=${unleash.url}`,
      `--to-url=${target.url}`,
      `--to-project=${target.id}`,
      ...args,
    ],
    { IMPORT_KEY: unleash.headers.Authorization!, HALYARD_KEY: target.key },
  )

const OTHERS = 'the share stays, but it has other people: Unleash and Halyard draw them by another hash'

describe('npm run import -- --from unleash', { timeout: 180_000 }, () => {
  it('reports unchanged, changed and impossible items', async () => {
    const target = await serveProject('Unleash, dry')
    const { code, stdout, stderr } = await runImport(target, ['--environment', 'production'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`From ${unleash.url}, project default, environment production
to   ${target.url}, project ${target.id}:

An environment of Unleash is a project here: this import takes production. Import development into projects of their own.
Context fields are properties of people here, by the same names; userId is the distinct id.
Archived features do not come over: the API does not give their strategies.

Cohorts: 1 to create
  as it is: Staff
Flags: 22 to create, 2 not possible
  as it is: adult, begins, child, contains, contains-any-case, everybody, exactly, none, off, orphan, staff
  changes in: country: upper and lower case are the same here
  changes colours: variants: ${OTHERS}
  changes disabled-strategy: 1 disabled strategy is left out
  changes disabled-strategy: country: upper and lower case are the same here
  changes dotted-name: is dotted.name in Unleash; a key has letters, numbers, - and _ only: ask for dotted-name in your code
  changes either: country: upper and lower case are the same here
  changes either: distinct_id: upper and lower case are the same here
  changes half: its group any has no effect: each flag draws people by its own key
  changes half: flexibleRollout 50 %: ${OTHERS}
  changes inverted-in: country: upper and lower case are the same here
  changes newer: version: versions like v2.0.0 and 2.0 are compared here as 2.0.0; Unleash never matches them. 2.0.0+1 is later than 2.0.0 here, and may be the same in Unleash
  changes not-in: country: upper and lower case are the same here
  changes parent-off: stays enabled, with rollouts of 0 %: no flag can depend on a disabled one here
  changes timed: DATE_AFTER 2026-01-01T00:00:00Z has passed: it is left out
  cannot by-session: no equal here for a gradual rollout by sessionId: a share is drawn by the id of a person here
  cannot moon: no equal here for the strategy by-moon

Nothing was changed: this was a dry run. --apply writes.
`)
    expect(await target.list('feature_flags/')).toEqual([])
  })

  it('creates flags with the same results as in Unleash', async () => {
    const target = await serveProject('Unleash')
    const first = await runImport(target, ['--environment', 'production', '--apply', '--people=100'])
    expect(first.stdout).toContain(
      'The flags of both sides say the same of 100 people (0 of the source, 100 made up).\n',
    )
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toContain('Not compared: colours, half: both sides draw other people\n')
    const flags = await target.list<{ id: number; key: string }>('feature_flags/')
    const colours = flags.find(({ key }) => key === 'colours')
    expect(colours).toMatchObject({
      name: expect.stringMatching(
        /^Imported from http:.*, project default, environment production\. Type release\.$/,
      ),
      filters: {
        multivariate: {
          variants: [
            { key: 'blue', rollout_percentage: 75 },
            { key: 'red', rollout_percentage: 25 },
          ],
        },
        payloads: { red: '"#f00"', blue: '{"a":1}' },
      },
    })
    const second = await runImport(target, ['--environment', 'production', '--apply', '--no-check'])
    expect(second.stdout).toMatch(/\n0 written\.\n$/)
    expect(second.stdout).not.toContain('changes ')

    // The made-up people are of every kind: a flag that says something else is found.
    const { id } = flags.find(({ key }) => key === 'adult')!
    await target.call('PATCH', `feature_flags/${id}/`, {
      filters: { groups: [{ properties: [{ key: 'age', type: 'person', operator: 'gt', value: '18' }] }] },
    })
    const third = await runImport(target, ['--environment', 'production', '--apply', '--people=100'])
    expect(third.stdout).toMatch(/\n1 flag differs for some of 100 people .*:\n {2}adult: \d{1,2} people\n/)
  })

  it('asks which environment it takes', async () => {
    expect(await runImport(await serveProject('Which'), [])).toEqual({
      code: 1,
      stdout: '',
      stderr: '--environment must be one of development, production.\n',
    })
  })
})
