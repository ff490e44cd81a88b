// Builds of materialized rows (reference/endpoints-api.md §5.1).
import { describe, expect, it } from 'vitest'
import { event, sendEach } from '../../support/capture'
import { hogql } from '../../support/endpoints'
import { createMaterializingTenant, materializationRow, materializedTables } from '../../support/materialization'

const QUERY = 'SELECT event, count() AS n FROM events GROUP BY event ORDER BY n DESC, event'

describe('a build', () => {
  it('begins when a version is enabled, and its rows are there when it ends', async () => {
    const tenant = await createMaterializingTenant()
    await sendEach(tenant, [event('a'), event('b'), event('b')])
    const made = await tenant.endpoint({ query: hogql(QUERY), is_materialized: true })
    expect(made).toMatchObject({
      is_materialized: false,
      materialization: { enabled: true, ready: false, status: 'Running', last_materialized_at: null, error: '' },
    })
    expect(tenant.waiting).toEqual([{ projectId: tenant.projectId, versionId: made.current_version_id }])
    expect(await tenant.consume()).toEqual({ retried: 0, acked: 1 })
    expect(tenant.faults).toEqual([])
    const row = await materializationRow(made.current_version_id)
    expect(row).toMatchObject({ status: 'Completed', generation: 1, building: null, buildToken: null })
    expect(Object.values(await materializedTables(row!.id))).toEqual([1])
  })
})
