// Unleash as the tests of the import meet it: the answers of the real server, which `RECORD=1` starts with PostgreSQL and records.
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startUnleash, type Unleash } from '../../bench/api/unleash'
import type { Json } from './service'
import { fillUnleash } from './unleash-features'

export type UnleashService = Pick<Unleash, 'url' | 'headers' | 'stop'>

/** What the playground says of each person, by the context of the request: the features that are on, as `name` or `name=variant`. */
interface Evaluations {
  features: string[]
  people: Record<string, string>
}

const TOKEN = '*:*.recorded'
const PLAYGROUND = '/api/admin/playground'

/** The other requests of an import, with the files of their answers. */
const FILES: Readonly<Record<string, string>> = {
  '/api/admin/environments': 'environments.json',
  '/api/admin/features-batch/export': 'export.json',
  '/api/admin/segments': 'segments.json',
}
const PEOPLE = 'playground.json'

const pathOf = (file: string) => join(import.meta.dirname, 'unleash-shapes', file)
const read = <T = unknown>(file: string): T => JSON.parse(readFileSync(pathOf(file), 'utf8')) as T
const write = (file: string, value: unknown) =>
  writeFileSync(pathOf(file), `${JSON.stringify(value, null, 2)}\n`)

export const serveUnleash = (): Promise<UnleashService> => (process.env.RECORD ? record() : replay())

type Answer = (path: string, body: string, request: IncomingMessage) => Promise<[status: number, body: Json]>

async function serve(answer: Answer): Promise<{ server: Server; url: string }> {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const [status, body] = await answer(request.url!, Buffer.concat(chunks).toString(), request)
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const contextOf = (body: string) => JSON.stringify((JSON.parse(body) as Json).context)

async function replay(): Promise<UnleashService> {
  const evaluations = read<Evaluations>(PEOPLE)
  const { server, url } = await serve(async (path, body, { headers }) => {
    if (headers.authorization !== TOKEN) return [401, { message: 'You need to authenticate' }]
    if (FILES[path]) return [200, read(FILES[path])]
    const recorded = path === PLAYGROUND ? evaluations.people[contextOf(body)] : undefined
    if (recorded === undefined) return [404, { message: `Not recorded: ${path} ${body}` }]
    const variants = new Map(recorded.split(' ').map((each) => each.split('=') as [string, string]))
    const features = evaluations.features.map((name) => {
      const variant: string | undefined = variants.get(name)
      const isEnabled = variants.has(name)
      return { name, isEnabled, variant: variant ? { name: variant, enabled: true } : NO_VARIANT }
    })
    return [200, { features }]
  })
  return { url, headers: { Authorization: TOKEN }, stop: async () => void server.close() }
}

const NO_VARIANT = { name: 'disabled', enabled: false }

interface Evaluated {
  name: string
  isEnabled: boolean
  variant?: { name: string; enabled: boolean } | null
}

/** The real server, with what it answers kept for the end. */
async function record(): Promise<UnleashService> {
  const unleash = await startUnleash()
  if (!unleash) throw new Error('PostgreSQL is not installed.')
  await fillUnleash(unleash)
  const evaluations: Evaluations = { features: [], people: {} }
  const answers = new Map<string, unknown>()
  const { server, url } = await serve(async (path, body, { method, headers }) => {
    const response = await fetch(unleash.url + path, {
      method: method!,
      headers: { 'Content-Type': 'application/json', Authorization: headers.authorization ?? '' },
      ...(body === '' ? {} : { body }),
    })
    const answer = (await response.json()) as Json
    if (path === PLAYGROUND) {
      const features = answer.features as Evaluated[]
      evaluations.features = features.map(({ name }) => name)
      evaluations.people[contextOf(body)] = features
        .filter(({ isEnabled }) => isEnabled)
        .map(({ name, variant }) => (variant?.enabled ? `${name}=${variant.name}` : name))
        .join(' ')
    } else answers.set(path, answer)
    return [response.status, answer]
  })
  return {
    url,
    headers: unleash.headers,
    async stop() {
      server.close()
      await unleash.stop()
      for (const [path, answer] of answers) write(FILES[path]!, answer)
      write(PEOPLE, evaluations)
    },
  }
}
