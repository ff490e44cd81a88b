// A saved query in the console: editor, variables, results, saving, versions, runs, materialization, code.
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import {
  button,
  capture,
  create,
  editor,
  endpointsPath,
  hogql,
  openJson,
  openQuery,
  read,
  run,
  SQL,
  write,
} from './queries-support'
import { expectAccessible, expectEachLook, useConsole } from './support'

const open = useConsole()

describe('a saved query', () => {
  it('opens with its last result and the time of it or why it cannot be read, is edited after that, and has no result while it is inactive', async () => {
    const console = await open()
    const { page, api, errors } = console
    await capture(console)
    await create(console, 'orders')
    const ran = await api<{ last_refresh: string }>('POST', `${endpointsPath(console, 'orders')}run/`, {})
    const runs = '**/endpoints/orders/run/'
    await page.route(runs, (route) => route.fulfill({ status: 429, json: {} }))
    await console.visit('endpoints/orders')
    await page.getByRole('alert').getByText('Too many requests.').waitFor()
    await page.unroute(runs)
    errors.length = 0
    await button(console, 'Try again').click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText(/^2 rows · computed/).waitFor()
    expect(await result.locator('time').getAttribute('datetime')).toBe(ran.last_refresh)
    await page.getByRole('region', { name: 'Query', exact: true }).getByText('SELECT event').waitFor()
    expect(await editor(console).count()).toBe(0)
    await expectEachLook(page, 'query-saved')
    await button(console, 'Run again').click()
    await expect.poll(() => result.locator('time').getAttribute('datetime')).not.toBe(ran.last_refresh)
    await button(console, 'Edit').click()
    // The result stays until another one is there, and the focus is in the query.
    await page.locator('.cm-focused').waitFor()
    await result.getByText(/^2 rows · computed .* · of the saved version/).waitFor()
    await write(console, 'SELECT 2 AS two')
    await page.keyboard.press('Control+s')
    await button(console, 'Save').click()
    await page.getByText('orders saved as version 2.').waitFor()
    await page.getByRole('region', { name: 'Query', exact: true }).getByText('SELECT 2 AS two').waitFor()
    await result.getByText(/^1 row · computed/).waitFor()
    await api('PATCH', endpointsPath(console, 'orders'), { is_active: false })
    await page.reload()
    await page.getByText('This query is inactive').waitFor()
    await button(console, 'Edit').waitFor()
    expect(await result.count()).toBe(0)
    expect(errors).toEqual([])
  })

  it('has fields for its variables, and an insight is in words', async () => {
    const console = await open()
    const { page, api, projectId } = console
    await capture(console)
    await api('POST', `/api/projects/${projectId}/insight_variables/`, {
      name: 'Plan',
      type: 'String',
      default_value: 'pro',
    })
    await create(console, 'of-plan', {
      query: hogql('SELECT count() AS n FROM events WHERE properties.plan = {variables.plan}'),
    })
    await console.visit('endpoints/of-plan')
    await page.locator('.numbers').getByText('5', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'plan' }).fill('free')
    await page.locator('.numbers').getByText('35', { exact: true }).waitFor()
    await expect.poll(() => decodeURIComponent(new URL(page.url()).search)).toBe('?variables={"plan":"free"}')
    await button(console, 'Edit').click()
    await editor(console).waitFor()
    expect(await page.getByRole('textbox', { name: 'plan' }).inputValue()).toBe('free')
    await page.reload()
    expect(await page.getByRole('textbox', { name: 'plan' }).inputValue()).toBe('free')
    await run(console)
    await page.locator('.numbers').getByText('35', { exact: true }).waitFor()
    await api('POST', `/api/projects/${projectId}/insight_variables/`, {
      name: 'Least',
      type: 'Number',
      default_value: 20,
    })
    await create(console, 'large', {
      query: hogql('SELECT count() AS n FROM events WHERE properties.amount > {variables.least}'),
    })
    await page.goto(console.at('endpoints/large'))
    await page.locator('.numbers').getByText('20', { exact: true }).waitFor()
    const least = page.getByRole('textbox', { name: 'least' })
    // A value that is not a number is not run.
    await least.fill('abc')
    await page.getByText('Enter a number.').waitFor()
    expect(await least.getAttribute('aria-invalid')).toBe('true')
    await least.fill('30')
    await page.locator('.numbers').getByText('10', { exact: true }).waitFor()
    await least.fill('1e')
    await page.getByText('Enter a number.').waitFor()
    await page.locator('.numbers').getByText('10', { exact: true }).waitFor()
    await create(console, 'visits', {
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
    })
    await console.visit('endpoints/visits')
    await page.getByText('Number of $pageview').waitFor()
    await page.locator('.legend').waitFor()
    expect(await page.getByText('"kind"').count()).toBe(0)
    await expectEachLook(page, 'query-saved-insight')
  })
})

