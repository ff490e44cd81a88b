// What creating an endpoint rejects, in which words and in which order; of the query's text, create-query.test.ts has more.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkName } from '../../../src/endpoints/field-checks'
import { refused, seen } from '../../support/responses'
import { hogql } from '../../support/endpoints/endpoints'
import { createTenant, type Tenant } from '../../support/tenant'

const COUNT = hogql('SELECT count() FROM events')

const unreadable = (detail: unknown) => ({
  status: 400,
  body: { type: 'invalid_request', code: 'parse_error', detail, attr: null },
})

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
})
afterAll(async () => {
  // Nothing of what was rejected is created.
  expect((await tenant.get(tenant.endpoints())).body.count).toBe(0)
})

const refusalOf = async (body: unknown) => seen(await tenant.post(tenant.endpoints(), body))

describe('POST endpoints', () => {
  it.each([
    ['an empty body', {}, 'name'],
    ['no query', { name: 'a' }, 'query'],
    ['a query that is null', { name: 'a', query: null }, 'query'],
    ['no name', { query: COUNT }, 'name'],
    ['an empty name', { name: '', query: COUNT }, 'name'],
    ['a name that is null', { name: null, query: COUNT }, 'name'],
  ])('rejects %s', async (_, body, attr) => {
    expect(await refusalOf(body)).toEqual(refused(attr, 'This field is required.', 'required'))
  })

  it.each([
    '1a',
    '-a',
    '_a',
    'a b',
    'a/b',
    'a.b',
    'é',
    'a\n',
    `a${'b'.repeat(128)}`,
    'last_execution_times',
    'materialization_conditions',
    'bulk_update_tags',
  ])('rejects the name %j', (name) => {
    expect(() => checkName(name)).toThrow(
      expect.objectContaining({ attr: 'name', detail: expect.stringContaining(`Invalid name '${name}'.`) }),
    )
  })

  it.each(['a b', 'bulk_update_tags'])('rejects the name %j in a request', async (name) => {
    expect(await refusalOf({ name, query: COUNT })).toMatchObject(
      refused('name', expect.stringContaining(`Invalid name '${name}'.`) as unknown as string),
    )
  })

  it.each([
    ['deleted', true, 'A new endpoint cannot be deleted.'],
    ['version', 'x', 'Must be an integer, got: x'],
    ['version', 1.5, 'Must be an integer, got: 1.5'],
    ['version', {}, 'Must be an integer, got: {}'],
  ])('rejects %s: %j', async (attr, value, detail) => {
    expect(await refusalOf({ name: 'a', query: COUNT, [attr]: value })).toEqual(refused(attr, detail))
  })

  it('accepts fields of a version that change nothing in a new endpoint', async () => {
    const own = await createTenant()
    for (const more of [{ deleted: false }, { deleted: null, version: null }, { version: 1 }]) {
      expect(await own.endpoint({ query: COUNT, ...more })).toMatchObject({ current_version: 1 })
    }
  })

  it('rejects a name that is taken, in this project', async () => {
    const [own, other] = [await createTenant(), await createTenant()]
    await own.endpoint({ name: 'taken' })
    expect(seen(await own.post(own.endpoints(), { name: 'taken', query: COUNT }))).toEqual(
      refused('name', 'An endpoint with this name already exists for this team.'),
    )
    expect(await other.endpoint({ name: 'taken' })).toMatchObject({ name: 'taken' })
  })

  it.each([
    ['an unknown field', { sync_frequency: '1h' }, /sync_frequency/],
    ['a description that is no text', { description: 5 }, /description/],
    ['freshness that is no integer', { data_freshness_seconds: 'soon' }, /data_freshness_seconds/],
    ['freshness with a fraction', { data_freshness_seconds: 900.5 }, /data_freshness_seconds/],
    ['tags that are no list', { tags: 'a' }, /tags/],
    ['tags that are no texts', { tags: [1] }, /tags/],
    [
      'a query that is text',
      { query: 'SELECT 1' },
      /query: Input should be an object such as \{"kind": "HogQLQuery", "query": "SELECT count\(\) FROM events"\}\.$/,
    ],
    ['a query that is a list', { query: [] }, /query: Input should be an object such as/],
    ['a query without a kind', { query: { query: 'SELECT 1' } }, /query\.kind/],
    ['a query of an unknown kind', { query: { kind: 'MagicQuery' } }, /query\.kind.*HogQLQuery/],
    ['a query of another shape', { query: { kind: 'HogQLQuery', query: 5 } }, /query\.query/],
    ['a query with an unknown key', { query: hogql('SELECT 1', { odd: 1 }) }, /query.*odd/],
    ['a query with odd filters', { query: hogql('SELECT 1', { filters: { odd: 1 } }) }, /filters.*odd/],
    ['a trends query without series', { query: { kind: 'TrendsQuery' } }, /query\.series/],
    ['an inherited kind', { query: { kind: 'constructor' } }, /query\.kind/],
  ])('cannot read %s', async (_, body, detail) => {
    expect(await refusalOf({ name: 'a', query: COUNT, ...body })).toEqual(
      unreadable(expect.stringMatching(new RegExp(`^JSON parse error - .*${detail.source}`))),
    )
  })

  it('rejects other freshness than it offers', async () => {
    expect(await refusalOf({ name: 'a', query: COUNT, data_freshness_seconds: 60 })).toEqual(
      refused(
        'data_freshness_seconds',
        'Data freshness must be one of: [900, 1800, 3600, 21600, 43200, 86400, 604800] seconds ' +
          '(15 minutes, 30 minutes, 1 hour, 6 hours, 12 hours, 24 hours, 7 days).',
      ),
    )
  })

  it('rejects other buckets than it offers', async () => {
    expect(await refusalOf({ name: 'a', query: COUNT, bucket_overrides: { a: 'hour', b: 'year' } })).toEqual(
      refused(
        null,
        'Invalid bucket override values: {"b":"year"}. ' +
          'Valid options: ["minute","fifteen_minutes","hour","day","week","month"]',
      ),
    )
  })

  it('rejects an invalid insight id, and a tag that is too long', async () => {
    expect(await refusalOf({ name: 'a', query: COUNT, derived_from_insight: 'x'.repeat(13) })).toEqual(
      refused('derived_from_insight', 'Ensure this field has no more than 12 characters.', 'max_length'),
    )
    expect(await refusalOf({ name: 'a', query: COUNT, tags: ['🙂'.repeat(256)] })).toEqual(
      refused('tags', 'Ensure this field has no more than 255 characters.', 'max_length'),
    )
  })

  it.each([
    ['tags', ['a', '\ud800'], 'Surrogate characters are not allowed: U+D800.', 'surrogate'],
    ['tags', ['a\0b'], 'Null characters are not allowed.', 'null'],
    ['description', 'a\0b', 'Null characters are not allowed.', 'null'],
    ['description', 'a\udc00', 'Surrogate characters are not allowed: U+DC00.', 'surrogate'],
    ['derived_from_insight', '\0', 'Null characters are not allowed.', 'null'],
  ])('rejects %s that would be kept as something else: %j', async (attr, value, detail, code) => {
    expect(await refusalOf({ name: 'a', query: COUNT, [attr]: value })).toEqual(
      refused(attr, detail, `${code}_characters_not_allowed`),
    )
  })

  it('creates nothing when a requested materialization is rejected, with the reason', async () => {
    const query = hogql('SELECT 1 AS a, 1 AS a')
    expect(await refusalOf({ name: 'a', query, is_materialized: true })).toEqual(
      refused(
        null,
        'Cannot materialize endpoint. Reason: Several columns have the same name: give each an alias of its own',
      ),
    )
    expect(await refusalOf({ name: 'a', query: COUNT, is_materialized: true, is_active: false })).toEqual(
      refused('is_materialized', 'Cannot enable materialization on inactive endpoint.'),
    )
  })

  it('checks the name before the query, and the query before the rest', async () => {
    expect(await refusalOf({ name: '1', query: hogql('SELECT'), data_freshness_seconds: 1 })).toMatchObject({
      body: { attr: 'name' },
    })
    expect(await refusalOf({ name: 'a', query: hogql('SELECT'), data_freshness_seconds: 1 })).toMatchObject({
      body: { attr: 'query' },
    })
  })
})
