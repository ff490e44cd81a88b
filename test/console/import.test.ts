// The errors of an import's form, and the parts of its progress.
import { describe, expect, it } from 'vitest'
import { Problem } from '../../src/console/api/problem'
import { type Draft, EMPTY, fieldErrorsOf, missingIn, streamsOf } from '../../src/console/import/draft'
import { begun, reported } from '../../src/console/import/run-state'
import { CallError } from '../../src/import/call'
import { InputError } from '../../src/import/model'

const draft: Draft = { ...EMPTY, url: ' https://eu.posthog.com/ ', key: 'phx_a', project: '1' }
const url = 'https://eu.posthog.com'

describe('an import', () => {
  it.each<[Partial<Draft>, string[]]>([
    [{}, []],
    [{ url: 'eu.posthog.com' }, ['url']],
    [{ url: 'ftp://eu.posthog.com' }, ['url']],
    [{ url: '', key: ' ', project: '' }, ['url', 'key', 'project']],
    [{ kind: 'unleash', project: '' }, []],
    [{ kind: 'file', url: '' }, ['file']],
  ])('with %j misses %j', (change, fields) => {
    expect(Object.keys(missingIn({ ...draft, ...change }))).toEqual(fields)
  })

  it.each<[unknown, string | null]>([
    [new CallError(401, 'wrong', { url }), 'key'],
    [new CallError(403, 'wrong', { url }), 'key'],
    [new CallError(404, 'none', { url }), 'project'],
    [new CallError(302, 'moved', { url }), 'url'],
    [new CallError(null, 'away', { url }), 'url'],
    [new CallError(500, 'broken', { url }), null],
    // Of the target.
    [new CallError(404, 'none', { url: 'https://halyard.example.com' }), null],
    [new Problem('private', 400, 'invalid_input', 'url'), 'url'],
    [new Problem('odd', 400, 'invalid_input', 'path'), null],
    [new InputError('environment', 'must be one of a.'), 'environment'],
    [new Error('broken'), null],
  ])('shows %o at the field %s', (error, field) => {
    expect(Object.keys(fieldErrorsOf(error, draft) ?? {})).toEqual(field === null ? [] : [field])
  })

  it('includes people and events only where the source has them', () => {
    const all = { ...draft, persons: true, events: true }
    expect(streamsOf(all)).toEqual(['person', 'group', 'event'])
    expect(streamsOf({ ...all, kind: 'unleash' })).toEqual([])
  })

  it('measures each part of its progress from its own start', () => {
    const at = (of: 'event' | 'person', done: number) => ({ kind: 'progress', of, done, total: 9 }) as const
    const first = reported(begun(true), at('event', 0), 1_000)
    const second = reported(first, at('event', 5), 3_000)
    expect(second.progress).toEqual({ ...at('event', 5), since: 1_000 })
    expect(reported(second, at('person', 0), 4_000).progress?.since).toBe(4_000)
    const moved = reported(second, { kind: 'moved', stream: 'event', rows: 9, refusals: [] }, 5_000)
    expect(moved).toMatchObject({ progress: null, moved: [{ rows: 9 }] })
  })
})
