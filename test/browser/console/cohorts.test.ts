// Cohorts in the console: list, conditions, lists of persons, members, uses.
import { describe, expect, inject, it } from 'vitest'
import { type Console, expectEachLook, expectLoadFailures, SIZES, settled, useConsole } from './support'

const open = useConsole()

interface Cohort {
  id: number
  name: string
  filters: unknown
  count: number | null
  deleted: boolean
}

const cohortsPath = ({ projectId }: Console, rest = '') => `/api/projects/${projectId}/cohorts/${rest}`

const onPlan = (value: string[], more = {}) => ({
  type: 'person',
  key: 'plan',
  operator: 'exact',
  value,
  ...more,
})

const byConditions = (console: Console, name: string, ...values: object[]) =>
  console.api<Cohort>('POST', cohortsPath(console), {
    name,
    filters: { properties: { type: 'AND', values } },
  })

const byList = (console: Console, name: string, csv: string) =>
  console.api<Cohort>('POST', cohortsPath(console), { name, is_static: true, csv })

const button = ({ page }: Console, name: string | RegExp) => page.getByRole('button', { name, exact: true })

const PEOPLE = { ada: 'pro', grace: 'free', joan: 'pro', mary: 'team' }

/** Persons on plans. */
async function people(console: Console) {
  const { api_token: token } = await console.api<{ api_token: string }>(
    'GET',
    `/api/projects/${console.projectId}/`,
  )
  const batch = Object.entries(PEOPLE).map(([name, plan]) => ({
    event: '$identify',
    distinct_id: name,
    properties: { $set: { plan, name } },
  }))
  await fetch(`${inject('served').url}/batch/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: token, batch }),
  })
  const known = async () =>
    (await console.api<{ results: unknown[] }>('GET', `/api/projects/${console.projectId}/persons/`)).results
      .length
  await expect.poll(known, { timeout: 15_000 }).toBe(4)
}

describe('cohorts', () => {
  it('are accessible with members and uses', { timeout: 120_000 }, async () => {
    const console = await open()
    const { page, errors } = console
    const check = async (name: string) => {
      await settled(page)
      await expectEachLook(page, `cohorts-${name}`)
    }
    await console.visit('cohorts')
    await page.getByRole('heading', { name: 'Give a name to a set of people' }).waitFor()
    await people(console)
    const list = await byList(console, 'Beta testers', 'ada\nmary')
    const paying = await byConditions(console, 'Paying', onPlan(['pro', 'team']), {
      type: 'OR',
      values: [
        { type: 'cohort', key: 'id', value: list.id, operator: 'in' },
        onPlan(['trial'], { negation: true }),
      ],
    })
    await page.reload()
    await button(console, 'Count the people of Paying').click()
    await page.getByText('3', { exact: true }).waitFor()
    await check('list')
    await page.getByRole('link', { name: 'New cohort' }).click()
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor()
    await button(console, 'Create cohort').click()
    await page.getByText('A name is needed.').waitFor()
    await check('new-refused')
    await console.visit(`cohorts/${paying.id}`)
    await page.getByText('3 of 4 people').waitFor()
    await check('definition')
    const tab = (name: string) =>
      page.getByRole('navigation', { name: 'Parts of the cohort' }).getByText(name).click()
    await tab('Members')
    await page.getByText('joan').first().waitFor()
    await check('members')
    await page.locator('tbody').getByRole('link').first().click()
    await page.waitForURL(/\/persons\//)
    await page.goBack()
    await tab('Used by')
    await page.getByRole('heading', { name: 'Nothing uses it yet' }).waitFor()
    const project = `/api/projects/${console.projectId}/`
    await console.api('POST', `${project}feature_flags/`, {
      key: 'beta',
      filters: { groups: [{ properties: [{ key: 'id', type: 'cohort', value: list.id }] }] },
    })
    await console.api('POST', `${project}endpoints/`, {
      name: 'beta-events',
      query: {
        kind: 'HogQLQuery',
        query: `SELECT count() FROM events WHERE person_id IN COHORT ${list.id}`,
      },
    })
    await console.visit(`cohorts/${list.id}?tab=uses`)
    await page.getByRole('link', { name: 'Paying' }).waitFor()
    await page.getByRole('link', { name: 'beta-events' }).waitFor()
    await page.getByRole('link', { name: 'beta', exact: true }).click()
    await page.getByRole('heading', { name: 'beta', level: 1 }).waitFor()
    await console.visit(`cohorts/${list.id}?tab=members`)
    await button(console, 'Add people').click()
    await page.getByRole('dialog').waitFor()
    await check('add')
    await page.keyboard.press('Escape')
    await tab('History')
    await page.getByText('created', { exact: false }).first().waitFor()
    await page.route('**/persons/?*', (route) => route.fulfill({ status: 503, json: {} }))
    await page.goto(console.at(`cohorts/${paying.id}?tab=members`))
    await page.getByText('The service is busy').waitFor({ timeout: 20_000 })
    await expectLoadFailures(page, console.at(`cohorts/${list.id}`), `**/cohorts/${list.id}/`, 'Beta testers')
    expect(errors.filter((error) => !/401|403|429|503|ERR_FAILED/.test(error))).toEqual([])
  })
})

describe('the list of cohorts', () => {
  it('filters by name and kind, keeps the filters in the address, and the search where somebody types', async () => {
    const console = await open()
    const { page } = console
    await byList(console, 'Beta testers', 'ada')
    await byConditions(console, 'Beta plan', onPlan(['beta']))
    await byConditions(console, 'Paying', onPlan(['pro']))
    await console.visit('cohorts')
    await page.getByText('3 cohorts').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('beta')
    await page.getByText('2 cohorts match').waitFor()
    await page.getByLabel('Kind').selectOption('Static')
    await page.getByText('1 cohort match').waitFor()
    expect(new URL(page.url()).search).toBe('?search=beta&type=static')
    await page.reload()
    await page.getByRole('link', { name: 'Beta testers' }).waitFor()
    await button(console, 'Clear').click()
    await page.getByText('3 cohorts').waitFor()
    await console.visit('cohorts?search=nobody')
    await page.getByRole('heading', { name: 'No cohort matches' }).waitFor()
    const search = page.getByLabel('Search cohorts')
    await search.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await page.getByRole('link', { name: 'Beta testers' }).waitFor()
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Search cohorts')
  })

  it('deletes a cohort with undo, and rejects one that is in use', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const paying = await byConditions(console, 'Paying', onPlan(['pro']))
    await console.visit('cohorts')
    await button(console, 'Delete Paying').click()
    await page.getByText('Paying deleted.').waitFor()
    await page.getByRole('heading', { name: 'Give a name to a set of people' }).waitFor()
    await button(console, 'Undo').click()
    await page.getByText('Paying restored.').waitFor()
    await page.getByRole('link', { name: 'Paying' }).waitFor()
    await api('POST', `/api/projects/${projectId}/feature_flags/`, {
      key: 'of-paying',
      filters: { groups: [{ properties: [{ key: 'id', type: 'cohort', value: paying.id }] }] },
    })
    await page.route('**/cohorts/*/', (route) =>
      route.fulfill({ status: 400, json: { detail: 'Not today.' } }),
    )
    await button(console, 'Delete Paying').click()
    await page.getByText('Paying stays as it is: Not today.').waitFor()
    await page.unroute('**/cohorts/*/')
    await button(console, 'Delete Paying').click()
    await page.getByText('Paying is in use: take it out of what uses it first.').waitFor()
    await page.getByRole('link', { name: 'View what uses it' }).click()
    await page.getByRole('link', { name: 'of-paying' }).waitFor()
    expect((await api<Cohort>('GET', cohortsPath(console, `${paying.id}/`))).deleted).toBe(false)
  })
})

describe('a cohort by conditions', () => {
  it('is built from groups, negations and other cohorts by keyboard', async () => {
    const console = await open()
    const { page } = console
    await people(console)
    const list = await byList(console, 'Beta testers', 'ada\ngrace')
    await console.visit('cohorts')
    await page.getByRole('link', { name: 'Beta testers' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'New cohort' }).waitFor()
    await page.getByLabel('Name').fill('Paying or testing')
    await page.getByLabel('Property of condition 1').fill('plan')
    await page.getByLabel('Values of condition 1').fill('pro')
    await page.keyboard.press('Enter')
    await page.getByText('2 of 4 known people').waitFor()
    await page.getByLabel('How conditions are joined').selectOption('Any of these holds')
    await button(console, 'Add group').click()
    await page.getByLabel('Kind of condition 2.1').selectOption('Cohort')
    await page.getByLabel('Cohort of condition 2.1', { exact: true }).fill('Beta')
    await page.getByRole('option', { name: 'Beta testers' }).click()
    await page.getByRole('group', { name: 'Group 2' }).getByRole('button', { name: 'Add condition' }).click()
    await page.getByLabel('Property of condition 2.2').fill('plan')
    await page.getByLabel('Values of condition 2.2').fill('team')
    await page.keyboard.press('Enter')
    await button(console, 'Not: condition 2.2').click()
    await page.getByText('the person is in the cohort Beta testers and').waitFor()
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    await page.setViewportSize(SIZES.desktop)
    await page.keyboard.press('Control+s')
    await page.getByText('Paying or testing created.').waitFor()
    await page.getByText('3 of 4 people').waitFor()
    const id = Number(/cohorts\/(\d+)/.exec(page.url())![1])
    expect((await console.api<Cohort>('GET', cohortsPath(console, `${id}/`))).filters).toEqual({
      properties: {
        type: 'OR',
        values: [
          onPlan(['pro']),
          {
            type: 'AND',
            values: [
              { type: 'cohort', key: 'id', value: list.id, operator: 'in' },
              onPlan(['team'], { negation: true }),
            ],
          },
        ],
      },
    })
    await page.getByRole('link', { name: 'Members' }).first().waitFor()
    await page.getByRole('navigation', { name: 'Parts of the cohort' }).getByText('Members').click()
    for (const name of ['ada', 'grace', 'joan']) await page.getByText(name, { exact: true }).first().waitFor()
    expect(await page.getByRole('row').count()).toBe(4)
    await console.api('PATCH', cohortsPath(console, `${id}/`), {
      filters: { properties: { type: 'AND', values: [onPlan(['pro'])] } },
    })
    await page.getByRole('navigation', { name: 'Parts of the cohort' }).getByText('History').click()
    await page.locator('del').getByText('in the cohort Beta testers').waitFor()
  })

  it('changes with undo, and keeps the edit that the service rejects', async () => {
    const console = await open()
    const { page } = console
    const { id } = await byConditions(console, 'Paying', onPlan(['pro']))
    await console.visit(`cohorts/${id}`)
    await page.getByLabel('Operator of condition 1').selectOption('matches')
    await page.getByLabel('Value of condition 1').fill('(')
    await page.keyboard.press('Tab')
    await button(console, 'Save').click()
    await page.getByRole('alert').filter({ hasText: 'properties.values[0]' }).waitFor()
    expect(await page.getByLabel('Value of condition 1').inputValue()).toBe('(')
    await page.getByRole('link', { name: 'Cohorts' }).first().click()
    await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Value of condition 1').fill('^pro')
    await page.keyboard.press('Tab')
    await page.route(`**/cohorts/${id}/`, (route) => route.abort())
    await button(console, 'Save').click()
    await page.getByText('The service cannot be reached').waitFor()
    await page.unroute(`**/cohorts/${id}/`)
    await button(console, 'Save').click()
    await page.getByText('Paying saved.').waitFor()
    await button(console, 'Undo').click()
    await page.getByText('Paying is as it was before.').waitFor()
    expect((await console.api<Cohort>('GET', cohortsPath(console, `${id}/`))).filters).toEqual({
      properties: { type: 'AND', values: [onPlan(['pro'])] },
    })
    await page.getByRole('navigation', { name: 'Parts of the cohort' }).getByText('History').click()
    await page.getByText('plan matches the pattern ^pro').first().waitFor()
  })

  it('undoes a save, but nothing that was saved since, and is saved again and again', async () => {
    const console = await open()
    const { page, api } = console
    const { id } = await byConditions(console, 'Paying', onPlan(['pro']))
    const read = async () =>
      (await api<{ description: string }>('GET', cohortsPath(console, `${id}/`))).description
    await page.setViewportSize({ ...SIZES.desktop, height: 500 })
    await page.goto(console.at(`cohorts/${id}`))
    const field = page.getByLabel('Description')
    const saved = page.getByRole('listitem').filter({ hasText: 'Paying saved.' })
    const save = async (text: string) => {
      await field.fill(text)
      // At the end of the page, messages are above the bar, too.
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      await button(console, 'Save').click()
      await expect.poll(read).toBe(text)
      await saved.waitFor()
      // The focus is back in the field.
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    }
    await save('mine')
    await api('PATCH', cohortsPath(console, `${id}/`), { description: 'of a colleague' })
    await button(console, 'Undo').click()
    await page.getByText('Paying stays as it is: It was changed since.').waitFor()
    expect(await read()).toBe('of a colleague')
    await expect.poll(() => field.inputValue()).toBe('of a colleague')
    expect(await button(console, 'Try again').count()).toBe(0)
    await save('first')
    await save('second')
    await save('third')
    // One message, of the last save.
    expect(await saved.count()).toBe(1)
    await button(console, 'Undo').click()
    await page.getByText('Paying is as it was before.').waitFor()
    expect(await read()).toBe('second')
  })
})

describe('a static cohort', () => {
  it('is created from pasted ids and extended from a file', async () => {
    const console = await open()
    const { page } = console
    await people(console)
    await console.visit('cohorts/new')
    await page.getByLabel('Name').fill('Beta testers')
    await page.getByRole('radio', { name: /Static/ }).check()
    await page.getByLabel('People', { exact: true }).fill('ada\nnobody, really\n\nada')
    await page.getByText('2 ids.').waitFor()
    await button(console, 'Create cohort').click()
    await page.getByText('Beta testers created with 1 person. One id is unknown: nobody, really.').waitFor()
    await button(console, 'Add people').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('People', { exact: true }).fill('ada\nada')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByText('No person is added. They are in it already.').waitFor()
    expect(await dialog.getByLabel('People', { exact: true }).inputValue()).toBe('ada\nada')
    await dialog.getByLabel('Choose a CSV file').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('email,plan\na@example.com,pro\n'),
    })
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByText('Persons cannot be found by email address').waitFor()
    await dialog.getByText('people.csv').waitFor()
    await dialog.getByRole('button', { name: 'Remove the file' }).click()
    await dialog.getByLabel('Choose a CSV file').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('name,distinct_id\nGrace,grace\nMary,mary\nNobody,nobody-here\n'),
    })
    await dialog.getByRole('button', { name: 'Add' }).click()
    await page.getByText('2 people added. One id is unknown: nobody-here.').waitFor()
    await page.getByText('3 people, calculated').waitFor()
    await button(console, 'Remove grace').click()
    await page.getByText('grace removed.').waitFor()
    await page.getByText('2 people, calculated').waitFor()
    await button(console, 'Undo').click()
    await page.getByText('grace is a member again.').waitFor()
    await page.getByText('3 people, calculated').waitFor()
  })
})
