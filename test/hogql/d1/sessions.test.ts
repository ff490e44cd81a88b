// Sessions that views of pages do not begin, or that have none, on D1.
import { beforeAll, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../../support/tenant'
import { compileQuestion, forD1, rowsOnD1 } from '../corpus/ask'
import { loadIntoD1 } from '../corpus/load-d1'
import { SESSION_QUERIES, SESSIONS_PROJECT } from '../corpus/session-events'

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  await loadIntoD1(tenant.projectId, SESSIONS_PROJECT)
})

it.each(SESSION_QUERIES)(
  'has the first and last view of a session, if it has any: $sql',
  async ({ sql, rows }) => {
    expect(await rowsOnD1(forD1(await compileQuestion({ sql })), { sql }, tenant.projectId)).toEqual(rows)
  },
)