describe('the editor', () => {
  it('completes columns, functions, properties, events and variables', async () => {
    const console = await open()
    const { page, api, errors } = console
    await capture(console)
    await api('POST', `/api/projects/${console.projectId}/insight_variables/`, {
      name: 'Plan',
      type: 'String',
    })
    await openQuery(console, 'orders')
    const option = (name: string) => page.getByRole('option', { name, exact: false }).first()
    await write(console, 'SELECT ')
    await page.keyboard.type('uniqEx')
    await option('uniqExact').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.keyboard.type('properties.am')
    await option('amount').waitFor()
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
    await page.keyboard.insertText(') FROM events e WHERE e.')
    await page.keyboard.type('dist')
    await option('distinct_id').waitFor()
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
    await page.keyboard.insertText(" != '' AND event = '")
    await page.keyboard.type('purch')
    await option('purchase').waitFor()
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
    await page.keyboard.insertText("' AND properties.plan = {")
    await page.keyboard.type('var')
    await option('variables.plan').waitFor()
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
    await page.keyboard.insertText('}')
    expect(await editor(console).innerText()).toBe(
      "SELECT uniqExact(properties.amount) FROM events e WHERE e.distinct_id != '' AND event = 'purchase' AND properties.plan = {variables.plan}",
    )
    await page.getByText('The query is valid.').waitFor()
    expect(errors).toEqual([])
  })

  it('replaces what is selected by what is typed, in one step, and asks for no style that the page refuses', async () => {
    const console = await open()
    const { page, errors } = console
    await openQuery(console, 'orders')
    const before = await editor(console).innerText()
    await editor(console).press('Control+a')
    await page.keyboard.type('S')
    expect(await editor(console).innerText()).toBe('S')
    await page.keyboard.press('Control+z')
    expect(await editor(console).innerText()).toBe(before)
    expect(errors).toEqual([])
  })

  it('underlines an error, applies the suggested fix, is left by Tab, and keeps the query when a check or run fails', async () => {
    const console = await open()
    const { page } = console
    await openQuery(console, 'orders')
    await write(console, 'SELECT event,\n  cuont() FROM events')
    await page.getByText('Line 2, column 3: Unsupported function call').waitFor()
    expect(await page.locator('.cm-lintRange-error').innerText()).toBe('cuont')
    expect(await editor(console).getAttribute('aria-describedby')).not.toBeNull()
    await button(console, 'Replace by count').click()
    await page.getByText('The query is valid.').or(page.getByText('GROUP BY')).first().waitFor()
    expect(await editor(console).innerText()).toContain('count() FROM events')
    await editor(console).focus()
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Run')
    // What the editor says of a query is not said again by a run, whose words draw a mark below it.
    await write(console, 'SELECT evnt, count() FROM events GROUP BY ')
    await page.getByText('the query ends where more is expected').waitFor()
    const rejected = page.waitForResponse('**/query/')
    await button(console, /^Run/).click()
    expect((await rejected).status()).toBe(400)
    await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' })
    expect(await page.getByText('the query ends where more is expected').count()).toBe(1)
    // A check or a run that fails or is rejected keeps the query.
    await page.route('**/query/', (route) => route.abort())
    await write(console, 'SELECT 2 AS two')
    await page.getByText('Not checked: The service cannot be reached').waitFor()
    await button(console, /^Run/).click()
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
    expect(await editor(console).innerText()).toBe('SELECT 2 AS two')
    await page.unroute('**/query/')
    await button(console, 'Try again').click()
    await page.getByText(/^1 row · ran in/).waitFor()
    await page.route('**/query/', () => {})
    await button(console, /^Run/).click()
    await button(console, 'Stop waiting').click()
    await button(console, 'Stop waiting').waitFor({ state: 'detached' })
    await page.getByText(/^1 row · ran in/).waitFor()
    expect(await editor(console).innerText()).toBe('SELECT 2 AS two')
    await page.unroute('**/query/')
    const costly = 'SELECT count() FROM numbers(1000000) a CROSS JOIN numbers(1000000) b'
    await write(console, costly)
    await button(console, /^Run/).click()
    await page.locator('.check-line .error').waitFor()
    expect(await editor(console).innerText()).toBe(costly)
  })
})

