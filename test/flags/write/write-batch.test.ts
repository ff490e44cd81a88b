// Which writes share a batch.
import { describe, expect, it } from 'vitest'
import { batchLength } from '../../../src/flags/write/write-batch'
import type { FlagWrite } from '../../../src/flags/write/write-types'
import { dependsOn, open, where } from '../../support/filters'

const sent = (fields: object) =>
  ({ actor: {}, project: { id: 1 }, now: 0, ...fields }) as unknown as FlagWrite
const create = sent({ kind: 'create', body: { key: 'new', filters: open() } })
const update = (body: object, more: object = {}) => sent({ kind: 'update', id: 1, body, ...more })
const plain = update({ name: 'x' })
const filtering = update({ filters: open() })
const enabling = update({ active: true })
const restoring = update({ deleted: false })
const disabling = update({ active: false })
const deleting = update({ deleted: true })

describe('one batch commits', () => {
  it.each<[string, FlagWrite[], number]>([
    ['creates', [create, create, create], 3],
    ['updates of any flags', [plain, filtering, filtering, disabling], 4],
    ['updates that enable, with plain ones', [plain, enabling, restoring, plain], 4],
    ['updates that disable, with plain ones', [disabling, plain, deleting], 3],
    ['20 writes at most', Array.from({ length: 30 }, () => plain), 20],
    ['no create with an update', [create, plain], 1],
    ['no update with a create', [plain, plain, create], 2],
    ['no flag that is disabled with one that is enabled', [enabling, plain, deleting], 2],
    ['no filters, which variants may leave, with a flag that is enabled', [enabling, plain, filtering], 2],
    ['a flag that depends on others alone', [update({ filters: where(dependsOn(7)) }), plain], 1],
    ['what comes before a flag that depends on others', [plain, update({ filters: where(dependsOn(7)) })], 1],
    ['a new key alone', [update({ key: 'renamed' }), plain], 1],
    ['an update that enables and deletes alone', [update({ active: true, deleted: true }), plain], 1],
    ['a large write alone', [update({ name: 'x'.repeat(60_000) }), plain], 1],
    ['what comes before a large write', [plain, update({ name: 'x'.repeat(60_000) })], 1],
    ['a scheduled change alone', [update({}, { run: { id: 1 } }), plain], 1],
    ['an approved change alone', [update({}, { approval: { requestId: 'x' } }), plain], 1],
  ])('%s', (_, writes, length) => {
    const sized = writes.map((write) => ({ write, length: JSON.stringify(write.body).length }))
    expect(batchLength(sized)).toBe(length)
  })
})
