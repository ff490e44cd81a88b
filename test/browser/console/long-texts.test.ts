// Long texts in the console: nothing widens a page, and nothing covers code or cuts it.
import { describe, expect, it } from 'vitest'
import { button, capture, create, hogql } from './queries-support'
import { type Console, picture, settled, SIZES, useConsole } from './support'

const open = useConsole()

const LONG = 'x'.repeat(200)

/** How much wider than the window the page is. */
const excess = ({ page }: Console) =>
  page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)')

describe('a text without spaces', () => {
  it('does not widen the page of a flag, of a query, of a cohort or of the activity', async () => {
    const console = await open()
    const { page, api, projectId } = console
    await capture(console)
    const path = `/api/projects/${projectId}/`
    const group = { properties: [{ key: LONG, type: 'person', operator: 'exact', value: [LONG] }] }
    const flag = await api<{ id: number }>('POST', `${path}feature_flags/`, {
      key: LONG,
      name: LONG,
      tags: [LONG],
      filters: {
        groups: [{ ...group, variant: LONG }],
        multivariate: { variants: [{ key: LONG, rollout_percentage: 100 }] },
        payloads: {},
      },
    })
    const cohort = await api<{ id: number }>('POST', `${path}cohorts/`, {
      name: LONG,
      filters: { properties: { type: 'AND', values: group.properties } },
    })
    const name = LONG.slice(0, 120)
    await create(console, name, {
      tags: [LONG],
      query: hogql(
        `SELECT toStartOfDay(timestamp) AS day, count() AS ${LONG}, 2 * count() AS y${LONG} FROM events GROUP BY day ORDER BY day`,
      ),
    })
    for (const [at, address] of [
      ['flag', `feature_flags/${flag.id}`],
      ['flag-history', `feature_flags/${flag.id}?tab=activity`],
      ['query', `endpoints/${name}`],
      ['cohort', `cohorts/${cohort.id}`],
      ['activity', 'activity'],
    ] as const) {
      await console.visit(address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settled(page)
      if (at === 'query') await page.locator('.legend').first().waitFor()
      for (const width of ['phone', 'desktop'] as const) {
        await page.setViewportSize(SIZES[width])
        await picture(page, `long-${at}-${width}`)
        expect([at, width, await excess(console)]).toEqual([at, width, 0])
      }
    }
  })
})

describe('code', () => {
  it('is not covered by the button that copies it, on a phone', async () => {
    const console = await open({ width: 'phone', path: 'start' })
    const { page } = console
    const copy = page.getByRole('button', { name: 'Copy' })
    await copy.first().waitFor()
    await picture(page, 'long-start')
    expect(
      await page.evaluate(`[...document.querySelectorAll('.code-block')].filter((block) => {
        const pre = block.querySelector('pre').getBoundingClientRect()
        return pre.width > 0 && block.querySelector('button').getBoundingClientRect().left < pre.right
      }).length`),
    ).toBe(0)
  })

  it('of a query and of the difference of its versions is wrapped', async () => {
    const console = await open({ width: 'phone' })
    const { page, api, projectId } = console
    const text = `SELECT ${Array.from({ length: 30 }, (_, index) => `${index} AS c${index}`).join(', ')}`
    await create(console, 'wide', { query: hogql(text) })
    await api('PATCH', `/api/projects/${projectId}/endpoints/wide/`, { query: hogql(`${text}, 2 AS two`) })
    const isCut = (selector: string) =>
      page.locator(selector).evaluate((each) => each.scrollWidth > each.clientWidth)
    await console.visit('endpoints/wide')
    await page.getByLabel('Text of the query').waitFor()
    await picture(page, 'long-read')
    expect(await isCut('pre.json-result')).toBe(false)
    await console.visit('endpoints/wide?tab=materialization')
    await page.getByLabel('Query of the rows').waitFor()
    expect(await isCut('[aria-label="Query of the rows"]')).toBe(false)
    await console.visit('endpoints/wide?tab=versions')
    await button(console, 'Compare with 1').click()
    await page.locator('.text-difference').waitFor()
    await picture(page, 'long-difference')
    expect(await isCut('.text-difference')).toBe(false)
  })
})