describe('variables', () => {
  it('are fields with the values of the query, which a run can override', async () => {
    const console = await open()
    const { page, api, projectId } = console
    await capture(console)
    await openQuery(console, 'orders')
    await write(console, 'SELECT count() AS n FROM events WHERE properties.plan = {variables.planName}')
    await page.getByText('write {variables.planname}').waitFor()
    expect(await button(console, 'Create it').count()).toBe(0)
    await write(console, 'SELECT count() AS n FROM events WHERE properties.plan = {variables.plan_name}')
    await page.getByText('The project has no variable plan_name').waitFor()
    expect(await page.getByText('undefined variable').count()).toBe(0)
    expect(await button(console, /^Run/).isDisabled()).toBe(true)
    await button(console, 'Create it').click()
    await page.getByRole('dialog').getByLabel('Type').selectOption('Number')
    await page.getByRole('dialog').getByLabel('Default').fill('ten')
    await button(console, 'Create variable').click()
    await page.getByRole('dialog').getByText('Enter a number.').waitFor()
    await page.getByRole('dialog').getByLabel('Type').selectOption('Text')
    await page.getByRole('dialog').getByLabel('Default').fill('pro')
    await expectAccessible(page)
    await button(console, 'Create variable').click()
    await page.getByText('Variable plan_name created.').waitFor()
    await page.locator('.cm-focused').waitFor()
    await page.getByText('The query is valid.').waitFor()
    await run(console)
    await page.locator('.numbers').getByText('5', { exact: true }).waitFor()
    await page.getByLabel('plan_name').fill('free')
    await page.keyboard.press('Control+Enter')
    await page.locator('.numbers').getByText('35', { exact: true }).waitFor()
    const types = { plans: 'List', min: 'Number', since: 'Date', paid: 'Boolean' }
    for (const [name, type] of Object.entries(types))
      await api('POST', `/api/projects/${projectId}/insight_variables/`, { name, type })
    await page.reload()
    await write(
      console,
      `SELECT count() AS n FROM events WHERE properties.plan IN {variables.plans} AND properties.amount > {variables.min}
      AND timestamp > {variables.since} AND (event = 'purchase') = {variables.paid}`,
    )
    await page.getByRole('combobox', { name: 'plans' }).fill('free')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'plans' }).fill('of-a-value-that-is-longer-than-the-field')
    await page.keyboard.press('Enter')
    const beyond = `(({ offsetWidth, parentElement }) => offsetWidth - parentElement.offsetWidth)(document.querySelector('.tokens'))`
    expect(await page.evaluate(beyond)).toBe(0)
    await page.getByLabel('min').fill('30')
    await page.getByLabel('since').fill('2026-01-01')
    await page.getByLabel('paid').selectOption('false')
    await page.getByText('The query is valid.').waitFor()
    await expectEachLook(page, 'query-variables')
    await run(console)
    // Of the ten largest amounts, those of no purchase.
    await page.locator('.numbers').getByText('8', { exact: true }).waitFor()
  })
})

describe('a result', () => {
  it('is a plot whose settings can be changed and are kept', async () => {
    const console = await open()
    const { page } = console
    await capture(console)
    await openQuery(console, 'orders', {
      query: hogql(
        'SELECT toStartOfDay(timestamp) AS day, event, count() AS total FROM events GROUP BY day, event ORDER BY day',
      ),
    })
    await run(console)
    await page.locator('.legend').getByText('purchase').waitFor()
    await page.getByLabel('Kind of plot').selectOption('Bars')
    await page.getByLabel('Axis').selectOption('by day')
    await page.getByRole('list', { name: 'orders' }).waitFor()
    await page.reload()
    await run(console)
    await page.getByRole('list', { name: 'orders' }).waitFor()
    expect(await page.getByLabel('Axis').inputValue()).toBe('day')
    await button(console, 'Table').click()
    await page.getByRole('columnheader', { name: 'total' }).waitFor()
    await page.reload()
    await run(console)
    await page.getByRole('columnheader', { name: 'total' }).waitFor()
  })

  it('renders only visible rows, says where more are, and is downloaded as CSV and JSON', async () => {
    const console = await open()
    const { page } = console
    await openQuery(console, 'numbers', { query: hogql('SELECT number FROM numbers(20000) LIMIT 20000') })
    await run(console)
    await page.getByText(/^20,000 rows · ran in/).waitFor()
    const rows = page.getByRole('region', { name: 'Rows' }).getByRole('row')
    expect(await rows.count()).toBeLessThan(60)
    await page.getByRole('region', { name: 'Rows' }).focus()
    await page.keyboard.press('End')
    await page.getByRole('cell', { name: '19999', exact: true }).waitFor()
    await write(console, 'SELECT number FROM numbers(20000)')
    await page.keyboard.press('Control+Enter')
    await page.getByText('These are the first 100 rows.').waitFor()
    await write(console, "SELECT 1 AS a, 'x,y' AS b")
    await page.keyboard.press('Control+Enter')
    await page.getByText(/^1 row · ran in/).waitFor()
    const download = async (kind: string) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        button(console, 'Download')
          .click()
          .then(() => page.getByRole('menuitem', { name: kind }).click()),
      ])
      return [file.suggestedFilename(), await readFile((await file.path())!, 'utf8')]
    }
    expect(await download('CSV')).toEqual(['numbers.csv', 'a,b\r\n1,"x,y"\r\n'])
    expect(await download('JSON')).toEqual(['numbers.json', JSON.stringify([{ a: 1, b: 'x,y' }], null, 2)])
  })
})

