// Every command as npm starts it: the script of package.json, and the process.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject, type Project } from './project'

let project: Project
beforeAll(() => {
  project = createProject({})
})
afterAll(() => project.remove())

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

/** By the script that starts it. */
const COMMANDS = Object.entries(scripts).flatMap(([script, line]) => {
  const [, command] = /^exec node --import tsx\/esm src\/cli\/([\w-]+)\.ts$/.exec(line) ?? []
  return command === undefined ? [] : [[script, command] as const]
})

it('starts every command in one process, so that a signal meets the command itself', () => {
  expect(COMMANDS.map(([script]) => script)).toEqual([
    'start',
    'setup',
    'clickhouse:setup',
    'dev',
    'deploy',
    'backup',
    'restore',
    'rotate',
    'import',
    'export',
    'verify',
    'flags',
    'reset-password',
    'migration',
  ])
})

it.concurrent.each<readonly [string, string]>([...COMMANDS, ['openapi', 'openapi']])(
  'npm run %s -- --help prints how it is called',
  async (_, command) => {
    expect(await project.start(command, ['--help']).ended).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^npm (start|run [a-z:-]+)[^]*\.\n/),
      stderr: '',
    })
  },
)
