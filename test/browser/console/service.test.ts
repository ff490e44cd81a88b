// The operator's page of the console.
import { describe, expect, it } from 'vitest'
import { expectEachLook, settled, useConsole } from './support'

const open = useConsole()

const STATUS = '**/api/instance_status/'

describe('the service page', () => {
  it('is accessible', { timeout: 120_000 }, async () => {
    const console = await open()
    const { page, errors } = console
    await console.visit('settings/service')
    await page.getByRole('heading', { name: 'Service', level: 1 }).waitFor()
    await page.getByText(/^Version \d+\.\d+\.\d+/).waitFor()
    await page.getByRole('meter', { name: 'Share of DB that is used' }).waitFor()
    const guides = await page.getByRole('region', { name: 'Guides' }).getByRole('link').all()
    for (const guide of guides) {
      const path = (await guide.getAttribute('href'))!
      expect({ path, status: (await page.request.get(path)).status() }).toEqual({ path, status: 200 })
    }
    await page.route(STATUS, async (route) => {
      const response = await route.fetch()
      const status = (await response.json()) as Record<string, object[]>
      const [main, shard] = status.databases!
      await route.fulfill({
        json: {
          ...status,
          databases: [
            { ...main, bytes: 7_200_000_000, warning: 'DB holds 7.2 GB of 10.0 GB.' },
            { ...shard, bytes: null },
          ],
          queues: [
            { name: 'INGESTION', messages: 12_400, oldest_at: '2026-01-01T00:00:00Z' },
            { name: 'BUILDS', messages: null, oldest_at: null },
            { name: 'WEBHOOKS', messages: 3, oldest_at: null },
          ],
          requests: { since: '2026-01-01T00:00:00Z', total: 4_000, errors: 10 },
          backup: {
            finished_at: '2026-01-01T03:18:00Z',
            rows: 1_204_311,
            bytes: 96_112_204,
            running_since: '2026-01-02T03:17:00Z',
            failed_at: '2026-01-02T03:19:00Z',
            error: 'Error: R2 is away',
          },
        },
      })
    })
    await page.reload()
    await page.getByText('DB holds 7.2 GB of 10.0 GB.').waitFor()
    await page.getByText('EVENTS did not respond within 3 seconds.').waitFor()
    await page.getByText('12,400 messages of INGESTION wait for more than five minutes.').waitFor()
    await page.locator('dt', { hasText: 'Webhooks' }).waitFor()
    await page.getByText('The backup does not go on: Error: R2 is away').waitFor()
    await page.getByText('1,204,311 rows, 96 MB compressed').waitFor()
    await page.getByText('10 · 0.25%').waitFor()
    await settled(page)
    await expectEachLook(page, 'service-warned')
    expect(errors).toEqual([])
  })

  it('appears in the navigation and palette for staff, and refreshes', async () => {
    const console = await open({ path: 'feature_flags' })
    const { page } = console
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search flags, queries, people and pages').fill('Service')
    await page.getByRole('option', { name: 'Service' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Service', level: 1 }).waitFor()
    await page.route(STATUS, (route) => route.abort())
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('The service cannot be reached').waitFor({ timeout: 20_000 })
    await page.getByRole('meter', { name: 'Share of DB that is used' }).waitFor()
    await page.unroute(STATUS)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The service cannot be reached').waitFor({ state: 'detached' })
  })

  it('is forbidden to others by the server and absent from their navigation', async () => {
    const console = await open()
    const { page } = console
    await page.route('**/api/users/*/', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ json: { ...((await response.json()) as object), is_staff: false } })
    })
    let asked = 0
    await page.route(STATUS, (route) => {
      asked += 1
      return route.fulfill({
        status: 403,
        json: {
          type: 'authentication_error',
          code: 'permission_denied',
          detail: 'You are not a staff user, contact your instance admin.',
          attr: null,
        },
      })
    })
    await page.clock.install()
    await page.goto(console.at('settings/service'))
    await page.getByRole('heading', { name: 'For operators only' }).waitFor()
    await page.clock.runFor(100_000)
    expect(asked).toBe(1)
    expect(await page.getByRole('link', { name: 'Service' }).count()).toBe(0)
  })
})