describe('saving', () => {
  it('creates a version after showing the difference', async () => {
    const console = await open()
    const { page, errors } = console
    await openQuery(console, 'orders')
    await capture(console)
    await write(console, `SELECT sum(properties.plan), any(properties.plann) FROM events`)
    const ofSum = "'sum' takes numbers, and the property 'plan' is text: what is not a number is left out"
    await page.getByText(`Line 1, column 8: ${ofSum}`).waitFor()
    expect(await page.locator('.cm-lintRange-warning').allInnerTexts()).toEqual([
      'sum(properties.plan)',
      'plann',
    ])
    await button(console, 'Replace by plan').click()
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').getByText(ofSum).waitFor()
    await button(console, 'Keep editing').click()
    await write(console, `${SQL}\nLIMIT 5`)
    await page.getByLabel('Description').fill('The top five')
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').getByRole('heading', { name: 'Save as version 2' }).waitFor()
    const difference = page.getByRole('dialog').getByRole('region', { name: 'Query' })
    expect(await difference.locator('.added').allInnerTexts()).toEqual([expect.stringContaining('LIMIT 5')])
    await button(console, 'Save').click()
    await page.getByText('orders saved as version 2.').waitFor()
    expect(await read(console, 'orders')).toMatchObject({
      current_version: 2,
      description: 'The top five',
      query: { query: `${SQL}\nLIMIT 5` },
    })
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0)
    expect(errors).toEqual([])
  })

  it('shows both sides after a concurrent save, and continues from it', async () => {
    const console = await open()
    const { page, api } = console
    await openQuery(console, 'orders')
    await page.getByLabel('Description').fill('Mine')
    await api('PATCH', endpointsPath(console, 'orders'), { query: hogql('SELECT 2') })
    await button(console, 'Review and save').click()
    await button(console, 'Save').click()
    await page.getByRole('dialog').getByText('This query has a newer version').waitFor()
    await page.getByRole('dialog').getByText('SELECT 2').waitFor()
    await button(console, 'Continue with mine on top').click()
    expect(await editor(console).innerText()).toBe('SELECT 2')
    await button(console, 'Review and save').click()
    await button(console, 'Save').click()
    await page.getByText('orders saved.').waitFor()
    expect(await read(console, 'orders')).toMatchObject({
      description: 'Mine',
      current_version: 2,
      query: { query: 'SELECT 2' },
    })
  })

  it('keeps the text that the service rejects, and shows the reason', async () => {
    const console = await open()
    const { page, context } = console
    await openQuery(console, 'orders')
    await write(console, 'SELECT nothing FROM events')
    await button(console, 'Review and save').click()
    await button(console, 'Save').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Unable to resolve field: nothing').first().waitFor()
    expect(await editor(console).innerText()).toBe('SELECT nothing FROM events')
    await page.route('**/endpoints/orders/', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await write(console, 'SELECT 3')
    await button(console, 'Review and save').click()
    await button(console, 'Save').click()
    await page.getByRole('dialog').getByText('The service cannot be reached').waitFor()
    await page.unroute('**/endpoints/orders/')
    const refusals = [
      [403, { detail: 'You do not have permission to perform this action.' }, 'You do not have permission'],
      [409, { detail: 'The name is taken.' }, 'The name is taken.'],
      [429, { detail: 'Request was throttled. Expected available in 7 seconds.' }, 'Request was throttled'],
      [503, {}, 'The service is busy'],
    ] as const
    for (const [status, body, words] of refusals) {
      await page.route('**/endpoints/orders/', (route) =>
        route.request().method() === 'PATCH' ? route.fulfill({ status, json: body }) : route.fallback(),
      )
      await button(console, 'Save').click()
      await page.getByRole('dialog').getByText(words).waitFor()
      await page.unroute('**/endpoints/orders/')
    }
    const cookies = await context.cookies()
    await context.clearCookies()
    await button(console, 'Save').click()
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.waitFor()
    await context.addCookies(cookies)
    await ended.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('orders saved as version 2.').waitFor()
    expect(await read(console, 'orders')).toMatchObject({ query: { query: 'SELECT 3' } })
  })

  it('asks before changes are discarded', async () => {
    const console = await open()
    const { page } = console
    await openQuery(console, 'orders')
    await page.getByLabel('Description').fill('Mine')
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByText('Version 1').waitFor()
    await page.getByRole('link', { name: 'Saved queries' }).first().click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Leave without saving?' }).waitFor()
    await button(console, 'Cancel').click()
    await page.getByRole('link', { name: /^Query/ }).click()
    expect(await page.getByLabel('Description').inputValue()).toBe('Mine')
    await button(console, 'Discard').click()
    expect(await page.getByLabel('Description').inputValue()).toBe('')
  })

  it('shows an insight as JSON with its errors', async () => {
    const console = await open()
    const { page } = console
    await openQuery(console, 'visits', {
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'visit' }] },
    })
    await openJson(console)
    await write(console, '{"kind": "TrendsQuery"')
    await button(console, 'Review and save').click()
    await page.getByText('This is not valid JSON').first().waitFor()
    await write(console, '{"kind": "TrendsQuery", "series": [{"kind": "EventsNode"}], "interval": "day"}')
    await page.getByText('The query is valid.').waitFor()
    await write(console, '{"kind": "TrendsQuery", "series": [{"kind": "EventsNode"}], "interval": "never"}')
    // Before anything is saved or run.
    await page.locator('.cm-lintRange-error').getByText('"never"').waitFor()
    await button(console, 'Review and save').click()
    await button(console, 'Save').click()
    // The check says the same before the save is refused, and the dialog keeps the editor from being used until then.
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page
      .locator('p.error')
      .getByText(/interval/)
      .waitFor()
    await page.locator('.cm-lintRange-error').getByText('"never"').waitFor()
    await write(console, '{"kind": "TrendsQuery", "series": [{"kind": "EventsNode", "event": "other"}]}')
    await button(console, 'Review and save').click()
    await button(console, 'Save').click()
    await page.getByText('visits saved as version 2.').waitFor()
  })
})

