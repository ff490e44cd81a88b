// The activity of a project in the console.
import { readFileSync } from 'node:fs'
import { describe, expect, inject, it } from 'vitest'
import { type Console, expectEachLook, settled, useConsole } from './support'

const open = useConsole()

const button = ({ page }: Console, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const entries = ({ page }: Console) => page.getByRole('region', { name: 'Entries' }).getByRole('listitem')

/** The lists of changes of the organization and its members, which the tests share. */
const ORGANIZATION = '**/activity_log/?*scope=Organization*'

const hideOrganization = ({ page }: Console) =>
  page.route(ORGANIZATION, (route) =>
    route.fulfill({ json: { results: [], next: null, previous: null, total_count: 0 } }),
  )

/** A member who joins the organization by an invite. @returns their id */
async function join({ api }: Console, email: string): Promise<string> {
  const { url } = inject('served')
  const invite = await api<{ id: string }>('POST', '/api/organizations/@current/invites/', {
    target_email: email,
    level: 1,
  })
  const response = await fetch(`${url}/api/signup/${invite.id}/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ first_name: 'Colleague', password: 'four-Green-herons-9' }),
  })
  return ((await response.json()) as { uuid: string }).uuid
}

/** The project of tests that only read, or add what the others do not see. */
let shared: number | undefined

/** The console at a project with the changes of `change`. */
async function openShared(): Promise<Console> {
  const console = await open({ projectId: shared })
  if (shared === undefined) {
    await change(console)
    shared = console.projectId
  }
  return console
}

/** A flag with a change, a query, a cohort and its deletion. */
async function change({ api, projectId }: Console) {
  const path = `/api/projects/${projectId}/`
  const flag = await api<{ id: number }>('POST', `${path}feature_flags/`, { key: 'checkout' })
  await api('PATCH', `${path}feature_flags/${flag.id}/`, { name: 'The new checkout' })
  await api('POST', `${path}endpoints/`, {
    name: 'orders',
    query: { kind: 'HogQLQuery', query: 'SELECT count() FROM events' },
  })
  const cohort = await api<{ id: number }>('POST', `${path}cohorts/`, {
    name: 'Paying',
    filters: {
      properties: {
        type: 'AND',
        values: [{ type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }],
      },
    },
  })
  await api('PATCH', `${path}cohorts/${cohort.id}/`, { deleted: true })
}

describe('the activity of a project', () => {
  it('says why it could not be loaded, and filters by days that are typed, the last not before the first', async () => {
    const console = await openShared()
    const { page } = console
    await page.route('**/activity_log/**', (route) => route.fulfill({ status: 429, json: {} }))
    await page.goto(console.at('activity'))
    await page.getByText('Too many requests').waitFor()
    await page.unroute('**/activity_log/**')
    await hideOrganization(console)
    await button(console, 'Try again').click()
    await page.getByText('Paying').first().waitFor()
    await settled(page)
    await expectEachLook(page, 'activity-all')
    await page.getByLabel('From').focus()
    await page.keyboard.type('01312020', { delay: 120 })
    await expect.poll(() => new URL(page.url()).search).toBe('?from=2020-01-31')
    expect(await page.getByLabel('From').inputValue()).toBe('2020-01-31')
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await page.getByText('The last day is before the first.').waitFor()
    await page.getByText('Paying').first().waitFor()
    await page.getByLabel('To', { exact: true }).fill('2020-02-01')
    await expect.poll(() => new URL(page.url()).search).toBe('?from=2020-01-31&to=2020-02-01')
    await page.getByRole('heading', { name: 'No change matches' }).waitFor()
    await button(console, 'Clear').click()
    await expect.poll(() => page.getByLabel('From').inputValue()).toBe('')
  })

  it('lists all kinds together, and keeps the filters in the address', async () => {
    const console = await open()
    const { page } = console
    await change(console)
    await hideOrganization(console)
    await console.visit('activity')
    await page.getByText('Paying').first().waitFor()
    expect(await entries(console).count()).toBeGreaterThanOrEqual(5)
    expect(await entries(console).first().innerText()).toContain('deleted cohort Paying')
    expect(await page.getByText('Deletes it.').count()).toBe(0)
    await page.getByLabel('What changed').selectOption('Feature flags')
    await expect.poll(() => entries(console).filter({ hasText: 'cohort' }).count()).toBe(0)
    await page.getByText('The new checkout').waitFor()
    expect(new URL(page.url()).search).toBe('?kind=flags')
    await page.getByLabel('Who changed it').selectOption('Halyard itself')
    await page.getByRole('heading', { name: 'No change matches' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'No change matches' }).waitFor()
    await page.getByLabel('Who changed it').selectOption(inject('served').email)
    await page.getByText('The new checkout').waitFor()
    await page.getByLabel('From').fill('2100-01-01')
    await page.getByRole('heading', { name: 'No change matches' }).waitFor()
    await button(console, 'Clear').click()
    await page.getByText('Paying').first().waitFor()
    await console.api('PATCH', `/api/projects/${console.projectId}/`, { timezone: 'Europe/Berlin' })
    await page.getByLabel('What changed').selectOption('Project settings')
    await entries(console).filter({ hasText: 'updated project' }).getByText('Europe/Berlin').waitFor()
    await entries(console).filter({ hasText: 'created project' }).waitFor()
    await entries(console).getByRole('link').first().click()
    await page.waitForURL(console.at('settings/project'))
    await page.unroute(ORGANIZATION)
    const colleague = `${crypto.randomUUID()}@example.com`
    const uuid = await join(console, colleague)
    await console.visit('activity?kind=members')
    await entries(console)
      .filter({ hasText: `joined as ${colleague}` })
      .getByText('The role is Member.', { exact: true })
      .waitFor()
    await entries(console)
      .filter({ hasText: `invited ${colleague}` })
      .getByText('The role is Member.', { exact: true })
      .waitFor()
    await expectEachLook(page, 'activity-members')
    await entries(console).filter({ hasText: 'joined as' }).getByRole('link', { name: colleague }).click()
    await page.waitForURL(console.at('settings/members'))
    await console.api('DELETE', `/api/organizations/@current/members/${uuid}/`)
  })

  it('names versions of queries, and policies by what they hold', async () => {
    const console = await openShared()
    const { api, projectId } = console
    const path = `/api/projects/${projectId}/`
    const query = { kind: 'HogQLQuery', query: 'SELECT 2 AS two' }
    await api('PATCH', `${path}endpoints/orders/`, { query })
    const { id } = await api<{ id: number }>('GET', '/api/users/@me/')
    const approver_config = { quorum: 1, users: [id] }
    await api('POST', `${path}approval_policies/`, { action_key: 'feature_flag.update', approver_config })
    await api('PATCH', `${path}endpoints/orders/`, { is_materialized: true })
    await console.visit('activity?kind=queries')
    await entries(console)
      .filter({ hasText: 'enabled materialization of version 2 of query' })
      .getByRole('link', { name: 'orders', exact: true })
      .waitFor()
    await entries(console)
      .filter({ hasText: 'created version 2 of query orders' })
      .getByText('SELECT 2 AS two', { exact: true })
      .waitFor()
    await console.visit('activity?kind=approvals')
    await entries(console).filter({ hasText: 'created approval policy Change who gets what' }).waitFor()
  })

  it('loads earlier entries per kind', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const path = `/api/projects/${projectId}/feature_flags/`
    await api('POST', `/api/projects/${projectId}/cohorts/`, {
      name: 'First of all',
      is_static: true,
      _create_static_person_ids: [],
    })
    const { id } = await api<{ id: number }>('POST', path, { key: 'busy' })
    for (let n = 1; n <= 40; n += 1) await api('PATCH', `${path}${id}/`, { name: `Name ${n}` })
    await hideOrganization(console)
    await console.visit('activity')
    await page.getByText('Name 40').first().waitFor()
    expect(await entries(console).filter({ hasText: 'updated' }).count()).toBe(30)
    await button(console, 'Show older').click()
    // Also that the flag, the cohort and the project were created.
    await expect
      .poll(() => page.getByRole('region', { name: 'Entries' }).locator('ol > li > .stack').count())
      .toBe(43)
    await page.getByText('First of all').waitFor()
    expect(await button(console, 'Show older').count()).toBe(0)
  })

  it('marks what staff changed while impersonating, and is exported as CSV and JSON', async () => {
    const console = await openShared()
    const { page } = console
    await page.route('**/activity_log/?*scope=Cohort*', async (route) => {
      const response = await route.fetch()
      const { results, ...rest } = (await response.json()) as { results: object[] }
      const marked = results.map((entry, index) => ({ ...entry, was_impersonated: index === 0 }))
      await route.fulfill({ response, json: { ...rest, results: marked } })
    })
    const asked = page.waitForRequest(/activity_log/)
    await page.goto(console.at(`activity?kind=cohorts&user=${inject('served').email}&from=2020-01-31`))
    await page.getByText('Paying').first().waitFor()
    const query = new URL((await asked).url()).searchParams
    expect(query.get('user')).toBe(inject('served').email)
    expect(new Date(query.get('start_date')!)).toEqual(new Date(2020, 0, 31))
    const mark = '(impersonated by staff)'
    expect(await entries(console).first().innerText()).toContain(`${mark} deleted cohort Paying`)
    expect(await entries(console).filter({ hasText: mark }).count()).toBe(1)
    const files: string[] = []
    for (const form of ['CSV', 'JSON']) {
      await button(console, 'Export').click()
      const download = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: form }).click()
      files.push(readFileSync(await (await download).path(), 'utf8'))
      await page.getByText('2 entries exported.').first().waitFor()
    }
    const [csv, json] = files as [string, string]
    expect(csv.split('\r\n')[0]).toBe(
      'time,user,email,was_impersonated,activity,kind,item_id,item,trigger,changes',
    )
    expect(csv.split('\r\n')).toHaveLength(4)
    expect(JSON.parse(json).map(({ activity }: { activity: string }) => activity)).toEqual([
      'deleted',
      'created',
    ])
  })

  it('restores a deleted cohort and a deleted flag', async () => {
    const console = await open()
    const { page } = console
    await change(console)
    const flags = `/api/projects/${console.projectId}/feature_flags/`
    const { id } = await console.api<{ id: number }>('POST', flags, { key: 'gone' })
    await console.api('PATCH', `${flags}${id}/`, { deleted: true })
    await console.visit('activity')
    const entry = page.getByRole('listitem').filter({ hasText: 'deleted flag gone' })
    await entry.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('gone restored.').waitFor()
    expect(await console.api('GET', `${flags}${id}/`)).toMatchObject({ deleted: false })
    await expect.poll(() => button(console, 'Restore').count()).toBe(1)
    await button(console, 'Restore').click()
    await page.getByText('Paying restored.').waitFor()
    await page.getByRole('link', { name: 'Paying' }).first().click()
    await page.getByRole('heading', { name: 'Paying', level: 1 }).waitFor()
  })
})
