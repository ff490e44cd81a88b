// Where imports continue in events and files, and what a source that fails means.
import { describe, expect, it } from 'vitest'
import { createClient } from '../../src/import/client'
import { fileSource } from '../../src/import/file/source'
import type { Source } from '../../src/import/model'
import { moveStream, type StreamOptions } from '../../src/import/people'
import { readEvents } from '../../src/import/posthog/people'
import { posthogSource } from '../../src/import/posthog/source'

const reply = (body: unknown, status = 200) => ({
  status,
  text: JSON.stringify(body),
  retryAfter: null,
  location: null,
})

const fileOf = (project: string, exportedAt: string, lines: readonly object[]) => {
  const all = [
    { kind: 'halyard_project', format: 1, exported_at: exportedAt, source: project },
    ...lines,
    { kind: 'end', lines: lines.length + 2 },
  ]
  return new TextEncoder().encode(all.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

const sourceOf = (name: string, bytes: Uint8Array) =>
  fileSource({
    name,
    async *read(start) {
      yield bytes.subarray(start)
    },
  })

const personLine = (id: string) => ({ kind: 'person', row: { distinct_ids: [id], properties: {} } })

/** Moves persons, and returns the first distinct id of each that was sent. */
async function moved(source: Source, streams: StreamOptions['memory']['streams'], overwrite = false) {
  const sent: string[] = []
  const client = createClient({
    url: 'https://halyard.example',
    headers: {},
    key: '',
    say: () => {},
    send: async (_method, _path, body) => {
      for (const { distinct_id: id } of (body as { batch: { distinct_id: string }[] }).batch) sent.push(id)
      return reply({ status: 'Ok' })
    },
  })
  await source.readItems()
  await moveStream('person', {
    source,
    client,
    token: 'phc_t',
    memory: { items: {}, streams, rememberItems: () => {}, rememberStream: () => {} },
    overwrite,
    movesPeople: true,
    groupsHere: async () => new Set(),
    progress: () => {},
    refuse: () => {},
  })
  return sent
}

describe('events', () => {
  const resumeAfter = async (timestamp: string) => {
    const row = ['0197d2a4-0000-7000-8000-000000000001', 'opened', timestamp, 'ada', {}, '']
    const client = createClient({
      url: 'https://posthog.example.com',
      headers: {},
      key: '',
      say: () => {},
      send: async () => reply({ results: [row] }),
    })
    return (await readEvents(client, '/api/projects/1/', null)).resume
  }

  it('continue three days before the newest one, because some arrive late', async () => {
    expect(await resumeAfter('2024-01-10T10:00:00.123456Z')).toBe('2024-01-07T10:00:00.123Z 0')
  })

  it('continue before now after one from a clock that is ahead', async () => {
    const [time] = (await resumeAfter('2999-01-01T00:00:00Z'))!.split(' ')
    expect(Date.parse(time!)).toBeLessThan(Date.now())
  })

  it('begin at the first one with --overwrite, once the last import is complete', async () => {
    const cursors: (string | null)[] = []
    const source = {
      id: 's',
      readItems: async () => [],
      readPage: async (_: unknown, cursor: string | null) => {
        cursors.push(cursor)
        return { rows: [], next: null }
      },
    } as unknown as Source
    const streams = { person: { cursor: 'end', rows: 1, done: true } }
    await moved(source, streams)
    await moved(source, streams, true)
    expect(cursors).toEqual(['end', null])
  })
})

describe('a file', () => {
  it('is that of the project in it, whatever its name', async () => {
    const [first, later, other] = await Promise.all([
      sourceOf('monday.jsonl', fileOf('service A', '2026-01-01T00:00:00Z', [])),
      sourceOf('tuesday.jsonl', fileOf('service A', '2026-01-02T00:00:00Z', [])),
      sourceOf('monday.jsonl', fileOf('service B', '2026-01-01T00:00:00Z', [])),
    ])
    expect(later.id).toBe(first.id)
    expect(other.id).not.toBe(first.id)
  })

  it('continues at a position of the same export only', async () => {
    const bytes = fileOf('a test', '2026-01-01T00:00:00Z', [personLine('ada'), personLine('bob')])
    const source = await sourceOf('p.jsonl', bytes)
    const cursor = String(
      new TextDecoder().decode(bytes).indexOf('{"kind":"person","row":{"distinct_ids":["bob"'),
    )
    const at = (edition: string) => ({ person: { cursor, rows: 1, done: false, edition } })
    expect(await moved(source, at('2026-01-01T00:00:00Z'))).toEqual(['bob'])
    expect(await moved(source, at('2025-12-31T00:00:00Z'))).toEqual(['ada', 'bob'])
  })

  it('may begin with a byte order mark', async () => {
    const text = fileOf('a test', '2026-01-01T00:00:00Z', [personLine('ada')])
    const source = await sourceOf('p.jsonl', new Uint8Array([0xef, 0xbb, 0xbf, ...text]))
    expect(await moved(source, {})).toEqual(['ada'])
  })
})

it.each([
  [403, { true: '"*********"' }, { problem: 'has an encrypted payload that this key cannot read' }],
  [403, {}, { problem: null }],
  [500, { true: '"*********"' }, null],
])('an encrypted payload that answers %i, of %j', async (status, payloads, item) => {
  const filters = { groups: [], payloads }
  const flag = { id: 1, key: 'secret', filters, has_encrypted_payloads: true }
  const source = posthogSource({
    url: 'https://posthog.example.com',
    key: '',
    project: '2',
    say: () => {},
    wait: async () => {},
    send: async (_method, path) => {
      if (path.endsWith('/remote_config/')) return reply({ detail: 'No.' }, status)
      return path.includes('/feature_flags/?limit') ? reply({ results: [flag] }) : reply({ results: [] })
    },
  })
  const reading = source.readItems()
  if (item === null) await expect(reading).rejects.toThrow('answered 500: No.')
  else expect((await reading).find(({ key }) => key === 'secret')).toMatchObject(item)
})