describe('the versions of a query', () => {
  it('can be compared, disabled and restored', async () => {
    const console = await open()
    const { page, api } = console
    await create(console, 'orders')
    await api('PATCH', endpointsPath(console, 'orders'), { query: hogql('SELECT 2') })
    await page.route('**/versions/*', (route) => route.fulfill({ status: 429, json: {} }))
    await console.visit('endpoints/orders?tab=versions')
    await page.getByText('Too many requests.').waitFor()
    await page.unroute('**/versions/*')
    await button(console, 'Try again').click()
    await button(console, 'Compare with 1').click()
    await page.getByRole('region', { name: 'Version 1 to version 2' }).getByText('SELECT 2').waitFor()
    await page.getByRole('switch', { name: 'Version 1 active' }).click()
    await page.getByText('Version 1 is inactive.').waitFor()
    await button(console, 'Undo').click()
    await page.getByText('Version 1 is active.').waitFor()
    await button(console, 'Use again').click()
    await page.getByRole('dialog').getByText('SELECT 2').waitFor()
    await button(console, 'Save as version 3').click()
    await page.getByText('Version 3 has the query of version 1.').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Version 3' }).getByText('Current').waitFor()
    await page.getByRole('switch', { name: 'Version 3 active' }).click()
    await page.getByRole('dialog').getByText('programs that name no version get a 400').waitFor()
    await button(console, 'Disable').click()
    await page.getByText('Version 3 is inactive.').waitFor()
    await page.getByText('Version 3, which is the current one, is inactive').waitFor()
    await page.getByRole('link', { name: 'Query', exact: true }).click()
    await button(console, 'Edit').waitFor()
    expect(await button(console, 'Try again').count()).toBe(0)
    await expectAccessible(page)
    expect(await read(console, 'orders')).toMatchObject({ current_version: 3, query: { query: SQL } })
  })
})

describe('the runs of a query', () => {
  it('are listed with their durations, and filtered by result', async () => {
    const console = await open()
    const { page, api } = console
    await create(console, 'orders')
    await console.visit('endpoints/orders?tab=runs')
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
    await page.route('**/logs/*', (route) => route.fulfill({ status: 429, json: {} }))
    await button(console, 'Refresh').click()
    await page.getByText('Too many requests.').waitFor()
    await page.unroute('**/logs/*')
    const path = `${endpointsPath(console, 'orders')}run/`
    for (let count = 0; count < 4; count += 1) await api('POST', path, { refresh: 'force' })
    await api('POST', path, { variables: { nobody: 1 } }).catch(() => {})
    const logged = async () =>
      (await api<{ count: number }>('GET', `${endpointsPath(console, 'orders')}logs/`)).count
    await expect.poll(logged).toBe(5)
    await api('POST', path, {})
    await expect.poll(logged).toBe(6)
    await button(console, 'Try again').or(button(console, 'Refresh')).first().click()
    await page.getByRole('heading', { name: 'Duration of the last 5 successful runs' }).waitFor()
    const table = page.getByRole('region', { name: 'Lines of the log' })
    expect(await table.getByRole('row').count()).toBe(7)
    await page.locator('.legend').getByText('ms from events').waitFor()
    await page.locator('.legend').getByText('ms from stored result').waitFor()
    await page.getByLabel('Result').selectOption('Failed')
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    await table.getByText('Unknown variable(s): nobody').waitFor()
    expect(new URL(page.url()).search).toContain('level=ERROR')
  })
})

