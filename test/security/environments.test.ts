// Operations under `/api/environments/` are those of projects under another path, so that what the other suites find of one holds for both.
import { afterEach, describe, expect, it } from 'vitest'
import { seen } from '../support/responses'
import { call, expectDone, inEnvironments, inProjectsByEachPath, operations } from './call'
import { sampleOf } from './samples'
import { targetOf } from './targets'
import { watch } from './watch'

const watched = watch()
afterEach(() => watched.check())

/** The path in its other form. */
const inProject = (path: string): string =>
  path.replace('/api/environments/', '/api/projects/').replace(':environment_id', ':project_id')

/** Each operation in an environment beside the one that it repeats. */
const PAIRS = inEnvironments.map((there) => {
  const here = operations.find(
    ({ method, path }) => method === there.method && path === inProject(there.path),
  )
  return [there.id, there, here] as const
})

describe('operations in environments', () => {
  it('are some, of which those on one project count among those in projects', () => {
    expect(inEnvironments.length).toBeGreaterThan(20)
    const ofOne = inEnvironments.filter(({ path }) => path.includes(':environment_id'))
    expect(ofOne.filter((operation) => !inProjectsByEachPath.includes(operation))).toEqual([])
  })

  it.each(PAIRS)('%s is the operation of projects', async (_, there, here) => {
    const { id: ownId, path: ownPath, ...own } = there
    const { id, path, ...others } = here!
    // The members themselves, not members like them.
    const names = [...new Set([...Object.keys(own), ...Object.keys(others)])] as (keyof typeof own)[]
    expect(names.filter((name) => own[name] !== others[name])).toEqual([])
    expect([ownId.replace('environments_', ''), inProject(ownPath)]).toEqual([id, path])

    const { tenant, params } = await targetOf(watched, there)()
    const response = await call(tenant, there, { params })
    expectDone(there, response)
    const projectId = there.path.includes(':environment_id') ? tenant.projectId : null
    expect(response.line).toMatchObject({ route: there.path, project_id: projectId })
    expect(seen(await call(tenant, there, { params, key: null })).status).toBe(401)
    if (there.method !== 'get' || sampleOf(id).passing) return
    expect(seen(response)).toEqual(seen(await call(tenant, here!, { params })))
  })
})
