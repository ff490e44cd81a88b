// Dialogs: what a refusal shows, and what the keys and clicks after them reach.
import { expect, it } from 'vitest'
import { button, dialog, sendAndWait } from './events-support'
import { confirmTurn, SIZES, useConsole } from './support'

const open = useConsole()

it('shows a refusal above the buttons, wherever a tall dialog is scrolled to', async () => {
  const { page } = await open({ width: 'phone' })
  await page.goto('/settings/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('What is it for?').fill('Deploy script')
  await page.getByLabel('Read and test feature flags').check()
  const address = '**/api/personal_api_keys/'
  await page.route(address, (route) =>
    route.fulfill({
      status: 400,
      json: { type: 'validation_error', code: 'invalid', detail: 'Not today.', attr: null },
    }),
  )
  await page.getByRole('button', { name: 'Create key' }).click()
  const { y, height } = (await page.getByRole('alert').filter({ hasText: 'Not today.' }).boundingBox())!
  const buttons = (await page.locator('dialog > footer').boundingBox())!
  expect(y).toBeGreaterThan(0)
  expect(y + height).toBeLessThanOrEqual(Math.min(buttons.y, SIZES.phone.height))
  await page.unroute(address)
})

it('stays open after the Enter on a row that opens it', async () => {
  const console = await open()
  const { page } = console
  await sendAndWait(console, [{ event: 'purchase', distinct_id: 'anna' }])
  await console.visit('events')
  await button(console, 'purchase').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await dialog(console).getByText('anna').first().waitFor()
  await page.keyboard.press('Enter')
  await dialog(console).waitFor({ state: 'hidden' })
})

it('keeps the second half of a double click from what lies below it', async () => {
  const { page, api, projectId, visit } = await open()
  for (let index = 0; index < 20; index += 1)
    await api('POST', `/api/projects/${projectId}/feature_flags/`, { key: `flag-${index}` })
  await visit('feature_flags')
  await page.getByRole('switch', { name: 'flag-9 enabled' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).dblclick()
  await page.getByRole('switch', { name: 'flag-9 enabled', checked: false }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/feature_flags$/)
  // The next click is one of its own.
  await page.getByRole('switch', { name: 'flag-8 enabled' }).click()
  await confirmTurn(page, 'Disable')
})
