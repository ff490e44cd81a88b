// Reads projects from which something was deleted that others still name.
import { expect, it } from 'vitest'
import type { Page } from '../../src/import/model'
import { posthogSource } from '../../src/import/posthog/source'

/** @param lists answers by path without parameters of pages; all others are empty lists */
const sourceOf = (lists: Record<string, unknown>) =>
  posthogSource({
    url: 'https://eu.posthog.com',
    key: 'phx_1',
    project: '1',
    say: () => {},
    send: async (_method, path) => ({
      status: 200,
      text: JSON.stringify(lists[path.split(/[?&]limit/)[0]!] ?? { next: null, results: [] }),
      retryAfter: null,
      location: null,
    }),
  })

const PROJECT = '/api/projects/1/'
const page = (results: object[], next: string | null = null) => ({ next, results })

it('reads the group types that stay, with their groups and properties', async () => {
  const groups = `${PROJECT}groups/?group_type_index`
  const source = sourceOf({
    [PROJECT]: { id: 1, timezone: 'UTC', organization: 'o' },
    // The types 0 and 2 were deleted.
    [`${PROJECT}groups_types/`]: [
      { group_type: 'project', group_type_index: 3 },
      { group_type: 'company', group_type_index: 1 },
    ],
    [`${groups}=1`]: page(
      [{ group_key: 'acme', group_properties: {} }],
      `https://eu.posthog.com${groups}=1&cursor=2`,
    ),
    [`${groups}=1&cursor=2`]: page([{ group_key: 'globex', group_properties: {} }]),
    [`${groups}=3`]: page([{ group_key: 'apollo', group_properties: {} }]),
    [`${PROJECT}property_definitions/?type=group&group_type_index=3`]: page([{ id: 'p', name: 'size' }]),
    [`${PROJECT}feature_flags/`]: page([
      { id: 1, key: 'stays', filters: { groups: [], aggregation_group_type_index: 1 } },
      { id: 2, key: 'gone', filters: { groups: [], aggregation_group_type_index: 2 } },
    ]),
  })
  const items = await source.readItems()
  const named = items.map(({ kind, key, problem }) => ({ kind, key, problem }))
  expect(named).toEqual([
    { kind: 'group_type', key: 'project', problem: null },
    { kind: 'group_type', key: 'company', problem: null },
    { kind: 'property_definition', key: 'group project size', problem: null },
    { kind: 'flag', key: 'stays', problem: null },
    {
      kind: 'flag',
      key: 'gone',
      problem: 'names the group type 2, which does not exist: it appears with its first group',
    },
    { kind: 'project', key: 'settings', problem: null },
  ])
  const read = []
  let cursor: string | null = null
  do {
    const { rows, next }: Page = (await source.readPage('group', cursor))!
    read.push(rows.map(({ group_type: type, group_key: key }) => [type, key]))
    cursor = next
  } while (cursor !== null)
  expect(read).toEqual([[['company', 'acme']], [['company', 'globex']], [['project', 'apollo']]])
  // The type of the cursor of an import that stopped was deleted since.
  expect(await source.readPage('group', '2:?group_type_index=2&cursor=9')).toMatchObject({
    rows: [{ group_type: 'project', group_key: 'apollo' }],
    next: null,
  })
})

it.each([
  [1, null],
  [2, 'needs 2 approvals, and 1 of its approvers are members'],
])('names approvers who left of a policy that needs %i approvals', async (quorum, problem) => {
  const source = sourceOf({
    [PROJECT]: { id: 1, timezone: 'UTC', organization: 'o' },
    [`${PROJECT}approval_policies/`]: page([
      { id: 'p', action_key: 'feature_flag.update', approver_config: { quorum, users: [1, 2] } },
    ]),
    '/api/organizations/o/members/': page([{ user: { id: 1, email: 'ada@example.com' } }]),
  })
  const item = (await source.readItems()).find(({ kind }) => kind === 'approval_policy')
  expect(item).toEqual({
    kind: 'approval_policy',
    key: 'feature_flag.update',
    id: 'p',
    value: {
      conditions: {},
      quorum,
      approvers: ['ada@example.com'],
      allow_self_approve: false,
      bypass_org_membership_levels: [],
      expires_after: '14 00:00:00',
      enabled: true,
    },
    changes: ['1 of its 2 approvers are left out: they are no members'],
    problem,
  })
})
