// Events in the console: as they arrive, filtered, one in full, and why others were rejected.
import { describe, expect, it } from 'vitest'
import { ago, button, dialog, send, sendAndWait } from './events-support'
import { expectAccessible, expectEachLook, useConsole } from './support'

const open = useConsole()

const visit = (id: string, minutes: number, properties: object = {}) => ({
  event: '$pageview',
  distinct_id: id,
  timestamp: ago(minutes),
  properties: { plan: 'free', ...properties },
})

const PURCHASE = {
  event: 'purchase',
  distinct_id: 'anna',
  properties: {
    amount: 30,
    plan: 'pro',
    cart: { items: [{ sku: 'A-1' }] },
    $set: { email: 'anna@example.com' },
  },
}

/** The time after which the list looks for new events. */
const POLL_MS = 4_000
const WARNINGS_POLL_MS = 10_000

/** Filters resolve the person first. */
const PATIENCE = { timeout: 10_000 }

describe('in each look', { timeout: 120_000 }, () => {
  it('every state of the events page is accessible and fits the screen', async () => {
    const console = await open()
    const { page, errors } = console
    const check = (name: string) => expectEachLook(page, `events-${name}`)
    await console.visit('events')
    await page.getByRole('heading', { name: 'Waiting for the first event' }).waitFor()
    await check('empty')
    await console.visit('events?tab=warnings')
    await page.getByRole('heading', { name: 'No event was rejected' }).waitFor()
    await sendAndWait(console, [PURCHASE, visit('bert', 10), visit('anna', 2_000)])
    await send(console, [{ event: 'opened' }, { ...visit('anna', 1), timestamp: 'yesterday' }])
    await page.getByText('Event rejected').first().waitFor()
    await page.getByText('Example').first().click()
    await check('warnings')
    await page.goto(console.at('events'))
    await button(console, 'purchase').waitFor()
    await check('list')
    await button(console, 'Property').click()
    await button(console, 'Apply').click()
    await page.getByText('Choose a property.').waitFor()
    await check('condition')
    await button(console, 'purchase').click()
    await dialog(console).getByRole('link', { name: 'anna@example.com' }).waitFor()
    await dialog(console).getByText('1 field', { exact: true }).first().click()
    await check('event')
    await button(console, 'Show as JSON').click()
    await check('event-json')
    await console.visit('events?event=nothing')
    await page.getByRole('heading', { name: 'No event matches' }).waitFor()
    expect(errors).toEqual([])
  })
})

