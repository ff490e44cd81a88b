// What commands print when they are called wrongly: one line, and exit code 2. None of them begins to serve.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
  'rotate',
  'clickhouse',
  'reset-password',
  'import',
  'export',
  'verify',
  'migration',
  'openapi',
]

it.each(COMMANDS)('%s rejects an unknown option', async (command) => {
  expect(await project.runHere(command, ['--nonsense'])).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^Unknown option '--nonsense'\. (The options are --[a-z-]+(, --[a-z-]+)*|The command has none)\. --help says more\.\n$/,
    ),
  })
})

it.each([
  ['start', ['--port', '9000', '--port', '9001'], 'port'],
  ['restore', ['--from-bucket', 'latest', '--from-bucket=2026-01-01'], 'from-bucket'],
  ['backup', ['--remote', '--remote'], 'remote'],
] as const)('%s rejects an option that is given twice', async (command, args, name) => {
  expect(await project.runHere(command, args)).toEqual({
    code: 2,
    stdout: '',
    stderr: `--${name} is given twice. Give it once.\n`,
  })
})

describe('an option without `--` before it, which npm takes for its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-npm-'))
  beforeAll(() => {
    const scripts = { show: `node -p 'JSON.stringify(process.env)'` }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Returns what npm puts into the environment of a script for these options. */
  function settingsOf(options: readonly string[]): Record<string, string> {
    const shown = execFileSync('npm', ['run', '--silent', 'show', ...options], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const all = Object.entries(JSON.parse(shown) as Record<string, string>)
    return Object.fromEntries(all.filter(([name]) => name.startsWith('npm_config_')))
  }

  /** Their options --plan and --apply are letters for npm; what it makes of the others follows from their names. */
  const ASKED_OF_NPM = new Set(['deploy', 'import'])

  const derivedFrom = (options: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      options.map((option) => {
        const [, no, name, value = 'true'] = /^--(no-)?([^=]*)(?:=(.*))?$/.exec(option)!
        return [`npm_config_${name!.replaceAll('-', '_')}`, no ? '' : value]
      }),
    )

  it.each([...COMMANDS, 'flags'])('%s does nothing, and names each of its options', async (command) => {
    const help = await project.runHere(command, ['--help'])
    const options = [...help.stdout.matchAll(/^ {2}(--[a-z-]+)( [A-Z]+)?/gm)]
      .map(([, name, value]) => (value ? `${name}=9` : name!))
      // A command that lacks it asks, or refuses what needs it.
      .filter((option) => option !== '--yes')
    if (options.length === 0) return
    const { code, stdout, stderr } = await project.runHere(
      command,
      [],
      ASKED_OF_NPM.has(command) ? settingsOf(options) : derivedFrom(options),
    )
    expect({ code, stdout }).toEqual({ code: command === 'flags' ? 1 : 2, stdout: '' })
    const [, typed = ''] =
      /^npm takes options .* Type: npm (?:start|run [a-z:-]+) -- (.*)\n$/.exec(stderr) ?? []
    expect(typed.split(' ').toSorted()).toEqual([...new Set(options)].toSorted())
    expect(project.left()).toEqual([])
  })

  it('is named as it is typed after `--`', async () => {
    const call = 'npm takes options for its own that do not stand after `--`. Type: npm'
    for (const [command, args, env, typed] of [
      ['deploy', ['staging'], { npm_config_env: 'true' }, 'run deploy -- --env …'],
      [
        'deploy',
        [],
        { npm_config_env: 'staging', npm_config_wait: '' },
        'run deploy -- --env=staging --no-wait',
      ],
      ['start', ['9000'], { npm_config_prot: 'true' }, 'start -- --port …'],
      ['dev', [], { npm_config_port: '9000' }, 'run dev -- --port=9000'],
    ] as const)
      expect((await project.runHere(command, args, env)).stderr).toBe(`${call} ${typed}\n`)
  })

  it('is not a setting of npm, nor an option that also stands after `--`', async () => {
    const npmrc = join(project.folder, 'npmrc')
    writeFileSync(npmrc, 'email = ada@example.com\n')
    const env = { npm_config_email: 'ada@example.com', npm_config_userconfig: npmrc, npm_config_yes: 'true' }
    const wrong = '--after-restore is for a deployed service'
    expect((await project.runHere('setup', ['--after-restore'], env)).stderr).toContain(wrong)
    rmSync(npmrc)
    const args = ['--after-restore', '--email', 'ada@example.com']
    expect((await project.runHere('setup', args, env)).stderr).toContain(wrong)
  })

  it('is refused as npm starts the command', async () => {
    const { code, stdout, stderr } = await project.npm(['run', '--silent', 'backup', 'folder', '--remote'])
      .ended
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Type: npm run backup -- --remote …\n')
    expect(project.left()).toEqual([])
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
  expect(await project.runHere('flags', args.split(' '))).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(message),
  })
})

it.each<[string, string[], string, number?]>([
  ['start', ['--prot', '9000'], "Unknown option '--prot'. Did you mean --port?\n"],
  ['deploy', ['--dryrun'], "Unknown option '--dryrun'. Did you mean --dry-run?\n"],
  ['verify', ['--key', 'phx_1'], "Unknown option '--key'. The options are --url. --help says more.\n"],
  ['start', ['--port', 'http'], '--port must be a number from 0 to 65535, got "http"\n'],
  ['start', ['--port='], '--port must be a number from 0 to 65535, got ""\n'],
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
    ['--from', 'file', 'a.jsonl', '--to-url', 'https://flags.example.com', '--project', '3'],
    '--project is for another source than a file. The target has --to-project.\n',
  ],
  ['import', ['--people', '5', '--no-check'], '--people does not go with --no-check.\n'],
  [
    'reset-password',
    ['--email', 'a@b.co', '--url', 'a.co'],
    '--url must be a URL such as https://flags.example.com, got "a.co".\n',
  ],
  ['setup', ['--email', 'ada'], '"ada" is not an e-mail address.\n', 1],
  ['setup', ['--url', 'a.co'], '--url must be a URL such as https://flags.example.com, got "a.co".\n'],
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
])('%s rejects %j before anything is done', async (command, args, stderr, code = 2) => {
  expect(await project.runHere(command, args)).toEqual({ code, stdout: '', stderr })
  expect(project.left()).toEqual([])
})
