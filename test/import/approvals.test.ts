// An import into a project whose flags change by approval.
import { expect, it } from 'vitest'
import { policy, requests, rollout, team } from '../flags/approvals/support'
import { clientOf } from '../support/server/api-client'
import { importLines } from './support'

it('sends a change that waits for approval once, names its request, and writes what needs none', async () => {
  const { tenant, grace } = await team()
  const filters = rollout(20)
  const active = await tenant.flag({ key: 'active', filters })
  const inactive = await tenant.flag({ key: 'inactive', active: false, filters })
  await policy(tenant, [grace])
  await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
  await policy(tenant, [grace], { action_key: 'feature_flag.disable' })
  const flag = (key: string, value: object) => ({
    kind: 'flag',
    key,
    value: { filters: rollout(50), ...value },
  })
  const lines = [flag('active', { active: false }), flag('inactive', { active: true }), flag('fresh', {})]
  const sent: string[] = []
  const written = async () => {
    const { isWhole, events } = await importLines(tenant, lines, {
      client: clientOf(tenant, (method, path) => method === 'PATCH' && sent.push(path)),
      overwrite: true,
    })
    const result = events.find((event) => event.kind === 'written')!
    return {
      isWhole,
      count: result.count,
      problems: result.problems.map(({ step, problem }) => `${step.item.key}: ${problem}`),
    }
  }

  const first = await written()
  const { results } = (await tenant.get(requests(tenant))).body
  const requestOf = (id: number) =>
    results.find(({ resource_id: flagId }: { resource_id: string }) => flagId === String(id))
  const [{ id: freshId }] = (await tenant.get(`${tenant.flags()}?search=fresh`)).body.results
  const rest = ' Repeat this then: the rest of the change is not sent yet.'
  expect(first).toEqual({
    isWhole: false,
    count: 0,
    problems: [
      `active: waits for approval: change request ${requestOf(active.id).id}.${rest}`,
      `inactive: waits for approval: change request ${requestOf(inactive.id).id}.${rest}`,
      // It is created disabled.
      `fresh: waits for approval: change request ${requestOf(freshId).id}.`,
    ],
  })
  // A flag is off while its conditions change.
  expect(requestOf(active.id).action_key).toBe('feature_flag.disable')
  expect(requestOf(inactive.id).action_key).toBe('feature_flag.update')
  // Whole, and then its first part.
  expect(sent).toEqual(
    [active.id, active.id, inactive.id, inactive.id, freshId].map((id) => tenant.flags(id)),
  )
  expect((await written()).problems).toEqual([
    `active: an earlier change waits for approval: change request ${requestOf(active.id).id}.${rest}`,
    `inactive: an earlier change waits for approval: change request ${requestOf(inactive.id).id}.${rest}`,
    `fresh: an earlier change waits for approval: change request ${requestOf(freshId).id}.`,
  ])
})
