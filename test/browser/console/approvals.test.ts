// Approvals in the console: policies, changes that wait, and votes.
import { expect, it } from 'vitest'
import { type Console, editPart, expectEachLook, useConsole, confirmTurn } from './support'

const open = useConsole()

const TEN_SECONDS = { timeout: 10_000 }

interface Request {
  id: string
  state: string
  intent: { flag_id: number }
}

const requestsOf = async ({ api, projectId }: Console) =>
  (await api<{ results: Request[] }>('GET', `/api/projects/${projectId}/change_requests/`)).results

/** A policy under which the user of the console approves their own changes. */
async function policy({ api, projectId }: Console, body: Record<string, unknown> = {}) {
  const { id } = await api<{ id: number }>('GET', '/api/users/@me/')
  return api<{ id: string }>('POST', `/api/projects/${projectId}/approval_policies/`, {
    action_key: 'feature_flag.update',
    approver_config: { quorum: 1, users: [id] },
    allow_self_approve: true,
    ...body,
  })
}

const aFlag = ({ api, projectId }: Console, body: Record<string, unknown> = {}) =>
  api<{ id: number }>('POST', `/api/projects/${projectId}/feature_flags/`, {
    key: 'checkout',
    filters: { groups: [{ properties: [], rollout_percentage: 10 }] },
    ...body,
  })