describe('the list of events', () => {
  it('shows arriving events in order of arrival until it is paused', async () => {
    const console = await open()
    const { page } = console
    await page.clock.install()
    await page.goto(console.at('events'))
    await page.getByRole('heading', { name: 'Waiting for the first event' }).waitFor()
    await sendAndWait(console, [visit('anna', 1)])
    await page.clock.fastForward(POLL_MS)
    await button(console, '$pageview').waitFor()
    await page.keyboard.press('p')
    await page.getByText('Paused').waitFor()
    await sendAndWait(console, [PURCHASE])
    const queries: string[] = []
    page.on('request', (request) => request.url().endsWith('/query/') && queries.push(request.url()))
    await page.clock.fastForward(POLL_MS)
    expect(await button(console, 'purchase').count()).toBe(0)
    expect(queries).toEqual([])
    await button(console, 'Resume').click()
    await button(console, 'purchase').waitFor()
    expect(await page.getByRole('row').nth(1).getByRole('button').textContent()).toBe('purchase')
    // Ten days late, and two hours ahead.
    await sendAndWait(console, [{ ...visit('late', 14_400), event: 'backfilled' }])
    await sendAndWait(console, [{ ...visit('early', -120), event: 'premature' }])
    await page.clock.fastForward(POLL_MS)
    const first = page.getByRole('row').nth(1)
    await first.getByText('ahead').waitFor({ timeout: 15_000 })
    await page.getByRole('row').nth(2).getByText('late').first().waitFor()
    await page.clock.pauseAt(Date.now() + 60_000)
    // The page starts its timer when it has read the look before, so that time passes until a query is sent.
    for (let look = 1; look <= 3; look += 1) {
      queries.length = 0
      const response = page.waitForResponse((each) => each.url().endsWith('/query/'))
      await expect.poll(() => page.clock.runFor(POLL_MS).then(() => queries.length)).toBeGreaterThan(0)
      await response
      expect(queries).toHaveLength(1)
    }
    await page.clock.resume()
    await first.getByRole('button').focus()
    await page.keyboard.press('Enter')
    await dialog(console).getByText('1 hour after it arrived').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator(':focus').textContent()).toBe('premature')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/late|backfilled/)
  })

  it('filters by event, person and property, and keeps the filters in the address', async () => {
    const console = await open()
    const { page } = console
    await sendAndWait(console, [
      PURCHASE,
      visit('anna', 1),
      visit('bert', 2),
      visit('bert', 3, { plan: 'team' }),
      { event: '$identify', distinct_id: 'anna', properties: { $anon_distinct_id: 'anna-before' } },
      visit('anna-before', 50_000),
    ])
    await console.visit('events')
    const rows = () => page.getByRole('row').count()
    await expect.poll(rows, PATIENCE).toBe(7)
    const event = page.getByRole('combobox', { name: 'Event' })
    const focused = page.locator(':focus')
    await event.fill('$pageview')
    await page.keyboard.press('Enter')
    await expect.poll(rows, PATIENCE).toBe(5)
    await event.and(focused).waitFor()
    await page.getByRole('combobox', { name: 'Person' }).fill('anna')
    await page.keyboard.press('Enter')
    // All distinct ids of the person.
    await expect.poll(rows, PATIENCE).toBe(3)
    await page.reload()
    await expect.poll(rows, PATIENCE).toBe(3)
    await button(console, 'Clear').click()
    await expect.poll(rows, PATIENCE).toBe(7)
    await event.and(focused).waitFor()
    expect(await event.inputValue()).toBe('')
    await button(console, 'Property').click()
    await page.getByLabel('Property of the filter').fill('plan')
    await page.getByLabel('Values of the filter').fill('team')
    await page.keyboard.press('Escape')
    await button(console, 'Apply').click()
    await expect.poll(rows, PATIENCE).toBe(2)
    await button(console, 'Property').and(focused).waitFor()
    expect(new URL(page.url()).search).toBe('?where=%5B%5B%22plan%22%2C%22exact%22%2C%22team%22%5D%5D')
    await button(console, 'Property').click()
    await page.getByLabel('Property of the filter').fill('amount')
    await page.keyboard.press('Escape')
    await page.getByLabel('Operator of the filter').selectOption('is not set')
    await button(console, 'Apply').click()
    await page.waitForURL(/amount/)
    await page.reload()
    await expect.poll(rows, PATIENCE).toBe(2)
    await button(console, 'Remove the filter plan is team').click()
    await expect.poll(rows, PATIENCE).toBe(6)
    await button(console, 'Property').and(focused).waitFor()
    await console.visit('events?from=2020-01-01&to=2020-01-31')
    await page.getByRole('heading', { name: 'No event matches' }).waitFor()
    await page.getByLabel('To', { exact: true }).fill('2099-01-01')
    await expect.poll(rows, PATIENCE).toBe(7)
  })

  it('shows a whole event at its own address', async () => {
    const console = await open()
    const { page } = console
    await sendAndWait(console, [PURCHASE])
    await console.visit('events')
    await button(console, 'purchase').click()
    await dialog(console).getByRole('link', { name: 'anna@example.com' }).waitFor()
    await page.reload()
    await dialog(console).getByText('amount').waitFor()
    await dialog(console).getByText('1 field', { exact: true }).first().click()
    await dialog(console).getByText('1 item', { exact: true }).waitFor()
    await button(console, 'Show as JSON').click()
    expect(await dialog(console).locator('pre').textContent()).toContain('"sku": "A-1"')
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog(console).count()).toBe(0)
    expect(new URL(page.url()).search).toBe('')
    await console.visit(`events?show=${crypto.randomUUID()}`)
    await page.getByText('There is no such event').waitFor()
  })

  it('renders only visible rows, keeps its position while older events are read, links to the new ones, and loads older ones on scroll', async () => {
    const console = await open()
    const { page } = console
    await sendAndWait(
      console,
      Array.from({ length: 250 }, (_, n) => visit(`user-${n % 9}`, n * 30 + 5)),
    )
    await page.clock.install()
    await page.goto(console.at('events'))
    await button(console, '$pageview').first().waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    await page.evaluate('scrollTo(0, 1500)')
    await sendAndWait(console, [PURCHASE])
    await page.clock.fastForward(POLL_MS)
    await button(console, 'New events').waitFor({ timeout: 15_000 })
    await expectAccessible(page)
    // The button takes some room above.
    expect(await page.evaluate('scrollY > 1400 && scrollY < 1600')).toBe(true)
    expect(await button(console, 'purchase').count()).toBe(0)
    await button(console, 'New events').click()
    await button(console, 'purchase').waitFor()
    expect(await button(console, 'New events').count()).toBe(0)
    const last = async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      return page.getByRole('row').last().getAttribute('aria-rowindex')
    }
    await expect.poll(last, { timeout: 15_000 }).toBe('252')
  })

  it('shows a failed load, and keeps its rows when a later request fails', async () => {
    const console = await open()
    const { page } = console
    await sendAndWait(console, [PURCHASE])
    await page.clock.install()
    await page.route('**/query/', (route) =>
      route.fulfill({ status: 503, json: { detail: 'Too many queries wait.' } }),
    )
    await page.goto(console.at('events'))
    await page.getByText('Too many queries wait.').waitFor()
    await page.unroute('**/query/')
    await button(console, /Try again/).click()
    await button(console, 'purchase').waitFor()
    await page.route('**/query/', (route) =>
      route.fulfill({ status: 503, json: { detail: 'Too many queries wait.' } }),
    )
    await page.clock.fastForward(POLL_MS)
    await page.getByText('New events cannot be loaded').waitFor()
    expect(await button(console, 'purchase').count()).toBe(1)
    await page.unroute('**/query/')
    await page.clock.fastForward(POLL_MS)
    await expect
      .poll(() => page.getByText('New events cannot be loaded').count(), { timeout: 10_000 })
      .toBe(0)
  })
})

