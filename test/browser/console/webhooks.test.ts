// Webhooks in the console: added, tested, sent, repeated, paused and deleted.
import { describe, expect, it } from 'vitest'
import { createReceiver, verified } from '../../support/server/receiver'
import { expectEachLook, useConsole } from './support'

const open = useConsole()

const TEN_SECONDS = { timeout: 10_000 }

describe('webhooks', () => {
  it('are added, tested and deleted, and send each change', async () => {
    const console = await open({ path: 'feature_flags' })
    const { page, api, projectId, errors } = console
    const receiver = await createReceiver()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('heading', { name: 'No webhooks' }).waitFor()

    await page.getByRole('button', { name: 'Add a webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill('nowhere')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('Enter a URL that begins with https:// or http://.').waitFor()
    await dialog.getByLabel('URL').fill(receiver.url)
    await dialog.getByLabel('Description').fill('Tells the chat.')
    await dialog.getByRole('switch', { name: 'All changes' }).click()
    for (const other of [
      'Cohorts',
      'Dashboards',
      'Saved queries',
      'Deleted people',
      'Approvals',
      'Scheduled changes',
      'Webhooks',
    ])
      await dialog.getByRole('checkbox', { name: other }).uncheck()
    await expectEachLook(page, 'webhooks-form')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    const secret = await dialog.getByLabel('Secret').innerText()
    expect(secret).toMatch(/^whsec_/)
    await dialog.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
    await dialog.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/^The receiver responded with 200 in \d+ ms\.$/).waitFor()
    expect(await page.getByLabel('Response to the test').innerText()).toBe('received')

    await receiver.answer([{ status: 500 }])
    await api('POST', `/api/projects/${projectId}/feature_flags/`, { key: 'beta' })
    await expect.poll(async () => (await receiver.calls()).length, TEN_SECONDS).toBe(2)
    const [, call] = await receiver.calls()
    expect(await verified(call!, secret, Date.now())).toMatchObject({
      type: 'FeatureFlag.created',
      data: { detail: { name: 'beta' } },
    })
    await page.reload()
    await page.getByText('Failing', { exact: true }).waitFor()
    await page.getByText('Deliveries', { exact: true }).click()
    await page.getByText('Flag created').click()
    await page.getByText('FeatureFlag.created').waitFor()
    await page.getByText('The receiver responded with 500.').waitFor()
    await expectEachLook(page, 'webhooks-delivery')
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(async () => (await receiver.calls()).length, TEN_SECONDS).toBe(3)
    const [, first, again] = await receiver.calls()
    expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    await page.getByText('Delivered', { exact: true }).waitFor()

    const actions = page.getByRole('button', { name: /^Actions for/ })
    await actions.click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    await actions.click()
    await page.getByRole('menuitem', { name: 'Start' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await actions.click()
    await page.getByRole('menuitem', { name: 'Replace the secret…' }).click()
    await dialog.getByRole('button', { name: 'Replace' }).click()
    expect(await dialog.getByLabel('Secret').innerText()).not.toBe(secret)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await actions.click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No webhooks' }).waitFor()
    await console.visit('activity?kind=webhooks')
    await page.getByText(`deleted webhook to ${new URL(receiver.url).host}`).waitFor()
    await page.getByText('replaced', { exact: true }).waitFor()
    await page.getByLabel('What changed').selectOption('Scheduled changes')
    await page.getByRole('heading', { name: 'No change matches' }).waitFor()
    // The form rejects an invalid URL.
    expect(errors.filter((error) => !error.includes('400'))).toEqual([])
  })
})
