// Persons, groups and events whose order of arrival is not that of their times: an import reads them in order of time.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { property, where } from '../../support/filters'
import { createProject, type Project } from '../project'
import { type Json, serveProject, type ServedProject } from './service'

const PATIENT = { timeout: 180_000 }

let folder: Project
const servers: Server[] = []

beforeAll(() => {
  folder = createProject({})
})
afterAll(() => {
  folder.remove()
  for (const server of servers) server.close()
})

const MOVED = ['--with', 'persons,events', '--apply', '--people=20']
const SAME = 'The flags of both sides say the same of 20 people'

const runImport = (
  source: ServedProject,
  target: Pick<ServedProject, 'url' | 'id' | 'key'>,
  args: readonly string[] = MOVED,
) =>
  folder.run(
    'import',
    [
      '--from=halyard',
      `--url=${source.url}`,
      `--project=${source.id}`,
      `--to-url=${target.url}`,
      `--to-project=${target.id}`,
      ...args,
    ],
    { IMPORT_KEY: source.key, HALYARD_KEY: target.key },
  )

const at = (day: number) => `2026-10-${String(day).padStart(2, '0')}T00:00:00.000Z`

const event = (distinctId: string, day: number, properties: Json, name = 'visited'): Json => ({
  event: name,
  distinct_id: distinctId,
  timestamp: at(day),
  properties,
})

const group = (day: number, set: Json): Json =>
  event('ada', day, { $group_type: 'company', $group_key: 'acme', $group_set: set }, '$groupidentify')

/** A project whose later events arrived first. */
async function serveDisordered(name: string): Promise<ServedProject> {
  const source = await serveProject(name)
  await source.capture([
    event('ada', 9, { $set: { age: 50, gone: 1 }, $set_once: { first: 'late' }, $browser: 'Chrome' }),
    event('ada', 10, { $anon_distinct_id: 'ada-1' }, '$identify'),
    event('bob', 8, { $set: { age: 20 } }),
    group(9, { size: 5, plan: 'paid' }),
  ])
  await source.capture([
    event('ada', 3, { $set: { age: 30 }, $set_once: { first: 'early' }, $unset: ['gone'] }),
    event('bob', 2, { $set: { age: 40 }, $groups: { company: 'acme' } }),
    // Ada was identified by then, so that this merges nothing.
    event('bob', 4, { $anon_distinct_id: 'ada' }, '$identify'),
    group(3, { size: 2 }),
    ...Array.from({ length: 12 }, (_, number) =>
      event('cleo', 5, { alias: `cleo-${number}` }, '$create_alias'),
    ),
  ])
  const adult = { key: 'age', type: 'person', operator: 'gt', value: '35' }
  await source.call('POST', 'feature_flags/', { key: 'adult', filters: where(property(adult)) })
  return source
}

const peopleIn = async (project: ServedProject) => ({
  persons: await project.rows(
    'SELECT d.distinct_id, p.properties, p.created_at FROM person_distinct_ids AS d INNER JOIN persons AS p ON p.id = d.person_id ORDER BY d.distinct_id',
  ),
  merged: await project.rows(
    'SELECT min(distinct_id), count() FROM person_distinct_ids GROUP BY person_id ORDER BY min(distinct_id)',
  ),
  groups: await project.rows('SELECT key, properties, created_at FROM groups ORDER BY key'),
  events: await project.rows(
    'SELECT uuid, event, timestamp, distinct_id, properties FROM events ORDER BY timestamp, uuid',
  ),
})

const propertiesOf = async (project: ServedProject, distinctId: string) =>
  JSON.parse(
    String(
      (
        await project.rows(
          `SELECT p.properties FROM person_distinct_ids AS d INNER JOIN persons AS p ON p.id = d.person_id WHERE d.distinct_id = '${distinctId}'`,
        )
      )[0]![0],
    ),
  ) as Json

