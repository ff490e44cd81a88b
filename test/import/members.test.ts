// Members of static cohorts in repeated imports.
import { expect, it } from 'vitest'
import { event, mergeDangerously, sendEach } from '../support/capture'
import { createTenant } from '../support/tenant'
import { importLines, memoryOf } from './support'

it('removes persons that left at the source, by all of their distinct ids', async () => {
  const tenant = await createTenant()
  await sendEach(tenant, [event('ada'), event('device'), event('bob'), mergeDangerously('ada', 'device')])
  const memory = memoryOf()
  const take = (members: readonly string[]) =>
    importLines(
      tenant,
      [{ kind: 'cohort', key: 'Testers', value: { name: 'Testers', is_static: true }, members }],
      { memory },
    )
  const members = async () => {
    const cohorts = `/api/projects/${tenant.projectId}/cohorts/`
    const [{ id }] = (await tenant.get(cohorts)).body.results
    const { results } = (await tenant.get(`${cohorts}${id}/persons/`)).body
    return results.map(({ distinct_ids: ids }: { distinct_ids: string[] }) => ids.toSorted())
  }
  expect((await take(['ada', 'bob'])).isWhole).toBe(true)
  expect(await members()).toHaveLength(2)
  expect((await take(['device'])).isWhole).toBe(true)
  expect(await members()).toEqual([['ada', 'device']])
})
