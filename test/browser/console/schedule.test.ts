// Scheduled changes in the console: adding, repeating, canceling, and what came of them.
import { expect, inject, it } from 'vitest'
import { EVERY_MINUTE } from '../../../src/jobs/crons'
import { expectEachLook, useConsole } from './support'

const open = useConsole()

interface Change {
  id: number
  payload: { operation: string; value: unknown }
  scheduled_at: string
  is_recurring: boolean
  recurrence_interval: string | null
}

it('are added in the time zone of the project, listed, and canceled', async () => {
  const { page, api, projectId, errors, visit } = await open()
  await api('PATCH', `/api/projects/${projectId}/`, { timezone: 'Europe/Berlin' })
  const flag = await api<{ id: number }>('POST', `/api/projects/${projectId}/feature_flags/`, {
    key: 'launch',
    active: false,
  })
  const path = `/api/projects/${projectId}/scheduled_changes/?record_id=${flag.id}`
  const changes = async () => (await api<{ results: Change[] }>('GET', path)).results
  await visit(`feature_flags/${flag.id}?tab=schedule`)
  await page.getByRole('heading', { name: 'No scheduled changes' }).waitFor()

  await page.getByRole('button', { name: 'Schedule a change' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('At', { exact: true }).fill('2020-01-01T09:00')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await dialog.getByText('This time has passed. It must be in the future.').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('datetime-local')
  await dialog.getByLabel('At', { exact: true }).fill('2099-07-03T09:00')
  await dialog.getByLabel('Repeat').selectOption('Every week')
  await dialog.getByText('Counted in UTC').waitFor()
  // Half a date is not “without an end”.
  await dialog.getByLabel('Until').focus()
  await page.keyboard.type('01012099')
  await page.keyboard.press('Enter')
  await dialog.getByText('Enter a date and a time.').waitFor()
  expect(await changes()).toEqual([])
  await dialog.getByLabel('Until').fill('2099-07-02T09:00')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await dialog.getByText('This is not after the first change.').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.labels[0].textContent')).toBe('Until')
  expect(await changes()).toEqual([])
  await dialog.getByLabel('Until').fill('')
  await expectEachLook(page, 'schedule-dialog')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText('Scheduled for Fri, Jul 3, 2099, 09:00 GMT+2.').waitFor()
  // The button that opened the dialog is gone with the empty state.
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
  expect(await changes()).toMatchObject([
    {
      payload: { operation: 'update_status', value: true },
      scheduled_at: '2099-07-03T07:00:00Z',
      is_recurring: true,
      recurrence_interval: 'weekly',
    },
  ])

  await page.getByRole('button', { name: 'Schedule a change' }).click()
  await dialog.getByLabel('Change').selectOption({ value: 'release' })
  await dialog.getByLabel('Share of set 1', { exact: true }).fill('30')
  await dialog.getByText('Then: Disabled: off for everyone.').waitFor()
  await dialog.getByLabel('At', { exact: true }).fill('2099-01-03T09:00')
  await expectEachLook(page, 'schedule-release')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText('Scheduled for Sat, Jan 3, 2099, 09:00 GMT+1.').waitFor()
  const list = page.getByRole('region', { name: 'Scheduled changes' }).getByRole('listitem')
  await expect
    .poll(() => list.allInnerTexts(), { timeout: 10_000 })
    .toEqual([expect.stringMatching(/^Release to 30% of people/), expect.stringContaining('every week')])
  await expectEachLook(page, 'schedule')

  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByText('on Sat, Jan 3, 2099, 09:00 GMT+1').waitFor()
  await page.getByRole('link', { name: 'the first of 2 scheduled changes' }).click()
  await list.nth(1).getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete the change' }).click()
  await page.getByText('The scheduled change is deleted.').waitFor()
  await visit('activity')
  const entry = page.getByRole('listitem').filter({ hasText: 'scheduled change of launch' })
  await entry
    .filter({ hasText: 'deleted' })
    .getByText(/^Due .*2099/)
    .waitFor()
  await entry
    .filter({ hasText: 'created' })
    .getByText(/^Release to/)
    .waitFor()
  expect(await changes()).toMatchObject([{ payload: { operation: 'add_release_condition' } }])
  expect(errors).toEqual([expect.stringContaining('400')])
})

it('show their results, and a flag which file manages it', async () => {
  const { page, api, projectId, at, visit } = await open()
  const flags = `/api/projects/${projectId}/feature_flags/`
  const flag = await api<{ id: number }>('POST', flags, {
    key: 'launch',
    active: false,
    tags: ['managed-by:halyard.json'],
  })
  const soon = new Date(Date.now() + 2_000).toISOString()
  await api('POST', `/api/projects/${projectId}/scheduled_changes/`, {
    record_id: String(flag.id),
    model_name: 'FeatureFlag',
    payload: { operation: 'update_status', value: true },
    scheduled_at: soon,
  })
  await visit(`feature_flags/${flag.id}`)
  await page.getByText('The file halyard.json manages this flag.').waitFor()
  const cron = encodeURIComponent(EVERY_MINUTE)
  const isActive = async () => {
    await fetch(`${inject('served').url}/cdn-cgi/local/scheduled?cron=${cron}`)
    return (await api<{ active: boolean }>('GET', `${flags}${flag.id}/`)).active
  }
  await expect.poll(isActive, { timeout: 10_000 }).toBe(true)
  await page.goto(at(`feature_flags/${flag.id}?tab=schedule`))
  const past = page.getByRole('region', { name: 'Past changes' })
  await past.getByText('Enable the flag').waitFor()
  await past.getByText('Done').waitFor()
  await page.getByRole('switch', { name: 'launch enabled', checked: true }).waitFor()
  await expectEachLook(page, 'schedule-past')
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('link', { name: 'by a scheduled change' }).click()
  await past.waitFor()
  await visit('activity?kind=flags')
  await page.getByRole('listitem').filter({ hasText: 'by a scheduled change' }).first().waitFor()
})