/** A build is looked at every two seconds, for which tests do not wait. */
const WITHOUT_WATCH_INTERVAL = `{
  const { setInterval } = window
  window.setInterval = (run, ms, ...rest) => setInterval(run, ms === 2000 ? 100 : ms, ...rest)
}`

describe('the materialization of a query', () => {
  it('can be previewed, built and disabled', async () => {
    const console = await open()
    const { page, errors } = console
    await capture(console)
    await create(console, 'orders')
    await page.route('**/materialization_*/', (route) => route.fulfill({ status: 429, json: {} }))
    await console.visit('endpoints/orders?tab=materialization')
    await page.evaluate(WITHOUT_WATCH_INTERVAL)
    await page.getByText('Too many requests.').waitFor()
    await page.unroute('**/materialization_*/')
    await page.route('**/materialization_preview/', (route) => route.fulfill({ status: 429, json: {} }))
    await button(console, 'Try again').click()
    await page.getByRole('heading', { name: 'State' }).waitFor()
    await page.getByText('Too many requests.').waitFor()
    await page.unroute('**/materialization_preview/')
    await button(console, 'Try again').click()
    await page.getByLabel('Query of the rows').waitFor()
    const cost = page.getByRole('region', { name: 'What it costs' })
    await cost.getByText('Reads at most 40 rows, and takes less than a second.').waitFor()
    expect(await cost.getByText('May store').count()).toBe(0)
    errors.length = 0
    await button(console, 'Materialize').click()
    await page.getByText('The rows are built in the background.').waitFor()
    const state = page.getByRole('region', { name: 'State' })
    await state.getByText('Built', { exact: true }).waitFor({ timeout: 30_000 })
    await cost.getByText(/^Stored 2 rows, \d+ bytes, in/).waitFor()
    await expectAccessible(page)
    await expect.poll(() => page.getByText('Built', { exact: true }).count()).toBe(2)
    expect((await read(console, 'orders')).materialization.enabled).toBe(true)
    await button(console, 'Stop materializing').click()
    await page.getByRole('dialog').getByText('The rows are deleted').waitFor()
    await button(console, 'Cancel').click()
    expect((await read(console, 'orders')).materialization.enabled).toBe(true)
    await button(console, 'Stop materializing').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop materializing' }).click()
    await page.getByText('The rows are no longer materialized.').waitFor()
    await button(console, 'Materialize').and(page.locator(':focus')).waitFor()
    expect(errors).toEqual([])
  })

  it('shows why it is not possible', async () => {
    const console = await open()
    const { page, api } = console
    await api('POST', `/api/projects/${console.projectId}/insight_variables/`, {
      name: 'Event',
      type: 'String',
    })
    await create(console, 'orders', {
      query: hogql('SELECT event, count() AS n FROM events GROUP BY event HAVING event = {variables.event}'),
    })
    await console.visit('endpoints/orders?tab=materialization')
    await page.getByText('This query cannot be materialized').waitFor()
    expect(await button(console, 'Materialize').isDisabled()).toBe(true)
    await expectAccessible(page)
    await button(console, 'Suggest a rewrite').click()
    await page.getByRole('alert').waitFor()
    const suggest = async (number: number) => {
      await page.route('**/materialization_suggestion/', (route) =>
        route.fulfill({ json: { suggested_query: `SELECT ${number}`, explanation: null, error: null } }),
      )
      await button(console, 'Suggest a rewrite').click()
      await button(console, 'Continue with this query').click()
    }
    await suggest(11)
    await editor(console).getByText('SELECT 11').waitFor()
    // Another one would take the place of the first, which is not saved.
    await page.getByRole('link', { name: 'Materialization' }).click()
    await suggest(12)
    const question = page.getByRole('dialog', { name: 'Discard your changes?' })
    await question.getByRole('button', { name: 'Discard' }).click()
    await editor(console).getByText('SELECT 12').waitFor()
    await button(console, 'Discard').click()
    await create(console, 'sums', {
      query: hogql(
        "SELECT sum(toInt(concat('922337203685477580', toString(number)))) AS total FROM numbers(3)",
      ),
      is_materialized: true,
    })
    await console.visit('endpoints/sums?tab=materialization')
    await page.evaluate(WITHOUT_WATCH_INTERVAL)
    await page.getByText('Failed', { exact: true }).first().waitFor({ timeout: 30_000 })
    await page.getByText('integer overflow').waitFor()
    await expectAccessible(page)
    const isAsked = page.waitForRequest((request) => request.method() === 'PATCH')
    await button(console, 'Build again').click()
    await isAsked
    await button(console, 'Build again').waitFor({ timeout: 30_000 })
  })
})

