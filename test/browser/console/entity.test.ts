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
  it.each(LISTS.slice(0, 3))('of %s is left by Cancel and by the link to its list', async (path, list) => {
    const { page, at } = await open({ path: `${path}/new` })
    for (const link of ['Cancel', list]) {
      await page.goto(at(`${path}/new`))
      await page.getByRole('main').getByRole('link', { name: link, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: list }).waitFor()
      expect(new URL(page.url()).pathname).toBe(at(path))
    }
  })
})

describe('the header of a list', () => {
  it.each(LISTS)('of %s has its button beside the title on a phone', async (path, title, label) => {
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
    await page.goto(console.at(path))
    const heading = (await page.getByRole('heading', { level: 1, name: title }).boundingBox())!
    const button = (await page.getByRole('link', { name: label }).boundingBox())!
    expect(button.y).toBeLessThan(heading.y + heading.height)
    expect(button.x).toBeGreaterThan(heading.x + heading.width / 2)
  })
})

describe('the menu of a page', () => {
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
    await page.goto(console.at(`${path}/${id}`))
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: list }).waitFor()
    await page.getByText(`${name} deleted.`).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name }).waitFor()
  })
})