describe('an import with persons and events', PATIENT, () => {
  it('gives persons and groups what they have at the source, however the events arrived', async () => {
    const source = await serveDisordered('Disordered')
    const target = await serveProject('Empty')
    const first = await runImport(source, target)
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(
      /\n(Events: \[.*\n)+Events: 20 moved\.\n(Groups: \[.*\n)+Groups: 1 moved\.\n/,
    )
    expect(first.stdout).toContain(`${SAME} (3 of the source, as each side has stored them, 17 made up).\n`)
    const there = await peopleIn(source)
    expect(await propertiesOf(source, 'ada')).toEqual(
      expect.objectContaining({ age: 30, first: 'late', $browser: 'Chrome' }),
    )
    expect(there.merged).toEqual([
      ['ada', 2],
      ['bob', 1],
      ['cleo', 13],
    ])
    expect(await peopleIn(target)).toEqual(there)

    const again = await runImport(source, target)
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).toContain('\n0 written.\n')
    expect(await peopleIn(target)).toEqual(there)
  })

  it('comes to the same by a file', async () => {
    const source = await serveDisordered('Exported in disorder')
    const target = await serveProject('Of a file')
    const key = { HALYARD_KEY: source.key }
    await folder.run(
      'export',
      [join(folder.folder, 'd.jsonl'), `--url=${source.url}`, `--project=${source.id}`],
      key,
    )
    const args = ['--from=file', 'd.jsonl', `--to-url=${target.url}`, `--to-project=${target.id}`, ...MOVED]
    for (const _ of ['first', 'again']) {
      expect(await folder.run('import', args, key)).toMatchObject({ code: 0, stderr: '' })
      expect(await peopleIn(target)).toEqual(await peopleIn(source))
    }
  })

  it('keeps what a person or group has here, unless it overwrites', async () => {
    const source = await serveDisordered('Known')
    const target = await serveProject('Has persons')
    await target.capture([
      event('ada-1', 1, { $set: { age: 90, own: true } }),
      group(1, { size: 1 }),
      event('dora', 1, { $set: { age: 2 } }),
    ])
    const first = await runImport(source, target)
    // The check sees the age that ada has here.
    expect(first.code).toBe(1)
    expect(first.stdout).toContain('\n  adult: 1 people\n    ada: false there, true here\n')
    const own = { age: 90, own: true, first: 'late', $browser: 'Chrome', $initial_browser: 'Chrome' }
    expect(await propertiesOf(target, 'ada')).toEqual(own)
    expect(await propertiesOf(target, 'dora')).toEqual({ age: 2 })
    expect((await peopleIn(target)).groups).toMatchObject([['acme', '{"size":1}', expect.anything()]])

    expect(await runImport(source, target, [...MOVED, '--overwrite'])).toMatchObject({ code: 0 })
    expect(await propertiesOf(target, 'ada')).toEqual({ ...own, age: 30 })
    expect((await peopleIn(target)).groups).toMatchObject([
      ['acme', '{"size":2,"plan":"paid"}', expect.anything()],
    ])
  })

  it('takes what newer events of the source set, and no older ones again', async () => {
    const source = await serveDisordered('Goes on')
    const target = await serveProject('Follows')
    expect(await runImport(source, target)).toMatchObject({ code: 0 })
    await target.capture([event('ada', 11, { $set: { age: 31 } })])
    await source.capture([
      event('bob', 12, { $set: { age: 60 } }),
      event('emil', 12, { $set: { age: 70 } }),
      event('cleo', 10, { late: true }),
    ])
    const second = await runImport(source, target)
    expect(second).toMatchObject({ code: 0, stderr: '' })
    expect(await Promise.all(['ada', 'bob', 'emil'].map((id) => propertiesOf(target, id)))).toMatchObject([
      { age: 31 },
      { age: 60 },
      { age: 70 },
    ])
    const late = "SELECT count() FROM events WHERE distinct_id = 'cleo' AND event = 'visited'"
    expect(await target.rows(late)).toEqual([[1]])
  })

  it.each(['"event_only":true', '"$merge_dangerously"'])(
    'continues after an end at a request with %s',
    async (part) => {
      const source = await serveDisordered('Cut')
      const target = await serveProject('Continued')
      let isCut = true
      const url = await serveInFront(target.url, (body) => isCut && body.includes(part))
      const cut = await runImport(source, { ...target, url })
      expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining('answered 400: Cut.') })
      isCut = false
      expect(await runImport(source, { ...target, url })).toMatchObject({ code: 0, stderr: '' })
      expect(await peopleIn(target)).toEqual(await peopleIn(source))
    },
  )
})

/** Passes requests on, but for events that are cut off. */
async function serveInFront(url: string, isCut: (body: string) => boolean): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      if (request.url === '/batch/' && isCut(body.toString()))
        return void response.writeHead(400).end(JSON.stringify({ detail: 'Cut.' }))
      const { authorization = '', prefer = '', 'content-type': type = '' } = request.headers
      const headers = {
        Authorization: authorization,
        Prefer: String(prefer),
        'Content-Type': type,
      }
      void fetch(`${url}${request.url}`, {
        method: request.method!,
        headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
        ...(body.length > 0 ? { body } : {}),
      }).then(async (answer) =>
        response
          .writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' })
          .end(await answer.text()),
      )
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
