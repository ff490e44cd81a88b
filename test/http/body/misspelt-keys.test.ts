import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { boolean, integer, text } from '../../../src/http/fields'
import { closestKey, rejectMisspeltKeys } from '../../../src/http/body/misspelt-keys'

const KNOWN = ['id', 'key', 'active', 'created_at', 'rollout_percentage', 'properties', 'tags']

describe('closestKey', () => {
  it.each([
    ['actve', 'active'],
    ['Active', 'active'],
    ['acitve', 'active'],
    ['isActive', 'active'],
    ['live', null],
    ['kye', 'key'],
    ['keys', 'key'],
    ['kid', null],
    ['ID', 'id'],
    ['ic', null],
    ['createdAt', 'created_at'],
    ['created-at', 'created_at'],
    ['rollout_percent', 'rollout_percentage'],
    ['percentage', 'rollout_percentage'],
    ['property', 'properties'],
    ['tag', 'tags'],
    ['team', null],
    ['', null],
    [`active${'_'.repeat(1_000)}`, null],
  ])('of %s is %s', (sent, meant) => {
    expect(closestKey(sent, KNOWN)).toBe(meant)
  })
})

const Body = z.preprocess(
  (body) => body,
  z.object({
    name: text(),
    active: boolean().optional(),
    parts: z
      .array(z.object({ count: integer() }))
      .nullish()
      .default([]),
    map: z.record(z.string(), z.unknown()).optional(),
    free: z.looseObject({ count: integer().optional() }).optional(),
    shaped: z.object({ size: integer() }).optional(),
  }),
)
const Shown = z.object({
  shaped: z.object({ size: z.int(), extra: z.int() }),
  name: z.string(),
  names: z.array(z.string()),
  created_at: z.string(),
})

/** The error for a body; null without one. */
function failure(body: unknown) {
  try {
    rejectMisspeltKeys(body, Body, Shown)
    return null
  } catch (error) {
    const { status, code, attr, detail } = error as Record<string, unknown>
    return { status, code, attr, detail }
  }
}

const unknown = (attr: string, sent: string, meant: string) => ({
  status: 400,
  code: 'unknown_field',
  attr,
  detail: `Unknown field: ${sent}. Did you mean ${meant}?`,
})

describe('rejectMisspeltKeys', () => {
  it.each([
    [{ nmae: 'a' }, unknown('nmae', 'nmae', 'name')],
    [{ name: 'a', Active: false }, unknown('Active', 'Active', 'active')],
    [{ parts: [{ count: 1 }, { cuont: 1 }] }, unknown('parts__1__cuont', 'cuont', 'count')],
    [{ name: 'a', names: [], created_at: 'now' }, null],
    [{ name: 'a', map: { nmae: 1 } }, null],
    [{ name: 'a', personal_api_key: 'phx_1', other: 1 }, null],
    [{ parts: null }, null],
    [
      { parts: [{ count: 1, colour: 'red' }] },
      {
        status: 400,
        code: 'unknown_field',
        attr: 'parts__0__colour',
        detail: 'Unknown field: colour. Known fields: count.',
      },
    ],
    [
      { parts: [{ personal_api_key: 'phx_1' }] },
      {
        status: 400,
        code: 'unknown_field',
        attr: 'parts__0__personal_api_key',
        detail: 'Unknown field: personal_api_key. Known fields: count.',
      },
    ],
    [{ free: { colour: 'red' }, shaped: { size: 1, extra: 2 } }, null],
    [
      Object.fromEntries([...Array.from({ length: 1_000 }, (_, index) => [`x${index}`, 1]), ['nmae', 1]]),
      null,
    ],
    [[{ nmae: 1 }], null],
    ['text', null],
    [null, null],
  ])('of %j', (body, expected) => {
    expect(failure(body)).toEqual(expected)
  })
})