it('are set up by policies', async () => {
  const console = await open({ path: 'feature_flags' })
  const { page, api, projectId, errors } = console
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Approvals' }).click()
  await page.getByRole('heading', { name: 'No change needs approval' }).waitFor()

  await page.getByRole('button', { name: 'Add a policy' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Which of them').selectOption('Changes after which a percentage is')
  await dialog.getByLabel('Percent').fill('')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByText('Enter a number.').waitFor()
  await dialog.getByLabel('Percent').fill('50')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByText('Choose at least one.').waitFor()
  const approver = dialog.getByRole('group', { name: 'Who may approve' }).getByRole('checkbox').first()
  await approver.and(page.locator(':focus')).waitFor()
  await dialog.getByLabel('Approvals needed').fill('2')
  await approver.check()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByText('2 approvals need as many users').waitFor()
  await expectEachLook(page, 'approvals-form')
  await dialog.getByLabel('Approvals needed').fill('1')
  await dialog.getByRole('switch', { name: 'Own changes' }).click()
  await dialog.getByRole('checkbox', { name: 'Owners' }).check()
  await dialog.getByLabel('Requests expire after').focus()
  for (const key of ['End', 'Backspace', 'Backspace']) await page.keyboard.press(key)
  await dialog.getByText('Enter a whole number of 1 or more.').waitFor()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.keyboard.type('7')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('A request expires after 7 days.').waitFor()
  await page.getByText('When a percentage is then more than 50%').waitFor()
  const path = `/api/projects/${projectId}/approval_policies/`
  const stored = async () => (await api<{ results: Record<string, unknown>[] }>('GET', path)).results
  expect(await stored()).toMatchObject([
    {
      action_key: 'feature_flag.update',
      conditions: { type: 'before_after', field: 'rollout_percentage', operator: '>', value: 50 },
      approver_config: { quorum: 1 },
      allow_self_approve: true,
      bypass_org_membership_levels: [15],
      expires_after: '7 00:00:00',
      enabled: true,
    },
  ])
  await expectEachLook(page, 'approvals')

  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.getByRole('switch', { name: 'Applies' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Off', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete the policy' }).click()
  await page.getByRole('heading', { name: 'No change needs approval' }).waitFor()
  expect(await stored()).toEqual([])
  expect(errors).toEqual([expect.stringContaining('400'), expect.stringContaining('400')])
})

it('keep a saved change pending until it is approved, and the restoration of a version', async () => {
  const console = await open()
  const { page, api, projectId, errors, visit } = console
  const flag = await aFlag(console)
  await policy(console)
  await visit(`feature_flags/${flag.id}`)
  const save = async (percentage: string) => {
    await editPart(page, 'Who gets it')
    await page.getByLabel('Share of set 1', { exact: true }).fill(percentage)
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('dialog').getByText('This change needs approval').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Request approval' }).click()
  }
  await save('60')
  await page.getByText('The change needs approval: it is requested.').waitFor()
  await page.getByText('waits for approval (0 of 1 approval)').waitFor()
  await page.getByText('10% of people').first().waitFor()
  await expectEachLook(page, 'flag-held')

  // A second one keeps the input.
  await save('70')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('A pending approval request already exists for this action').waitFor()
  await dialog.getByRole('link', { name: 'View the pending request' }).waitFor()
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  expect(await page.getByLabel('Share of set 1', { exact: true }).inputValue()).toBe('70')
  await page.getByRole('button', { name: 'Discard' }).click()

  await page.getByRole('link', { name: /^Change requests/ }).click()
  await page.getByText('Waits for you').waitFor()
  await expectEachLook(page, 'change-requests')
  await page.getByRole('link', { name: 'checkout: Condition set 1 goes from 10% to 60% of people' }).click()
  await page
    .getByRole('heading', { name: 'checkout: Condition set 1 goes from 10% to 60% of people' })
    .waitFor()
  await page.getByRole('region', { name: 'Changes' }).getByText('60%').waitFor()
  await page.getByText('No people are known yet').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByLabel('Reason (optional)').fill('Looks right.')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved and applied.').waitFor()
  await page.getByText('Approved and applied: version 2 of checkout.').waitFor()
  expect(await page.getByText('May vote').count()).toBe(0)
  await page.getByRole('region', { name: 'Votes' }).getByText('Looks right.').waitFor()
  await expectEachLook(page, 'change-request-applied')
  const after = await api('GET', `/api/projects/${projectId}/feature_flags/${flag.id}/`)
  expect(after).toMatchObject({ version: 2, filters: { groups: [{ rollout_percentage: 60 }] } })
  expect(errors).toEqual([expect.stringContaining('409'), expect.stringContaining('409')])

  await visit(`feature_flags/${flag.id}?tab=activity`)
  await page.getByRole('link', { name: 'approved by owner', exact: true }).waitFor()
  await expectEachLook(page, 'flag-history-approved')
  await page.getByRole('button', { name: 'Restore' }).first().click()
  await dialog.getByText('This change needs approval, and takes effect once').waitFor()
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('The change needs approval: it is requested.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  expect((await requestsOf(console)).map(({ state }) => state).toSorted()).toEqual(['applied', 'pending'])
})

it('name cohorts wherever they say what is changed', async () => {
  const console = await open()
  const { page, api, projectId, visit } = console
  const cohort = await api<{ id: number }>('POST', `/api/projects/${projectId}/cohorts/`, {
    name: 'Pro customers',
    is_static: true,
    _create_static_person_ids: [],
  })
  const properties = [{ type: 'cohort', key: 'id', operator: 'in', value: cohort.id }]
  const of = (rollout_percentage: number) => ({ filters: { groups: [{ properties, rollout_percentage }] } })
  const flag = await aFlag(console, of(10))
  await policy(console)
  const change = api('PATCH', `/api/projects/${projectId}/feature_flags/${flag.id}/`, of(60))
  await expect(change).rejects.toThrow('409')
  const words = 'people in the cohort Pro customers'
  await visit(`feature_flags/${flag.id}`)
  await page.getByRole('link', { name: words }).waitFor()
  await visit('change_requests')
  await page.getByRole('link', { name: words }).waitFor()
  await expectEachLook(page, 'change-requests-cohort')
  await page.getByRole('link', { name: words }).click()
  await page.getByRole('heading', { name: words }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByText(words).waitFor()
  await expectEachLook(page, 'change-request-cohort')
})

it('keep a switch in the list pending, to be rejected with a reason or canceled', async () => {
  const console = await open()
  const { page, visit } = console
  await aFlag(console, { active: false })
  await policy(console, { action_key: 'feature_flag.enable' })
  await visit('feature_flags')
  const toggle = page.getByRole('switch', { name: 'checkout enabled' })
  await toggle.click()
  await confirmTurn(page, 'Request approval')
  await page.getByText('The change needs approval: it is requested.').waitFor()
  await expect.poll(() => toggle.isChecked(), TEN_SECONDS).toBe(false)
  await page.getByRole('link', { name: 'View the request' }).click()
  await page.getByRole('button', { name: 'Reject' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await dialog.getByText('A rejection needs a reason.').waitFor()
  await dialog.getByLabel('Reason').fill('Not before the launch.')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('The request is rejected.').waitFor()

  await visit('feature_flags')
  await toggle.click()
  await confirmTurn(page, 'Request approval')
  await page.getByRole('link', { name: 'View the request' }).click()
  await page.getByRole('button', { name: 'Cancel the request' }).click()
  await dialog.getByRole('button', { name: 'Cancel the request' }).click()
  await page.getByText('The request is canceled.').waitFor()
  await page.getByRole('region', { name: 'Votes' }).getByText('Canceled', { exact: true }).waitFor()
  expect(await page.getByText('Rejected').count()).toBe(0)
  await visit('change_requests?tab=rejected')
  await expect
    .poll(() => page.getByRole('link', { name: 'checkout: Enables the flag' }).count(), TEN_SECONDS)
    .toBe(2)
  expect((await requestsOf(console)).map(({ state }) => state)).toEqual(['rejected', 'rejected'])

  await page.getByRole('link', { name: 'Feature flags' }).click()
  await page.getByRole('link', { name: 'New flag' }).first().click()
  await page.getByLabel('Key').fill('checkout-2')
  await page.getByRole('button', { name: 'Create flag' }).click()
  await page.getByText('Enabling a flag needs approval in this project.').waitFor()
  await expectEachLook(page, 'flag-new-held')
  await page.getByRole('button', { name: 'Start disabled' }).click()
  await page.getByText('The flag is disabled until you enable it.').waitFor()
  await page.getByRole('button', { name: 'Create flag' }).click()
  await page.getByRole('heading', { name: 'checkout-2' }).waitFor()
})

it('keep a deletion pending, and show why an approved change failed', async () => {
  const console = await open()
  const { page, api, projectId, at, visit } = console
  const flag = await aFlag(console)
  const path = `/api/projects/${projectId}/approval_policies/`
  const { id: policyId } = await policy(console, { action_key: 'feature_flag.disable' })
  await visit(`feature_flags/${flag.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete flag' }).click()
  await dialog.getByText('checkout: Deleting this flag needs approval.', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('waits for approval (0 of 1 approval)').waitFor()
  await api('PATCH', `${path}${policyId}/`, { enabled: false })

  // A policy that holds each deletion is known before.
  await Promise.all(['spare', 'unused'].map((key) => aFlag(console, { key })))
  const { id: everyId } = await policy(console)
  await page.goto(at('feature_flags'))
  for (const key of ['spare', 'unused']) await page.getByRole('checkbox', { name: `Select ${key}` }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByText('Each flag needs approval: one request a flag is made.').waitFor()
  await expectEachLook(page, 'flags-delete-held')
  await dialog.getByRole('button', { name: 'Request approvals' }).click()
  await page.getByText('2 changes need approval: they are requested.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await api('PATCH', `${path}${everyId}/`, { enabled: false })
  await api('PATCH', `/api/projects/${projectId}/feature_flags/${flag.id}/`, { key: 'changed-meanwhile' })
  const request = (await requestsOf(console)).find(({ intent }) => intent.flag_id === flag.id)
  await page.goto(at(`change_requests/${request!.id}`))
  await page.getByText('What this request changes has changed since it was made').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('The change was approved and could not be made.').waitFor()
  await expectEachLook(page, 'change-request-failed')
})
