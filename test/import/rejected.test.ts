// Imports of which the target rejects a part.
import { expect, it } from 'vitest'
import { CallError } from '../../src/import/call'
import { clientOf } from '../support/server/api-client'
import { open } from '../support/filters'
import { createTenant } from '../support/tenant'
import { importLines, memoryOf } from './support'

it('does not overwrite what is created here after the import of it was rejected', async () => {
  const tenant = await createTenant()
  const memory = memoryOf()
  const lines = [{ kind: 'flag', key: 'later', value: { filters: { groups: [{ rollout_percentage: 20 }] } } }]
  const client = clientOf(tenant, (method, path) => {
    if (method === 'POST' && path === tenant.flags()) throw new CallError(400, 'This is no key.')
  })
  expect((await importLines(tenant, lines, { memory, client })).isWhole).toBe(false)
  await tenant.flag({ key: 'later', filters: open() })
  const { events } = await importLines(tenant, lines, { memory })
  expect(events.find((event) => event.kind === 'plan')?.steps).toMatchObject([
    { action: 'kept', reason: 'is here already, with other filters' },
  ])
})
