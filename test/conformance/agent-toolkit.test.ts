// The API client of @posthog/agent-toolkit, unmodified: it validates every response against its own schemas.
import { PostHogAgentToolkit } from '@posthog/agent-toolkit'
import { describe, expect, inject, it } from 'vitest'

const { url, projectId, personalApiKey } = inject('served')
const clientWith = (posthogApiToken: string) =>
  new PostHogAgentToolkit({ posthogApiToken, posthogApiBaseUrl: url })
    .getContext()
    .api.featureFlags({ projectId: String(projectId) })
const flags = clientWith(personalApiKey)

const draft = (key: string) => ({
  key,
  name: 'Made by a client',
  description: '',
  active: true,
  filters: {
    groups: [
      {
        properties: [{ key: 'email', value: '@example.com', operator: 'icontains' as const }],
        rollout_percentage: 50,
      },
    ],
  },
})

async function created(key: string) {
  const result = await flags.create({ data: draft(key) as never })
  if (!result.success) throw result.error
  return result.data
}

describe('@posthog/agent-toolkit', () => {
  it('creates a flag and finds it by key', async () => {
    const made = await created('toolkit-find')
    expect(made).toEqual({
      id: expect.any(Number),
      key: 'toolkit-find',
      name: 'Made by a client',
      active: true,
      tags: [],
      filters: {
        groups: [
          {
            properties: [{ key: 'email', type: 'person', operator: 'icontains', value: '@example.com' }],
            rollout_percentage: 50,
            aggregation_group_type_index: null,
          },
        ],
        aggregation_group_type_index: null,
      },
    })
    expect(await flags.findByKey({ key: 'toolkit-find' })).toEqual({ success: true, data: made })
    expect(await flags.get({ flagId: made.id })).toEqual({ success: true, data: made })
  })

  it('follows the pages of a list to the end', async () => {
    // Concurrent writes share batches.
    await Promise.all(Array.from({ length: 105 }, (_, count) => created(`toolkit-page-${count}`)))
    const result = await flags.list()
    if (!result.success) throw result.error
    const keys = result.data
      .map((flag: { key: string }) => flag.key)
      .filter((key: string) => key.startsWith('toolkit-page-'))
    expect(new Set(keys).size).toBe(105)
    expect(keys.length).toBe(105)
  })

  it('updates a flag by key', async () => {
    const made = await created('toolkit-update')
    const result = await flags.update({
      key: 'toolkit-update',
      data: { active: false, name: 'Off' } as never,
    })
    expect(result).toEqual({ success: true, data: { ...made, active: false, name: 'Off' } })
  })

  it('deletes a flag by an update', async () => {
    const { id } = await created('toolkit-delete')
    expect(await flags.delete({ flagId: id })).toMatchObject({ success: true })
    expect(await flags.findByKey({ key: 'toolkit-delete' })).toEqual({ success: true, data: undefined })
  })

  it('sees why a write is rejected', async () => {
    await created('toolkit-twice')
    const result = await flags.create({ data: draft('toolkit-twice') as never })
    expect(result).toEqual({ success: false, error: new Error('Validation error: unique') })
  })

  it('recognises a key that opens nothing', async () => {
    const stranger = clientWith('phx_nobody')
    expect(await stranger.get({ flagId: '1' as never })).toEqual({
      success: false,
      error: new Error('INVALID_API_KEY'),
    })
  })
})
