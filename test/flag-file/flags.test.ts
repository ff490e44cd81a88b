// `npm run flags`: a project and a file of flags, compared and made the same.
import { describe, expect, it } from 'vitest'
import { FlagFileError, parseFlagFile } from '../../src/import/flag-file/file'
import { type FlagsOptions, runFlags } from '../../src/import/flag-file/run'
import { CallError } from '../../src/import/call'
import { event, groupIdentify, sendEach } from '../support/capture'
import { clientOf } from '../support/server/api-client'
import { ORIGIN } from '../support/harness'
import { approve, policy, requests, team } from '../flags/approvals/support'
import { cohort } from '../support/database/rows'
import { dependsOn, inCohort, open, where } from '../support/filters'
import { createTenant, type Tenant } from '../support/tenant'

type Json = Record<string, unknown>

interface Run {
  outcome: string
  said: string
  written: string | null
  asked: number
}

async function run(
  tenant: Tenant,
  action: FlagsOptions['action'],
  file: Json | string | null,
  more: Partial<FlagsOptions> = {},
): Promise<Run> {
  const result: Run = { outcome: '', said: '', written: null, asked: 0 }
  result.outcome = await runFlags({
    action,
    name: 'halyard.json',
    text: file === null || typeof file === 'string' ? file : JSON.stringify(file),
    client: clientOf(tenant),
    project: `/api/projects/${tenant.projectId}/`,
    title: 'the project',
    prune: false,
    managedOnly: false,
    say: (text) => (result.said += text),
    write: (text) => (result.written = text),
    confirm: async () => {
      result.asked += 1
      return true
    },
    progress: () => {},
    ...more,
  })
  return result
}

const flagsIn = async (tenant: Tenant): Promise<Json[]> =>
  (await tenant.get(`${tenant.flags()}?order=key`)).body.results
const HEADING = 'halyard.json, for the project:\n\n'
const set = (more: Json = {}) => ({ rollout_percentage: 100, ...more })

