// What the pages about one thing share: the way back, the menu, and a header that fits a phone.
import { describe, expect, it } from 'vitest'
import { useConsole } from './support'

const open = useConsole()

const LISTS = [
  ['feature_flags', 'Feature flags', 'New flag'],
  ['cohorts', 'Cohorts', 'New cohort'],
  ['endpoints', 'Saved queries', 'New query'],
  ['dashboard', 'Dashboards', 'New dashboard'],
] as const

describe('a page of a new one', () => {
  it('is left by Cancel and by the link to its list', async () => {
    const { page, at } = await open()
    for (const [path, list] of LISTS.slice(0, 3))
      for (const link of ['Cancel', list]) {
        if (link === 'Cancel') await page.goto(at(`${path}/new`))
        else await page.goBack()
        await page.getByRole('main').getByRole('link', { name: link, exact: true }).click()
        await page.getByRole('heading', { level: 1, name: list }).waitFor()
        expect(new URL(page.url()).pathname).toBe(at(path))
      }
  })
})

describe('the header of a list', () => {
  it('has its button beside the title on a phone', async () => {
    const console = await open({ width: 'phone' })
    const { page, api, projectId } = console
    const project = `/api/projects/${projectId}/`
    // An empty list has a second button.
    await api('POST', `${project}feature_flags/`, { key: 'a-flag' })
    await api('POST', `${project}cohorts/`, { name: 'A list', is_static: true, csv: 'ada' })
    await api('POST', `${project}endpoints/`, {
      name: 'a-query',
      query: { kind: 'HogQLQuery', query: 'SELECT 1 AS one' },
    })
    await api('POST', `${project}dashboards/`, { name: 'A board' })
    for (const [path, title, label] of LISTS) {
      await console.visit(path)
      const heading = (await page.getByRole('heading', { level: 1, name: title }).boundingBox())!
      const button = (await page.getByRole('link', { name: label }).boundingBox())!
      expect(button.y, path).toBeLessThan(heading.y + heading.height)
      expect(button.x, path).toBeGreaterThan(heading.x + heading.width / 2)
    }
  })
})

describe('the menu of a page', () => {
  it('is beside a long title on a phone', async () => {
    const console = await open({ width: 'phone' })
    const { page, api, projectId } = console
    const name = 'Everyone who paid for the shop'
    const { id } = await api<{ id: number }>('POST', `/api/projects/${projectId}/cohorts/`, {
      name,
      is_static: true,
      csv: 'ada',
    })
    await console.visit(`cohorts/${id}`)
    const heading = (await page.getByRole('heading', { level: 1, name }).boundingBox())!
    const menu = (await page.getByRole('button', { name: 'More actions' }).boundingBox())!
    expect(menu.y).toBeLessThan(heading.y + heading.height)
    expect(menu.x + menu.width).toBeLessThanOrEqual(390)
  })

  it.each([
    ['cohorts', 'Cohorts', 'Paying'],
    ['dashboards', 'Dashboards', 'Sales'],
  ] as const)('deletes one of %s, with undo, and leads to the list', async (kind, list, name) => {
    const console = await open()
    const { page, api, projectId } = console
    const { id } = await api<{ id: number }>(
      'POST',
      `/api/projects/${projectId}/${kind}/`,
      kind === 'cohorts' ? { name, is_static: true, csv: 'ada' } : { name },
    )
    const path = kind === 'cohorts' ? 'cohorts' : 'dashboard'
    await console.visit(`${path}/${id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: list }).waitFor()
    await page.getByText(`${name} deleted.`).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name }).waitFor()
  })
})

describe('the bar of unsaved changes', () => {
  it('says what kept an edit from being saved', async () => {
    const { page, api, projectId, visit } = await open({ width: 'phone' })
    const { id } = await api<{ id: number }>('POST', `/api/projects/${projectId}/cohorts/`, {
      name: 'Paying',
      filters: {
        properties: { type: 'AND', values: [{ type: 'person', key: 'plan', operator: 'is_set' }] },
      },
    })
    await visit(`cohorts/${id}`)
    await page.getByLabel('Name', { exact: true }).fill('Paying customers')
    await page.route(`**/cohorts/${id}/`, (route) => route.fulfill({ status: 503, json: {} }))
    const bar = page.getByRole('region', { name: 'Unsaved changes' })
    await bar.getByRole('button', { name: 'Save' }).click()
    await bar.getByRole('alert').getByText('The service is busy.').waitFor()
    await page.getByText('The service is busy.').waitFor()
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Save')
  })
})

describe('a deleted flag', () => {
  it('is only read, and restored', async () => {
    const { page, api, projectId, visit } = await open()
    const path = `/api/projects/${projectId}/feature_flags/`
    const { id } = await api<{ id: number }>('POST', path, { key: 'gone' })
    await api('PATCH', `${path}${id}/`, { deleted: true })
    await visit(`feature_flags/${id}`)
    await page.getByText('Deleted: off for everyone.').waitFor()
    expect(await page.getByRole('switch').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^(Edit|More actions)/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('switch', { name: 'gone enabled' }).waitFor()
    expect(await api('GET', `${path}${id}/`)).toMatchObject({ deleted: false })
  })
})

describe('a flag with long names', () => {
  it('fits a phone', async () => {
    const { page, api, projectId, visit } = await open({ width: 'phone' })
    const { id: cohort } = await api<{ id: number }>('POST', `/api/projects/${projectId}/cohorts/`, {
      name: 'Customers in Germany, Austria and Switzerland who bought twice within the last year',
      is_static: true,
      csv: 'ada',
    })
    const { id } = await api<{ id: number }>('POST', `/api/projects/${projectId}/feature_flags/`, {
      key: 'recommendations-by-the-second-generation',
      filters: {
        groups: [{ properties: [{ type: 'cohort', key: 'id', value: cohort }], rollout_percentage: 100 }],
        multivariate: { variants: [{ key: 'one', rollout_percentage: 100 }] },
        payloads: { one: JSON.stringify({ text: 'unbroken'.repeat(40) }) },
      },
    })
    await visit(`feature_flags/${id}`)
    await page.getByRole('list', { name: 'Depends on' }).getByText('Customers in Germany').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})
