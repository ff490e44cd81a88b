// The samples of the reference and the commands of the guides, each pasted into a shell as it stands.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Validator } from '@cfworker/json-schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differencesFrom, runSteps, stepsIn, syntaxErrors } from './guide-shell'
import { playModel, says } from '../support/server/model'
import { type ServedWorker, serveWorker } from '../support/server/served-worker'

type Json = Record<string, unknown>

interface Documented {
  operationId: string
  responses: Record<string, { content?: Record<string, { schema: Json }> }>
  'x-codeSamples': { label: string; source: string }[]
}

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../src/public/openapi.json'), 'utf8'),
) as { paths: Record<string, Record<string, Documented>>; components: Json }

const samplesIn = (label: string) =>
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) =>
      operation['x-codeSamples']
        .filter((sample) => sample.label === label)
        .map(({ source }) => [operation.operationId, source, operation] as const),
    )

/** What success is: the lowest status that is no error of a caller who may call; there are operations that are there to be rejected. */
const successOf = ({ responses }: Documented): string =>
  Object.keys(responses).find((status) => Number(status) < 400) ?? '405'

let worker: ServedWorker
/** Where the shell is at home: with curl told to say how each call ended. */
let home: string
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  const model = await playModel(Array.from({ length: 10 }, () => says(null, 'Every group is needed.')))
  worker = await serveWorker({ bindings: model.bindings })
  const { personalApiKey, projectApiToken, email, password, userUuid } = worker.credentials
  home = mkdtempSync(join(tmpdir(), 'halyard-samples-'))
  writeFileSync(join(home, '.curlrc'), 'write-out = "%{stderr}%{http_code} %{method} %{url}\\n"\n')
  environment = {
    ...process.env,
    HOME: home,
    HALYARD: worker.url,
    KEY: personalApiKey,
    TOKEN: projectApiToken,
    JAR: join(home, 'cookies'),
  }
  await paste(
    `curl -s -c $JAR $HALYARD/api/login/ -H 'Content-Type: application/json' -d '${JSON.stringify({ email, password })}'`,
  )
  // What comes of signing in at a chat provider, which test/conformance/chat/chat-link.test.ts does.
  for (const chatUser of ['U1', 'U2', 'U3']) {
    await worker.database
      .prepare(
        `INSERT INTO chat_links (id, user_id, workspace_id, chat_user_id, scope, created_at, linked_at)
          SELECT ?1, id, 'T1', ?2, 'openid', ?3, ?3 FROM users WHERE uuid = ?4`,
      )
      .bind(crypto.randomUUID(), chatUser, new Date().toISOString(), userUuid)
      .run()
  }
})
afterAll(async () => {
  await worker?.stop()
  if (home) rmSync(home, { recursive: true })
})

interface Pasted {
  /** By call, in order. */
  statuses: string[]
  /** What the shell said besides. */
  complaints: string[]
  output: string
}

function paste(source: string): Promise<Pasted> {
  return new Promise((resolve) => {
    execFile('bash', ['-c', source], { env: environment, cwd: home }, (_failure, output, errors) => {
      const lines = errors.split('\n').filter(Boolean)
      const ends = lines.map((line) => /^(\d{3}) [A-Z]+ http/.exec(line)?.[1])
      resolve({
        statuses: ends.filter((status) => status !== undefined),
        complaints: lines.filter((_, index) => ends[index] === undefined),
        output,
      })
    })
  })
}

/** What is wrong with what came, under what is documented. */
function faultsOf(output: string, content: Record<string, { schema: Json }> | undefined): string[] {
  const body = output.startsWith('HTTP/1.1 ') ? output.slice(output.indexOf('\r\n\r\n') + 4) : output
  if (!content) return body === '' ? [] : [`a body where none is documented: ${body}`]
  const [[type, { schema }]] = Object.entries(content) as [[string, { schema: Json }]]
  if (type === 'image/svg+xml') return /^<svg .*<\/svg>$/s.test(body) ? [] : [`no picture: ${body}`]
  if (type === 'text/event-stream') return body.includes('\ndata: ') ? [] : [`no events: ${body}`]
  const validator = new Validator({ ...schema, components: document.components }, '2020-12', false)
  return validator
    .validate(JSON.parse(body))
    .errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}