describe('apply', () => {
  it('applies the file in the order of dependencies, and a second time changes nothing', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada'), groupIdentify('company', 'acme', { plan: 'pro' })])
    await cohort(tenant, [], { name: 'Testers' })
    const file = {
      $schema: 'https://halyard.test/halyard.schema.json',
      flags: {
        above: {
          filters: {
            groups: [
              set({
                properties: [{ key: 'base', type: 'flag', operator: 'flag_evaluates_to', value: true }],
              }),
            ],
          },
        },
        base: {
          name: 'Base',
          tags: ['Shop'],
          evaluation_contexts: ['site'],
          filters: { groups: [set({ properties: [{ key: 'id', type: 'cohort', value: 'Testers' }] })] },
        },
        off: { active: false, filters: { groups: [set({ rollout_percentage: 50 })] } },
        'off-above': {
          active: false,
          filters: {
            groups: [
              set({ properties: [{ key: 'off', type: 'flag', operator: 'flag_evaluates_to', value: true }] }),
            ],
          },
        },
        companies: {
          filters: {
            groups: [
              set({
                aggregation_group_type_index: 'company',
                properties: [{ key: 'plan', type: 'group', group_type_index: 'company', value: ['pro'] }],
              }),
            ],
          },
        },
        shades: {
          evaluation_runtime: 'server',
          filters: {
            groups: [set()],
            multivariate: {
              variants: [
                { key: 'dark', rollout_percentage: 50 },
                { key: 'light', rollout_percentage: 50 },
              ],
            },
            payloads: { dark: { hue: 1 }, light: '"text"' },
          },
        },
      },
    }
    const planned = await run(tenant, 'plan', file)
    expect(planned).toMatchObject({ outcome: 'changed', asked: 0 })
    expect(planned.said).toContain('\n+ base: create\n    name: "Base"\n')
    expect(planned.said).toMatch(/\n6 to create, 0 to update, 0 to delete, 0 the same\.\n$/)
    expect(await flagsIn(tenant)).toEqual([])

    const applied = await run(tenant, 'apply', file)
    expect(applied).toMatchObject({ outcome: 'same', asked: 1 })
    expect(applied.said).toMatch(/\n\n6 of 6 written\.\n$/)
    const flags = Object.fromEntries((await flagsIn(tenant)).map((flag) => [flag.key, flag]))
    expect(flags.base).toMatchObject({ name: 'Base', tags: ['managed-by:halyard.json', 'shop'] })
    expect(flags.off).toMatchObject({ active: false, filters: { groups: [{ rollout_percentage: 50 }] } })
    expect(flags['off-above']).toMatchObject({ active: false })
    expect(flags.shades).toMatchObject({
      evaluation_runtime: 'server',
      filters: { payloads: { dark: '{"hue":1}', light: '"text"' } },
    })

    const again = await run(tenant, 'apply', file)
    expect(again).toEqual({
      outcome: 'same',
      said: `${HEADING}0 to create, 0 to update, 0 to delete, 6 the same.\n`,
      written: null,
      asked: 0,
    })

    const pulled = await run(tenant, 'pull', null)
    expect(JSON.parse(pulled.written!)).toEqual({
      $schema: `${ORIGIN}/halyard.schema.json`,
      flags: expect.objectContaining({
        off: { active: false, filters: { groups: [{ rollout_percentage: 50 }] } },
        shades: file.flags.shades,
      }),
    })
    expect((await run(tenant, 'drift', pulled.written)).outcome).toBe('same')
    const copy = await createTenant()
    await sendEach(copy, [event('ada'), groupIdentify('company', 'acme', { plan: 'pro' })])
    await cohort(copy, [], { name: 'Testers' })
    expect((await run(copy, 'apply', pulled.written)).outcome).toBe('same')
    expect((await run(copy, 'drift', pulled.written)).outcome).toBe('same')
  })

  it('changes payloads that differ in a null', async () => {
    const tenant = await createTenant()
    const flags = (payloads: Json) => ({
      flags: {
        shades: {
          filters: {
            groups: [set()],
            multivariate: {
              variants: [
                { key: 'dark', rollout_percentage: 50, name: null },
                { key: 'light', rollout_percentage: 50 },
              ],
            },
            payloads,
          },
        },
      },
    })
    await run(tenant, 'apply', flags({ dark: { x: 1, y: null, z: [{ a: null }] }, light: null }))
    const file = flags({ dark: { x: 1, z: [{}] } })
    expect(await run(tenant, 'drift', file)).toMatchObject({
      outcome: 'changed',
      said:
        `${HEADING}~ shades: update\n    filters.payloads.dark.y: null → none\n` +
        '    filters.payloads.dark.z[0].a: null → none\n    filters.payloads.light: null → none\n' +
        '0 to create, 1 to update, 0 to delete, 0 the same.\n',
    })
    await run(tenant, 'apply', file)
    expect((await flagsIn(tenant))[0]).toMatchObject({
      filters: { payloads: { dark: '{"x":1,"z":[{}]}' } },
    })
    expect(await run(tenant, 'drift', file)).toMatchObject({ outcome: 'same' })
  })

  it('changes only the fields that differ, and deletes only with --prune', async () => {
    const tenant = await createTenant()
    const filters = { groups: [set({ rollout_percentage: 10 })] }
    const both = { flags: { banner: { filters }, gone: { filters } } }
    await run(tenant, 'apply', both)
    await tenant.flag({ key: 'other' })
    const file = { flags: { banner: { filters: { groups: [set({ rollout_percentage: 50 })] } } } }
    const lines = `~ banner: update\n    filters.groups[0].rollout_percentage: 10 → 50\n`
    expect(await run(tenant, 'apply', file)).toMatchObject({
      outcome: 'same',
      said:
        `${HEADING}${lines}? gone: is managed by the file, and not in it. --prune deletes it.\n` +
        '0 to create, 1 to update, 0 to delete, 0 the same.\n\n1 of 1 written.\n',
    })
    expect((await run(tenant, 'plan', file)).outcome).toBe('same')
    expect((await run(tenant, 'drift', file)).outcome).toBe('changed')
    expect(await run(tenant, 'apply', file, { prune: true })).toMatchObject({
      outcome: 'same',
      said: `${HEADING}- gone: delete\n0 to create, 0 to update, 1 to delete, 1 the same.\n\n1 of 1 written.\n`,
    })
    expect((await flagsIn(tenant)).map(({ key }) => key)).toEqual(['banner', 'other'])
    const managed = await run(tenant, 'pull', file, { managedOnly: true })
    expect(Object.keys(JSON.parse(managed.written!).flags)).toEqual(['banner'])
  })

  describe('with --prune', () => {
    const own = { filters: { groups: [set()] } }
    const apply = (tenant: Tenant, file: Json, name = 'halyard.json') =>
      run(tenant, 'apply', file, { name, prune: true })

    it.each([
      ['no flags', {}],
      ['flags that are all new', { other: own }],
    ])('is refused for a file with %s while others have its tag', async (_, flags) => {
      const tenant = await createTenant()
      await run(tenant, 'apply', { flags: { a: own, b: own } })
      await expect(apply(tenant, { flags })).rejects.toThrow(
        'The file has none of the flags with the tag managed-by:halyard.json, and would delete all 2.',
      )
      expect((await flagsIn(tenant)).map(({ key }) => key)).toEqual(['a', 'b'])
    })

    it('is refused for a file under another name that has no managed_by', async () => {
      const tenant = await createTenant()
      await run(tenant, 'apply', { flags: { a: own, b: own, c: own } })
      const file = { flags: { a: own } }
      for (const name of ['other.json', 'flags/shop.json'])
        await expect(apply(tenant, file, name)).rejects.toThrow(
          'The file has no managed_by, and would delete 2 of the 3 flags with the tag managed-by:halyard.json.',
        )
      expect(await flagsIn(tenant)).toHaveLength(3)
      expect(await apply(tenant, { managed_by: 'halyard.json', ...file }, 'other.json')).toMatchObject({
        outcome: 'same',
      })
      expect((await flagsIn(tenant)).map(({ key }) => key)).toEqual(['a'])
      // Nothing has to be deleted, so that nothing is asked of the file.
      expect(await apply(tenant, file, 'other.json')).toMatchObject({ outcome: 'same' })
      await run(tenant, 'apply', { flags: { a: own, b: own } })
      expect(await apply(tenant, file, 'flags/halyard.json')).toMatchObject({ outcome: 'same' })
      expect((await flagsIn(tenant)).map(({ key }) => key)).toEqual(['a'])
    })
  })

  describe('of a disabled flag that names deleted items', () => {
    async function dangling() {
      const tenant = await createTenant()
      const base = await tenant.flag({ key: 'base' })
      const testers = await cohort(tenant, [], { name: 'Testers' })
      const below = await tenant.flag({
        key: 'below',
        active: false,
        filters: where(dependsOn(base.id), inCohort(testers)),
        tags: ['managed-by:halyard.json'],
      })
      await tenant.patch(tenant.flags(base.id), { deleted: true })
      const path = `/api/projects/${tenant.projectId}/cohorts/${testers}/`
      expect((await tenant.patch(path, { deleted: true })).status).toBe(200)
      await tenant.flag({ key: 'whole' })
      return { tenant, base, testers, below }
    }

    it('changes its conditions to those of the file', async () => {
      const { tenant, base, testers } = await dangling()
      const file = { flags: { below: { filters: { groups: [set()] } } } }
      const { outcome, said } = await run(tenant, 'apply', file)
      expect(said).toContain(`"key":"${base.id} (deleted)"`)
      expect(said).toContain(`"value":"${testers} (deleted)"`)
      expect(outcome).toBe('same')
      expect((await run(tenant, 'drift', file)).outcome).toBe('same')
    })

    it('deletes it with --prune', async () => {
      const { tenant } = await dangling()
      const filters = { groups: [set()] }
      await tenant.flag({ key: 'kept', filters, tags: ['managed-by:halyard.json'] })
      expect(await run(tenant, 'apply', { flags: { kept: { filters } } }, { prune: true })).toMatchObject({
        outcome: 'same',
        said: `${HEADING}- below: delete\n0 to create, 0 to update, 1 to delete, 1 the same.\n\n1 of 1 written.\n`,
      })
    })

    it('pulls the others, and says why it is not in the file', async () => {
      const { tenant, base } = await dangling()
      const { outcome, said, written } = await run(tenant, 'pull', null)
      expect(Object.keys(JSON.parse(written!).flags)).toEqual(['whole'])
      expect({ outcome, said }).toEqual({
        outcome: 'failed',
        said:
          '1 flag is in halyard.json.\n' +
          `below is not in it: it names the flag ${base.id}, which does not exist.\n`,
      })
    })
  })

  it('pulls a file that the project is as', async () => {
    const tenant = await createTenant()
    await tenant.flag({
      key: 'banner',
      filters: { groups: [set({ rollout_percentage: 10 })] },
      tags: ['shop'],
    })
    await tenant.flag({ key: 'other', active: false })
    const { written } = await run(tenant, 'pull', null)
    expect((await run(tenant, 'plan', written)).outcome).toBe('same')
    expect((await run(tenant, 'drift', written)).outcome).toBe('same')
  })

  it('creates flags whose filters a creation would change or reject', async () => {
    const [tenant, copy] = [await createTenant(), await createTenant()]
    await tenant.flag({ key: 'empty' })
    const remote = await tenant.flag({ key: 'remote', is_remote_configuration: true })
    const filters = { groups: [set({ rollout_percentage: 0 })], payloads: { true: '1' } }
    await tenant.patch(tenant.flags(remote.id), { filters })
    const idle = await tenant.flag({ key: 'idle', is_remote_configuration: true })
    await tenant.patch(tenant.flags(idle.id), { filters: { groups: [], payloads: { true: '2' } } })
    await tenant.flag({ key: 'user', filters: where(dependsOn(remote.id)) })
    const { written } = await run(tenant, 'pull', null)
    expect(await run(copy, 'apply', written)).toMatchObject({ outcome: 'same' })
    const off = { groups: [{ rollout_percentage: 0 }], payloads: { true: '1' } }
    expect(await flagsIn(copy)).toMatchObject([
      { key: 'empty', active: true, filters: { groups: [] } },
      { key: 'idle', active: true, filters: { groups: [], payloads: { true: '2' } } },
      { key: 'remote', active: true, is_remote_configuration: true, filters: off },
      { key: 'user' },
    ])
    expect((await run(copy, 'drift', written)).outcome).toBe('same')
  })

  it('adopts an unmanaged flag, and no flag of another file', async () => {
    const tenant = await createTenant()
    const filters = { groups: [set()] }
    await tenant.flag({ key: 'banner', filters, tags: ['shop'] })
    const file = { flags: { banner: { filters, tags: ['shop'] } } }
    const report =
      '0 to create, 0 to update, 0 to delete, 1 the same.\nWithout the tag of the file, which apply adds: 1.\n'
    for (const action of ['plan', 'drift'] as const)
      expect(await run(tenant, action, file)).toMatchObject({ outcome: 'same', said: `${HEADING}${report}` })
    expect((await run(tenant, 'apply', file)).said).toBe(`${HEADING}${report}\n1 of 1 written.\n`)
    expect((await flagsIn(tenant))[0]!.tags).toEqual(['managed-by:halyard.json', 'shop'])
    await expect(run(tenant, 'plan', { ...file, managed_by: 'shop' })).rejects.toThrow(
      'flags.banner: the flag belongs to another file: it has the tag managed-by:halyard.json.',
    )
  })

  it('does not overwrite flags that changed since the plan, and takes the other steps', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'banner', filters: { groups: [set({ rollout_percentage: 10 })] } })
    const file = {
      flags: {
        banner: { filters: { groups: [set({ rollout_percentage: 50 })] } },
        fresh: { filters: { groups: [set()] } },
      },
    }
    const { outcome, said } = await run(tenant, 'apply', file, {
      async confirm() {
        await tenant.patch(tenant.flags(flag.id), {
          filters: { groups: [set({ rollout_percentage: 70 })] },
        })
        return true
      },
    })
    expect(outcome).toBe('failed')
    expect(said).toMatch(/1 of 2 written\.\nbanner: changed since the plan: plan again\. \(.*\)\n$/)
    const [banner, fresh] = await flagsIn(tenant)
    expect(banner).toMatchObject({ filters: { groups: [{ rollout_percentage: 70 }] } })
    expect(fresh).toMatchObject({ key: 'fresh' })
    expect((await run(tenant, 'apply', file)).outcome).toBe('same')
  })

  it('names the change request of each flag that needs approval, and takes the other steps', async () => {
    const { tenant, grace } = await team()
    const ids = [await tenant.flag({ key: 'banner' }), await tenant.flag({ key: 'launch', active: false })]
    await policy(tenant, [grace])
    await policy(tenant, [grace], { action_key: 'feature_flag.enable' })
    const filters = { groups: [set({ rollout_percentage: 50 })] }
    const file = { flags: { banner: { filters }, launch: { filters }, fresh: { filters } } }
    const patches: string[] = []
    const client = clientOf(tenant, (method, path) => method === 'PATCH' && patches.push(path))
    const { outcome, said } = await run(tenant, 'apply', file, { client })
    const { body } = await tenant.get(requests(tenant))
    const requestOf = (id: number) =>
      body.results.find(({ resource_id: flag }: Json) => flag === String(id)).id as string
    const [banner, launch] = ids.map(({ id }) => requestOf(id))
    const [{ id: freshId }] = (
      await tenant.get(`/api/projects/${tenant.projectId}/feature_flags/?search=fresh`)
    ).body.results
    const fresh = requestOf(freshId)
    expect(outcome).toBe('failed')
    expect(said).toContain(`
0 of 3 written.
banner: waits for approval: change request ${banner}.
launch: waits for approval: change request ${launch}. Repeat this then: the rest of the change is not sent yet.
fresh: waits for approval: change request ${fresh}.
`)
    // A change that two policies hold is rejected, and sent again in parts: nothing else is sent twice.
    expect(patches.map((path) => ids.findIndex(({ id }) => path.endsWith(`/${id}/`)))).toEqual([0, 1, 1, -1])
    expect((await run(tenant, 'apply', file)).said).toContain(
      `\nbanner: an earlier change waits for approval: change request ${banner}.\n`,
    )
    expect((await approve(grace, banner!)).status).toBe(200)
    expect((await approve(grace, launch!)).status).toBe(200)
    expect((await approve(grace, fresh)).status).toBe(200)
    expect((await run(tenant, 'apply', file)).said).toMatch(
      /\n0 of 1 written\.\nlaunch: waits for approval: change request [\w-]+\.\n$/,
    )
  })

  it('continues after a failure on the way', async () => {
    const tenant = await createTenant()
    const onFlag = (key: string) => ({
      groups: [set({ properties: [{ key, type: 'flag', operator: 'flag_evaluates_to', value: true }] })],
    })
    const file = {
      flags: {
        base: { active: false, filters: { groups: [set()] } },
        middle: { active: false, filters: onFlag('base') },
        top: { active: false, filters: onFlag('middle') },
      },
    }
    let posts = 0
    const client = clientOf(tenant, (method) => {
      if (method === 'POST' && (posts += 1) === 2) throw new CallError(null, 'unreachable')
    })
    await expect(run(tenant, 'apply', file, { client })).rejects.toThrow('unreachable')
    expect(await run(tenant, 'apply', file)).toMatchObject({ outcome: 'same' })
    expect((await run(tenant, 'drift', file)).outcome).toBe('same')
    expect((await flagsIn(tenant)).map(({ active }) => active)).toEqual([false, false, false])
  })

  it('does nothing without consent', async () => {
    const tenant = await createTenant()
    const file = { flags: { fresh: { filters: { groups: [set()] } } } }
    const { outcome, said } = await run(tenant, 'apply', file, { confirm: async () => false })
    expect(outcome).toBe('changed')
    expect(said).toMatch(/Nothing was changed\.\n$/)
    expect(await flagsIn(tenant)).toEqual([])
  })

  it('leaves encrypted payloads out of files', async () => {
    const tenant = await createTenant()
    const secret = { is_remote_configuration: true, has_encrypted_payloads: true }
    await tenant.flag({ key: 'config', ...secret, filters: { groups: [], payloads: { true: '"secret"' } } })
    const { written, said } = await run(tenant, 'pull', null)
    expect(said).toBe('1 flag is in halyard.json.\nEncrypted payloads are not in it: config.\n')
    expect(written).not.toContain('secret"')
    expect(JSON.parse(written!).flags.config).toMatchObject(secret)
    expect((await run(tenant, 'apply', written)).outcome).toBe('same')
    const [config] = await flagsIn(tenant)
    expect(config).toMatchObject({ version: 2, filters: { payloads: { true: '"secret"' } } })
    expect((await run(tenant, 'drift', written)).outcome).toBe('same')
  })

  it.each([
    ['the project does not have', async () => {}],
    ['has none there', (tenant: Tenant) => tenant.flag({ key: 'config' })],
  ])('is refused for an encrypted flag that %s', async (_, prepare) => {
    const tenant = await createTenant()
    await prepare(tenant)
    const before = await flagsIn(tenant)
    const config = {
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: [set()] },
    }
    await expect(run(tenant, 'apply', { flags: { config } })).rejects.toThrow(
      'flags.config: the project has no encrypted payload of it. Create it there with its payload first.',
    )
    expect(await flagsIn(tenant)).toEqual(before)
  })
})

