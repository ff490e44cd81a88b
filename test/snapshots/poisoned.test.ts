// Definitions that do not parse, as only raw SQL can write them: they fail by themselves, and nothing else does.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { evaluate } from '../../src/evaluation/evaluate'
import { bumpGeneration } from '../../src/storage/flags-generation'
import { inCohort, open, where } from '../support/filters'
import { cohort } from '../support/database/rows'
import { createTenant, database } from '../support/tenant'
import { settled } from '../project/support'
import { reader } from './support'

const SOMEONE = { distinctId: 'someone', personProperties: {} }

describe('a flag that is poisoned', () => {
  it.each([
    ['{"groups": ['],
    ['nonsense'],
    [''],
    ['null'],
    ['[]'],
    ['{"groups": 5}'],
    ['{"groups": [null]}'],
  ])('by %j stays in the snapshot and spares the others', async (text) => {
    const tenant = await createTenant()
    const poisoned = await tenant.flag({ key: 'poisoned', filters: open() })
    await tenant.flag({ key: 'sound', filters: open() })
    await env.DB.prepare('UPDATE feature_flags SET filters = ? WHERE id = ?').bind(text, poisoned.id).run()
    await bumpGeneration(database(), tenant.projectId)
    await reader(tenant).publish(tenant.projectId)
    await settled(tenant)

    const { snapshot, compiled } = (await reader(tenant).load(tenant.projectId))!
    expect(snapshot.flags.map(({ key }) => key)).toEqual(['poisoned', 'sound'])
    const { flags } = evaluate(compiled, SOMEONE, { now: 0, timezone: 'UTC' })
    expect(flags.get('sound')).toMatchObject({ enabled: true })
    expect(flags.get('poisoned')).toMatchObject({ enabled: false })
  })

  it('by its cohort spares the others', async () => {
    const tenant = await createTenant()
    const [bad, good] = [await cohort(tenant), await cohort(tenant)]
    await tenant.flag({ key: 'poisoned', filters: where(inCohort(bad)) })
    await tenant.flag({ key: 'sound', filters: open() })
    await env.DB.prepare('UPDATE cohorts SET filters = ? WHERE id = ?').bind('{"properties":', bad).run()
    await bumpGeneration(database(), tenant.projectId)
    await reader(tenant).publish(tenant.projectId)
    await settled(tenant)
    const { snapshot, compiled } = (await reader(tenant).load(tenant.projectId))!
    expect(snapshot.cohorts.map(({ id }) => id)).toEqual([bad, good])
    const { flags } = evaluate(compiled, SOMEONE, { now: 0, timezone: 'UTC' })
    expect(flags.get('sound')).toMatchObject({ enabled: true })
    expect(flags.get('poisoned')).toMatchObject({ enabled: false })
  })
})
