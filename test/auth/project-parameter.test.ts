import { describe, expect, it } from 'vitest'
import { open } from '../support/filters'
import { seen } from '../support/responses'
import { createTenant } from '../support/tenant'

const CONFIG = '/api/projects/@current/feature_flags/config/remote_config'

/** Two projects of one user, of which the first is the current one, with a flag of the same key. */
async function twoProjects() {
  const tenant = await createTenant({ level: 8 })
  const { body: second } = await tenant.post('/api/projects/', { name: 'Second' })
  const flagOf = (payload: string) => ({
    key: 'config',
    is_remote_configuration: true,
    filters: open({ payloads: { true: payload } }),
  })
  await tenant.flag(flagOf('1'))
  await tenant.post(`/api/projects/${second.id}/feature_flags/`, flagOf('2'))
  return { tenant, second: { id: second.id as number, token: second.api_token as string } }
}

const UNKNOWN = {
  status: 401,
  body: {
    type: 'authentication_error',
    code: 'authentication_failed',
    detail: 'Incorrect authentication credentials. The parameter token is not the token of a project.',
    attr: null,
  },
}

describe('the parameter token of the management API', () => {
  it('selects the project of @current', async () => {
    const { tenant, second } = await twoProjects()
    const read = async (query: string) => (await tenant.get(`${CONFIG}${query}`)).body
    expect(await read('')).toBe('1')
    expect(await read(`?token=${tenant.projectToken}`)).toBe('1')
    expect(await read(`?token=${second.token}`)).toBe('2')
    const { body } = await tenant.get(`/api/environments/@current/endpoints/?token=${second.token}`)
    expect(body).toMatchObject({ count: 0 })
  })

  it('selects it for writes, too', async () => {
    const { tenant, second } = await twoProjects()
    await tenant.post(`/api/projects/@current/feature_flags/?token=${second.token}`, { key: 'extra' })
    const keysIn = async (project: number) =>
      (await tenant.get(`/api/projects/${project}/feature_flags/`)).body.results.map(
        ({ key }: { key: string }) => key,
      )
    expect((await keysIn(second.id)).toSorted()).toEqual(['config', 'extra'])
    expect(await keysIn(tenant.projectId)).toEqual(['config'])
  })

  it('counts for the projects to which a key is restricted', async () => {
    const { tenant, second } = await twoProjects()
    const restricted = await tenant.withKey({ scopedTeams: [second.id] })
    expect((await restricted.get(CONFIG)).status).toBe(403)
    expect(seen(await restricted.get(`${CONFIG}?token=${second.token}`))).toEqual({ status: 200, body: '2' })
  })

  it.each(['phc_bogus', ''])('is a 401 when no project has it: "%s"', async (token) => {
    const tenant = await createTenant()
    expect(seen(await tenant.get(`${CONFIG}?token=${token}`))).toEqual(UNKNOWN)
    expect(seen(await tenant.get(`${tenant.flags()}?token=${token}`))).toEqual(UNKNOWN)
  })

  it('is not cached with the ids of paths, of which a caller can name any number', async () => {
    const tenant = await createTenant()
    const trips = async () =>
      (await tenant.get(`${tenant.flags()}?token=${tenant.projectToken}`)).line.d1_round_trips
    const first = await trips()
    expect(await trips()).toBe(first)
    await tenant.get(tenant.flags())
    expect((await tenant.get(tenant.flags())).line.d1_round_trips).toBeLessThan(first!)
  })

  it('gives no access to a project of another organization', async () => {
    const tenant = await createTenant()
    const other = await createTenant()
    const response = await tenant.get(`${CONFIG}?token=${other.projectToken}`)
    expect(response).toMatchObject({
      status: 403,
      body: { detail: "You don't have access to the project." },
    })
  })

  it('agrees with the project of the path', async () => {
    const { tenant, second } = await twoProjects()
    expect((await tenant.get(`${tenant.flags()}?token=${tenant.projectToken}`)).status).toBe(200)
    expect(seen(await tenant.get(`${tenant.flags()}?token=${second.token}`))).toMatchObject({
      status: 400,
      body: { attr: 'token', detail: 'This is the token of another project than that of the path.' },
    })
  })

  it('is given once', async () => {
    const { tenant, second } = await twoProjects()
    const tokens = `token=${tenant.projectToken}&token=${second.token}`
    expect(await tenant.get(`/api/projects/@current/feature_flags/?${tokens}`)).toMatchObject({
      status: 400,
      body: { attr: 'token', detail: 'The parameter token is given more than once.' },
    })
  })
})