describe('a payload with a number that parsing alters', () => {
  it.each(['{"account": 1234567890123456789}', '{"most": 1e400}'])(
    'is its text in the file, and the same in another project: %s',
    async (payload) => {
      const [tenant, copy] = [await createTenant(), await createTenant()]
      await tenant.flag({ key: 'account', filters: open({ payloads: { true: payload } }) })
      const { written } = await run(tenant, 'pull', null)
      expect(JSON.parse(written!).flags.account.filters.payloads).toEqual({ true: payload })
      expect((await run(copy, 'apply', written)).outcome).toBe('same')
      expect((await flagsIn(copy))[0]).toMatchObject({ filters: { payloads: { true: payload } } })
      expect((await run(copy, 'drift', written)).outcome).toBe('same')
    },
  )
})

describe('a file', () => {
  const filters = { groups: [] }
  it.each([
    ['{', /^halyard\.json is not valid JSON: /],
    [{}, /the file: .*"flags"/],
    [
      { flags: { banner: {} } },
      /^halyard\.json is not a file of flags:\n {2}flags\.banner: The field "filters" is missing\.$/,
    ],
    [
      { flags: { banner: { filters, activ: true } } },
      /flags\.banner\.activ: There is no such field\. A flag has name, filters, active, /,
    ],
    [
      { flags: { banner: { filters, active: 'yes', evaluation_runtime: 7, tags: 'a' } } },
      `halyard.json is not a file of flags:
  flags.banner.active: This has to be boolean.
  flags.banner.evaluation_runtime: This has to be one of "server","client","all" or null.
  flags.banner.tags: This has to be array or null.`,
    ],
    [{ flags: { 'two words': { filters } } }, /flags\.two words: A key has 1 to 400 letters, digits, /],
    [
      { flags: { banner: { filters, tags: ['managed-by:me'] } } },
      /flags\.banner\.tags: the tag managed-by:… /,
    ],
    [
      { flags: { banner: { has_encrypted_payloads: true, filters: { groups: [], payloads: { true: 1 } } } } },
      /flags\.banner\.filters\.payloads: an encrypted payload does not belong into a file/,
    ],
  ])('is rejected with the place of the mistake: %j', (value, message) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    expect(() => parseFlagFile(text, 'halyard.json')).toThrow(message)
    expect(() => parseFlagFile(text, 'halyard.json')).toThrow(FlagFileError)
  })

  it('is rejected when it names what the project does not have', async () => {
    const tenant = await createTenant()
    const properties = [{ key: 'id', type: 'cohort', value: 'Testers' }]
    const file = { flags: { banner: { filters: { groups: [set({ properties })] } } } }
    await expect(run(tenant, 'plan', file)).rejects.toThrow(
      'flags.banner: needs cohort Testers, which the project does not have.',
    )
  })

  it('is rejected with the problems of all of its flags', async () => {
    const tenant = await createTenant()
    const onFlag = (key: string) => ({
      groups: [set({ properties: [{ key, type: 'flag', operator: 'flag_evaluates_to', value: true }] })],
    })
    const file = {
      flags: {
        above: { filters: onFlag('lost') },
        circle: { filters: onFlag('round') },
        lost: { filters: onFlag('missing') },
        payload: { filters: { groups: [set()], payloads: { true: 'hello' } } },
        round: { filters: onFlag('circle') },
        shape: { filters: { groups: [set({ propertes: [] })] } },
      },
    }
    await expect(run(tenant, 'plan', file)).rejects.toThrow(
      new FlagFileError(`The file does not fit the project:
  flags.lost: needs flag missing, which the project does not have.
  flags.round.filters: Circular dependency detected: round → circle → round
  flags.circle.filters: Circular dependency detected: circle → round → circle
  flags.payload.filters: Payload value is not valid JSON
  flags.shape.filters: Unknown field: groups[0].propertes. Did you mean properties?`),
    )
  })

  it.each([
    [
      { groups: [set({ propertes: [] })] },
      'flags.banner.filters: Unknown field: groups[0].propertes. Did you mean properties?',
    ],
    [
      { groups: [set({ properties: [{ key: 'plan', type: 'person', operatr: 'exact', value: 'pro' }] })] },
      'flags.banner.filters: Unknown field: groups[0].properties[0].operatr. Did you mean operator?',
    ],
    [
      {
        groups: [set()],
        multivariate: { variants: [{ key: 'a', rollout_percentage: 100, rollout_percent: 1 }] },
      },
      'flags.banner.filters: Unknown field: multivariate.variants[0].rollout_percent. Did you mean rollout_percentage?',
    ],
    [
      { groups: [set({ properties: [{ key: 'age', type: 'person', operator: 'gt', value: 5 }] })] },
      'flags.banner.filters: Invalid value for operator gt: 5',
    ],
    [
      { groups: [set()], payloads: { true: 'hello' } },
      'flags.banner.filters: Payload value is not valid JSON',
    ],
  ])('is rejected by plan and apply alike when the API rejects it: %j', async (misspelt, message) => {
    const tenant = await createTenant()
    const file = { flags: { banner: { filters: misspelt as Json } } }
    await expect(run(tenant, 'plan', file)).rejects.toThrow(message)
    await expect(run(tenant, 'apply', file)).rejects.toThrow(message)
    expect(await flagsIn(tenant)).toEqual([])
  })
})
