// What `materialization_status` answers (docs/reference/endpoints.md#life-cycle-of-materialized-rows).
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { endpointVersions } from '../../../drizzle'
import { event, sendEach } from '../../support/capture'
import { createMaterializingTenant, type MaterializingTenant } from '../../support/endpoints/materialization'
import { configuredEndpoint, ENABLED, NONE } from '../../support/endpoints/materialization-settings'
import { database } from '../../support/tenant'

let tenant: MaterializingTenant
beforeEach(async () => {
  tenant = await createMaterializingTenant()
  await sendEach(tenant, [event('a')])
})

describe('materialization_status', () => {
  it('responds in both forms of the path, and with 404 for unknown names', async () => {
    const { name } = await configuredEndpoint(tenant)
    for (const form of ['projects', 'environments']) {
      const path = `/api/${form}/${tenant.projectId}/endpoints/${name}/materialization_status`
      for (const slash of ['', '/']) {
        expect(await tenant.get(path + slash)).toMatchObject({ status: 200, body: { name, ...ENABLED } })
      }
      expect(await tenant.get(`${path}/?version=7`)).toMatchObject({
        status: 404,
        body: { error: 'Version 7 not found' },
      })
      expect(await tenant.get(`${path}/?version=x`)).toMatchObject({ status: 400, body: { attr: 'version' } })
    }
    expect(await tenant.get(tenant.endpoints('nothing/materialization_status'))).toMatchObject({
      status: 404,
    })
  })

  it('checks a query again after a compiler change, and keeps what came of it', async () => {
    const made = await configuredEndpoint(tenant, { is_materialized: false })
    const set = (eligibility: { compiler: number; reason: string } | null) =>
      database()
        .update(endpointVersions)
        .set({ eligibility })
        .where(eq(endpointVersions.id, made.current_version_id))
    for (const outdated of [null, { compiler: 0, reason: 'Not in those days.' }]) {
      await set(outdated)
      expect((await made.version(1)).materialization).toMatchObject({ can_materialize: false })
      expect(await made.status(1)).toMatchObject(NONE)
      expect((await made.version(1)).materialization).toMatchObject(NONE)
    }
  })
})