describe('warnings', () => {
  it('appear with the reason, the field, an example and a count', async () => {
    const console = await open()
    const { page } = console
    await page.clock.install()
    await page.goto(console.at('events?tab=warnings'))
    await page.getByRole('heading', { name: 'No event was rejected' }).waitFor()
    const appears = (text: string) =>
      expect
        .poll(() => page.clock.fastForward(WARNINGS_POLL_MS).then(() => page.getByText(text).count()), {
          timeout: 20_000,
        })
        .toBeGreaterThan(0)
    const event = { event: 'opened', properties: { secret: 'hidden', $lib: 'web' } }
    expect(await send(console, [event, event])).toBe(400)
    const list = page.getByRole('list', { name: 'Warnings' })
    await appears('This field is required.')
    await list.getByText('2 events').waitFor()
    await list.getByText('Example').click()
    await list.getByText('missing').waitFor()
    expect(await send(console, [{ ...event, distinct_id: 'anna', timestamp: 'yesterday' }])).toBe(200)
    await page.reload()
    await appears('Time of arrival')
    await list.getByText('Example').last().click()
    await list.getByText('secret, $lib').last().waitFor()
    expect(await list.getByText('hidden').count()).toBe(0)
    await page.route('**/ingestion_warnings/', (route) => route.abort())
    await page.reload()
    await appears('The service cannot be reached')
  })

  it('and events are reached by keys and the palette', async () => {
    const console = await open({ path: 'feature_flags' })
    const { page } = console
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search flags, queries, people and pages').fill('warnings')
    await page.getByRole('option', { name: /Warnings/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No event was rejected' }).waitFor()
  })
})