/** Calls that are rejected on the way, and have to be: a password is not enough where there is a second factor, and a change that needs approval becomes a request. */
const REFUSED_ON_THE_WAY: Record<string, string[]> = {
  login_token_create: ['401'],
  change_requests_retrieve: ['409'],
  change_requests_approve_create: ['409'],
  change_requests_reject_create: ['409'],
  change_requests_cancel_create: ['409'],
}

// First: they expect an empty project.
describe('the commands of', () => {
  it.each([
    ['README.md', 3],
    ['src/docs/guide/tour.md', 18],
    ['src/docs/guide/flags.md', 12],
    ['src/docs/guide/cohorts.md', 8],
    ['src/docs/guide/local-evaluation.md', 3],
    ['src/docs/guide/saved-queries.md', 9],
    ['src/docs/guide/rolling-out.md', 6],
  ])('%s give what it shows', { timeout: 60_000 }, async (page, count) => {
    const folder = join(home, page.replaceAll('/', '-'))
    mkdirSync(join(folder, '.dev'), { recursive: true })
    writeFileSync(join(folder, '.curlrc'), 'write-out = "\\n"\n')
    const { personalApiKey, projectApiToken, email, password } = worker.credentials
    writeFileSync(
      join(folder, '.dev/credentials.json'),
      JSON.stringify({
        base_url: worker.url,
        personal_api_key: personalApiKey,
        project_api_token: projectApiToken,
        email,
        password,
      }),
    )
    const steps = stepsIn(readFileSync(join(import.meta.dirname, '../..', page), 'utf8'))
    expect(steps.length).toBeGreaterThanOrEqual(count)
    const { responses, errors } = await runSteps(steps, folder)
    expect(errors).toBe('')
    expect(syntaxErrors(steps, folder)).toEqual([])
    for (const [index, { commands, shown }] of steps.entries()) {
      const found = responses[index]!
      const compared = found.slice(found.length - shown.length)
      expect({
        commands,
        differences: shown.flatMap((text, at) => differencesFrom(text, compared[at])),
        // An error is in the guide as one.
        errors: found.slice(0, found.length - shown.length).filter((each) => isError(each)),
      }).toEqual({ commands, differences: [], errors: [] })
    }
  })

  const isError = (response: unknown) =>
    typeof response === 'object' &&
    response !== null &&
    'type' in response &&
    String(response.type).endsWith('_error')
})

const TWIN = 'environments_'
const samples = samplesIn('curl')

it('the curl of an operation under an environment is that of the same operation under a project', () => {
  const sources = new Map(samples.map(([id, source]) => [id, source]))
  const twins = samples.filter(([id]) => id.startsWith(TWIN))
  expect(twins.length).toBeGreaterThan(20)
  for (const [id, source] of twins)
    expect(source.replaceAll('/api/environments/', '/api/projects/'), id).toBe(
      sources.get(id.slice(TWIN.length)),
    )
})

const different = samples.filter(([id]) => !id.startsWith(TWIN))

/** What an organization has one of: each sample would take it from the others. */
const isAlone = ([id]: (typeof samples)[number]) => id.includes('_sso_')

const itAnswers = (some: typeof samples) =>
  it.each(some)('%s', async (_, source, operation) => {
    const { statuses, complaints, output } = await paste(source)
    const success = successOf(operation)
    expect({
      complaints,
      refused: statuses.slice(0, -1).filter((status) => !status.startsWith('2')),
      answered: statuses.at(-1) === success || `${statuses.at(-1)} ${output}`,
    }).toEqual({ complaints: [], refused: REFUSED_ON_THE_WAY[operation.operationId] ?? [], answered: true })
    expect(faultsOf(output, operation.responses[success]?.content)).toEqual([])
  })

describe.concurrent('the curl of', () => itAnswers(different.filter((each) => !isAlone(each))))
describe('one after the other, the curl of', () => itAnswers(different.filter(isAlone)))
