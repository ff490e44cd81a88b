// What commands print when they are called wrongly: one line, and exit code 2.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject, type Project } from './project'

let project: Project
beforeAll(() => {
  project = createProject({})
})
afterAll(() => project.remove())

const COMMANDS = [
  'start',
  'setup',
  'deploy',
  'backup',
  'restore',
  'clickhouse',
  'reset-password',
  'import',
  'export',
  'verify',
  'migration',
  'openapi',
  'check',
]

it.each(COMMANDS)('%s rejects an unknown option', async (command) => {
  expect(await project.run(command, ['--nonsense'])).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Unknown option '--nonsense'.*\n$/),
  })
})

// Its exit code 2 is for changes.
it.each([
  ['--nonsense', "Unknown option '--nonsense'"],
  ['apply', 'halyard.json does not exist. npm run flags -- pull writes one from a project.'],
  ['now', 'Name one of plan, apply, drift, pull: npm run flags -- plan'],
  ['apply --managed', '--managed goes with pull, not with apply.'],
  ['pull --prune', '--prune goes with plan, apply, drift, not with pull.'],
  ['drift --yes', '--yes goes with apply, pull, not with drift.'],
])('flags %s exits with 1', async (args, message) => {
  expect(await project.run('flags', args.split(' '))).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(message),
  })
})

it.each([
  ['start', ['--port', 'http'], '--port must be a number from 0 to 65535, got "http"\n'],
  [
    'setup',
    ['--after-restore'],
    '--after-restore is for a deployed service: add --remote. The local one needs none of it.\n',
  ],
  [
    'setup',
    ['--env', 'staging'],
    '--env is for a deployed service: add --remote. The local one needs none of it.\n',
  ],
  [
    'import',
    ['--from', 'file', 'a.jsonl', '--url', 'https://flags.example.com'],
    '--url is for another source than a file. The target has --to-url.\n',
  ],
  [
    'import',
    ['--from', 'file', 'a.jsonl', '--to-url', 'https://flags.example.com', '--key', 'k'],
    '--key is for another source than a file. The target has --to-key.\n',
  ],
  [
    'import',
    ['--from', 'file', 'a.jsonl', '--to-url', 'https://flags.example.com', '--project', '3'],
    '--project is for another source than a file. The target has --to-project.\n',
  ],
  ['import', ['--people', '5', '--no-check'], '--people does not go with --no-check.\n'],
  [
    'reset-password',
    ['--email', 'a@b.co', '--url', 'a.co'],
    '--url must be a URL such as https://eu.posthog.com, got "a.co".\n',
  ],
  ['setup', ['--url', 'a.co'], '--url must be a URL such as https://eu.posthog.com, got "a.co".\n'],
  ['backup', [], 'Name one folder for the backup: npm run backup -- FOLDER\n'],
  ['backup', ['a', '--env', 'staging'], '--env is for a deployed service: add --remote.\n'],
  [
    'restore',
    ['a', 'b'],
    'Name the folder of one backup, or a scheduled one: npm run restore -- FOLDER, or --from-bucket latest\n',
  ],
  ['reset-password', [], 'Name the user: npm run reset-password -- --email ADDRESS\n'],
  ['clickhouse', ['--remote'], '--remote belongs to --move.\n'],
  ['clickhouse', ['--settle', '10'], '--settle belongs to --move.\n'],
  [
    'clickhouse',
    ['--env', 'staging', '--move', '--restart'],
    '--env is for a deployed service: add --remote.\n',
  ],
  ['clickhouse', ['--settle', 'long'], '--settle must be a number of seconds, got "long"\n'],
])('%s rejects %j before anything is done', async (command, args, stderr) => {
  expect(await project.run(command, args)).toEqual({ code: 2, stdout: '', stderr })
  expect(project.left()).toEqual([])
})