describe('the other parts of a query', () => {
  it('include sample code with its address and variables', async () => {
    const console = await open()
    const { page, api, projectId } = console
    await api('POST', `/api/projects/${projectId}/insight_variables/`, {
      name: 'Event',
      type: 'String',
      default_value: 'purchase',
    })
    await create(console, 'orders', {
      query: hogql('SELECT count() FROM events WHERE event = {variables.event}'),
    })
    const variables = '**/insight_variables/**'
    await page.route(variables, (route) => route.fulfill({ status: 429, json: {} }))
    await console.visit('endpoints/orders?tab=call')
    await page.getByText('Too many requests.').waitFor()
    await page.unroute(variables)
    await button(console, 'Try again').click()
    const code = page.locator('pre')
    await expect.poll(() => code.innerText()).toContain(`/api/projects/${projectId}/endpoints/orders/run`)
    expect(await code.innerText()).toContain('{"variables":{"event":"purchase"}}')
    await button(console, 'Python').click()
    expect(await code.innerText()).toContain('requests.post')
    const document = await page.getByRole('link', { name: 'OpenAPI document' }).getAttribute('href')
    expect(await api('GET', document!)).toMatchObject({ openapi: '3.0.3' })
  })

  it('are pinned, duplicated and deleted from the menu', async () => {
    const console = await open()
    const { page, api, projectId } = console
    await openQuery(console, 'orders', { description: 'Paid ones' })
    await button(console, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Pin to a dashboard…' }).click()
    await page.getByLabel('Name of the dashboard').fill('Sales')
    await button(console, 'Pin').click()
    await page.getByText('orders is pinned to Sales.').waitFor()
    const dashboards = `/api/projects/${projectId}/dashboards/`
    const [sales] = (await api<{ results: { id: number }[] }>('GET', dashboards)).results
    expect(await api('GET', `${dashboards}${sales!.id}/`)).toMatchObject({ tiles: [{ endpoint: 'orders' }] })
    await button(console, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Pin to a dashboard…' }).click()
    await button(console, 'Pin').click()
    await page.getByRole('dialog').getByText('Orders is on this dashboard already.').waitFor()
    await button(console, 'Cancel').click()
    await button(console, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await button(console, 'Create query').click()
    await page.getByText('orders-copy created.').waitFor()
    expect(await read(console, 'orders-copy')).toMatchObject({
      description: 'Paid ones',
      query: { query: SQL },
    })
    await button(console, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await button(console, 'Delete query').click()
    await page.getByText('orders-copy deleted.').waitFor()
    await page.getByRole('link', { name: 'orders', exact: true }).waitFor()
  })

  it('are reached from the activity of the project, and a missing query is not found', async () => {
    const console = await open()
    const { page } = console
    await create(console, 'orders')
    await console.visit('activity')
    await page.getByLabel('What changed').selectOption('Saved queries')
    await page.getByRole('link', { name: 'orders' }).click()
    await page.getByRole('heading', { name: 'orders', level: 1 }).waitFor()
    await console.visit('endpoints/nothing')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })
})

describe('the form of an insight', () => {
  it('writes the JSON, with suggestions of events and properties', async () => {
    const console = await open()
    const { page, errors } = console
    await capture(console)
    await openQuery(console, 'visits', {
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
    })
    await button(console, 'Add series').click()
    await page.getByLabel('Event of series 2').fill('purch')
    await page.getByRole('option', { name: 'purchase' }).click()
    await page.getByLabel('Value of series 2').selectOption('sum of')
    await page.getByLabel('Property of series 2').fill('am')
    await page.getByRole('option', { name: /amount/ }).click()
    await page.getByLabel('Time range').selectOption('Last 30 days')
    await page.getByLabel('Broken down by').fill('plan')
    await page.keyboard.press('Escape')
    await button(console, 'Add filter').click()
    await page.getByLabel('Property of filter 1').fill('amount')
    await page.getByLabel('Operator of filter 1').selectOption('≥')
    await page.getByLabel('Value of filter 1').fill('1')
    await page.keyboard.press('Escape')
    await page.getByLabel('Compare with the period before').check()
    await run(console)
    await page.locator('.legend').getByText('pro').first().waitFor()
    await button(console, 'Table').click()
    await page.getByRole('columnheader', { name: /^purchase.*pro.*current/ }).waitFor()
    await button(console, 'Download').click()
    await page.getByRole('menuitem', { name: 'CSV' }).waitFor()
    await page.keyboard.press('Escape')
    await button(console, 'Plot').click()
    await page.getByLabel('Displayed as').selectOption('Number')
    await run(console)
    await page.locator('.numbers').getByText('purchase').first().waitFor()
    await expectEachLook(page, 'query-trend-numbers')
    await button(console, 'Remove series 1').click()
    await button(console, 'Review and save').click()
    await button(console, 'Save').click()
    await page.getByText('visits saved as version 2.').waitFor()
    expect(await read(console, 'visits')).toMatchObject({
      query: {
        series: [{ event: 'purchase', math: 'sum', math_property: 'amount' }],
        dateRange: { date_from: '-30d' },
        breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
        properties: [{ key: 'amount', type: 'event', operator: 'gte', value: '1' }],
        compareFilter: { compare: true },
      },
    })
    expect(errors).toEqual([])
  })

  it('of a funnel has steps and a time to convert', async () => {
    const console = await open()
    const { page } = console
    await capture(console)
    await openQuery(console, 'bought', {
      query: {
        kind: 'FunnelsQuery',
        series: [
          { kind: 'EventsNode', event: '$pageview' },
          { kind: 'EventsNode', event: 'purchase' },
        ],
      },
    })
    expect(await button(console, 'Remove step 1').isDisabled()).toBe(true)
    await page.getByLabel('Event of step 2').fill('purchases')
    await page.getByText('No such event so far.').waitFor()
    await page.getByLabel('Event of step 2').fill('purchase')
    await expect.poll(() => page.getByText('No such event so far.').count()).toBe(0)
    await page.getByLabel('Time to convert').fill('3')
    await page.getByLabel('Unit').selectOption('hours')
    await run(console)
    await page.getByRole('list', { name: 'Funnel' }).getByText('2. purchase').waitFor()
    await expectEachLook(page, 'query-funnel')
    await button(console, 'Table').click()
    await page.getByRole('columnheader', { name: 'average_seconds' }).waitFor()
    expect(await editor(console).count()).toBe(0)
    await openJson(console)
    await write(console, '{')
    await page.getByText('The form is back once the JSON below is valid.').waitFor()
    await button(console, 'Discard').click()
    await button(console, 'Edit').click()
    await page.getByLabel('Event of step 1').waitFor()
  })

  it('of a retention and of a lifecycle has events and periods', async () => {
    const console = await open()
    const { page, errors } = console
    await capture(console)
    await console.visit('endpoints/new?kind=RetentionQuery')
    await page.getByLabel('Name').fill('back')
    await page.getByLabel('Return when they do').fill('purch')
    await page.getByRole('option', { name: 'purchase' }).click()
    await page.getByLabel('Start with').selectOption('The first time in the range')
    await page.getByLabel('Length of a period').selectOption('Days')
    await page.getByLabel('Periods', { exact: true }).fill('101')
    await page.getByText('Enter a whole number from 1 to 100.').waitFor()
    await page.getByLabel('Periods', { exact: true }).fill('5')
    await run(console)
    const table = page.getByRole('region', { name: 'Retention' })
    await expect.poll(() => table.getByRole('row').count()).toBe(6)
    await expectEachLook(page, 'query-retention')
    await button(console, 'Create query').click()
    await page.getByText('back created.').waitFor()
    await page.getByText('The first time in the range').waitFor()
    expect(await page.getByText('In the JSON').count()).toBe(0)
    expect((await read(console, 'back')).query).toMatchObject({
      retentionFilter: {
        targetEntity: { id: '$pageview', type: 'events' },
        returningEntity: { id: 'purchase', type: 'events' },
        period: 'Day',
        totalIntervals: 5,
        retentionType: 'retention_first_time',
      },
    })
    await console.visit('endpoints/new?kind=LifecycleQuery')
    await page.getByLabel('Event of series 1').fill('purchase')
    await page.keyboard.press('Escape')
    expect(await button(console, 'Add series').count()).toBe(0)
    await page.getByLabel('Time range').selectOption('From day to day')
    await page.getByLabel('From', { exact: true }).fill('2026-01-01')
    await page.getByLabel('To', { exact: true }).fill('2026-01-31')
    await page.getByLabel('Interval').selectOption('Week')
    await openJson(console)
    await expect.poll(() => editor(console).innerText()).toContain('"date_to": "2026-01-31"')
    // The form shows the days of the JSON, and changes one of them alone.
    const written = await editor(console).innerText()
    await write(console, written.replace('"2026-01-01"', '"2026-01-02"'))
    await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toBe('2026-01-02')
    await page.getByLabel('To', { exact: true }).fill('2026-01-30')
    await expect.poll(() => editor(console).innerText()).toContain('"date_to": "2026-01-30"')
    expect(await editor(console).innerText()).toContain('"date_from": "2026-01-02"')
    await run(console)
    await button(console, 'Table').click()
    await page.getByRole('columnheader', { name: 'resurrecting' }).waitFor()
    await button(console, 'Plot').click()
    await page.locator('.lifecycle').waitFor()
    await expectEachLook(page, 'query-lifecycle')
    expect(errors).toEqual([])
  })
})
