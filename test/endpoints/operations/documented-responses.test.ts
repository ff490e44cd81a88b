// Answers whose whole shape the document declares: those that not every request gets to see.
import { Validator } from '@cfworker/json-schema'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApi } from '../../support/generated'
import { createTenant, type Tenant } from '../../support/tenant'

interface Document {
  components: { schemas: Record<string, Record<string, unknown> & { examples?: unknown[] }> }
}

const { components } = openApi<Document>()

/** Whether a value is what the document says of a schema, without a field that it does not name. */
const isDeclared = (name: string, value: unknown): boolean => {
  const schema = { ...components.schemas[name], additionalProperties: false, components }
  return new Validator(schema, '2020-12').validate(value).valid
}

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  const { status } = await tenant.post(tenant.endpoints(), components.schemas.CreateEndpoint?.examples?.[0])
  expect(status).toBe(201)
})

describe('the document', () => {
  it('declares every field of a run, those for debugging among them', async () => {
    const bodies = [{}, { limit: 1 }, { debug: true }]
    for (const sent of bodies) {
      const { body } = await tenant.post(tenant.endpoints('top-events/run'), sent)
      expect(body.name).toBe('top-events')
      expect([sent, isDeclared('EndpointRun', body)]).toEqual([sent, true])
    }
  })

  it('declares the body for an unknown version', async () => {
    const { body } = await tenant.post(tenant.endpoints('top-events/run'), { version: 9 })
    expect(body).toEqual({ error: "Version 9 not found for endpoint 'top-events'", current_version: 1 })
    expect(isDeclared('NoSuchVersion', body)).toBe(true)
  })

  it('declares the body of a 405', async () => {
    const { body } = await tenant.post(tenant.endpoints('bulk_update_tags'), {})
    expect(isDeclared('ErrorDetail', body)).toBe(true)
  })

  it('declares every field of an endpoint’s document', async () => {
    const { body } = await tenant.get(tenant.endpoints('top-events/openapi.json'))
    expect(body.openapi).toBe('3.0.3')
    expect(isDeclared('EndpointsOpenapiRetrieveResponse', body)).toBe(true)
  })

  it.each([
    ['CreateEndpoint', {}],
    ['CreateEndpoint', { name: 'a' }],
    ['LastExecutionTimes', {}],
  ])('requires of %s what the service requires of %j', async (name, body) => {
    expect(isDeclared(name, body)).toBe(false)
    const path = name === 'CreateEndpoint' ? tenant.endpoints() : tenant.endpoints('last_execution_times')
    expect(await tenant.post(path, body)).toMatchObject({ status: 400, body: { code: 'required' } })
  })
})
