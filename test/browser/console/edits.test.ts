// What edits of flags, saved queries and cohorts share: nothing typed is lost, nothing of another user is replaced, and no refusal is silent.
import { describe, expect, it } from 'vitest'
import { type Console, editPart, useConsole } from './support'

const open = useConsole()

type Method = 'GET' | 'PATCH' | 'POST'

/** Holds back responses of the browser's requests until they are released. */
async function hold({ page }: Console, method: Method, path: RegExp) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let count = 0
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    count += 1
    await promise
    await route.continue()
  })
  return { release: resolve, count: () => count }
}

interface Item {
  kind: string
  /** The page of the item. */
  path: string
  /** The path of the item in the API. */
  apiPath: string
  fill(text: string): Promise<void>
  save(): Promise<void>
}

const KINDS = ['flag', 'query', 'cohort'] as const

/** Makes an item whose description says "old", and opens it for an edit. */
async function openItem(console: Console, kind: (typeof KINDS)[number]): Promise<Item> {
  const { page, api, projectId, visit } = console
  const project = `/api/projects/${projectId}/`
  const description = page.getByLabel('Description')
  const save = page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: /save/i })
  const made = await api<{ id: number }>(
    'POST',
    `${project}${kind === 'flag' ? 'feature_flags' : kind === 'query' ? 'endpoints' : 'cohorts'}/`,
    kind === 'flag'
      ? { key: 'banner', name: 'old' }
      : kind === 'query'
        ? { name: 'banner', description: 'old', query: { kind: 'HogQLQuery', query: 'SELECT 1 AS one' } }
        : {
            name: 'banner',
            description: 'old',
            filters: {
              properties: {
                type: 'AND',
                values: [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }],
              },
            },
          },
  )
  const [path, apiPath] =
    kind === 'flag'
      ? [`feature_flags/${made.id}`, `${project}feature_flags/${made.id}/`]
      : kind === 'query'
        ? ['endpoints/banner', `${project}endpoints/banner/`]
        : [`cohorts/${made.id}`, `${project}cohorts/${made.id}/`]
  await visit(path)
  if (kind === 'flag') await editPart(page, 'Details')
  return {
    kind,
    path,
    apiPath,
    fill: (text) => description.fill(text),
    async save() {
      await save.click()
      if (kind !== 'cohort')
        await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    },
  }
}

const DESCRIPTION = { flag: 'name', query: 'description', cohort: 'description' } as const

/** A query is edited as a flag is: after a review. A cohort is saved at once. */
describe.each(['flag', 'cohort'] as const)('an edit of a %s', (kind) => {
  it('keeps what is typed while a save runs', async () => {
    const console = await open()
    const { page, api } = console
    const item = await openItem(console, kind)
    const held = await hold(console, 'PATCH', /\/api\/projects\//)
    await item.fill('first')
    await item.save()
    await expect.poll(held.count).toBe(1)
    if (kind !== 'cohort') await page.keyboard.press('Escape')
    await item.fill('first and second')
    await page.keyboard.press('Control+s')
    held.release()
    await page.getByText(/^banner saved/).waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('first and second')
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
    expect(held.count()).toBe(1)
    expect((await api('GET', item.apiPath))[DESCRIPTION[kind]]).toBe('first')
    await item.save()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    expect((await api('GET', item.apiPath))[DESCRIPTION[kind]]).toBe('first and second')
  })

  it('is left as soon as a save ends that the question found under way, and is not where it fails', async () => {
    const console = await open()
    const { page, api, at } = console
    const item = await openItem(console, kind)
    const question = page.getByRole('dialog', { name: /^Leave/ })
    const held = await hold(console, 'PATCH', /\/api\/projects\//)
    await item.fill('new')
    await item.save()
    await expect.poll(held.count).toBe(1)
    await page.goBack()
    await question.getByText('is being saved').waitFor()
    held.release()
    await page.getByText(/^banner saved/).waitFor()
    await question.waitFor({ state: 'detached' })
    expect((await api('GET', item.apiPath))[DESCRIPTION[kind]]).toBe('new')
    expect(new URL(page.url()).pathname).not.toBe(at(item.path))

    await console.visit(item.path)
    if (kind === 'flag') await editPart(page, 'Details')
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(/\/api\/projects\//, async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback()
      await promise
      await route.fulfill({ status: 503, json: { detail: 'The database does not answer.' } })
    })
    await item.fill('newer')
    await item.save()
    await page.goBack()
    await question.getByText('is being saved').waitFor()
    resolve()
    await question.getByText('Your changes to banner are not saved.').waitFor()
    await question.getByText('The database does not answer.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(new URL(page.url()).pathname).toBe(at(item.path))
  })

  it('is compared with what another user saved, which Discard mine shows', async () => {
    const console = await open()
    const { page, api } = console
    const item = await openItem(console, kind)
    await item.fill('mine')
    await api('PATCH', item.apiPath, { [DESCRIPTION[kind]]: 'theirs' })
    await item.save()
    const dialog = page.getByRole('dialog', { name: `This ${kind} has a newer version` })
    await dialog.getByText('theirs').first().waitFor()
    expect((await api('GET', item.apiPath))[DESCRIPTION[kind]]).toBe('theirs')
    await dialog.getByRole('button', { name: 'Discard mine' }).click()
    await page.getByRole('main').getByText('theirs').first().waitFor()
    if (kind === 'flag') await editPart(page, 'Details')
    await item.fill('mine after all')
    await item.save()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    expect((await api('GET', item.apiPath))[DESCRIPTION[kind]]).toBe('mine after all')
  })
})

describe.each(KINDS)('a save of a %s', (kind) => {
  it('that began on another tab shows why it is refused', async () => {
    const console = await open()
    const { page, at } = console
    const item = await openItem(console, kind)
    if (kind === 'cohort') await item.fill('x'.repeat(401 * 1024))
    else {
      await page.getByLabel('Tags', { exact: true }).fill('t'.repeat(300))
      await page.keyboard.press('Enter')
    }
    const tab = kind === 'query' ? 'Versions' : 'History'
    await page
      .getByRole('navigation', { name: `Parts of the ${kind}` })
      .getByRole('link', { name: tab })
      .click()
    await item.save()
    await page.getByRole('main').getByRole('alert').first().waitFor()
    expect(new URL(page.url()).pathname).toBe(at(item.path))
    expect(new URL(page.url()).searchParams.has('tab')).toBe(false)
  })
})

describe('a form', () => {
  it('is left during its request only after a question, and then leads nowhere', async () => {
    const console = await open({ path: 'feature_flags/new' })
    const { page, at } = console
    const held = await hold(console, 'POST', /\/feature_flags\/$/)
    await page.getByLabel('Key').fill('banner')
    await page.reload()
    await expect.poll(() => page.getByLabel('Key').inputValue()).toBe('banner')
    await page.getByRole('button', { name: 'Create flag' }).click()
    await expect.poll(held.count).toBe(1)
    await page.getByRole('link', { name: 'Cohorts', exact: true }).first().click()
    const question = page.getByRole('dialog', { name: 'Leave before it is saved?' })
    await question.waitFor()
    await question.getByRole('button', { name: /Leave/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Cohorts' }).waitFor()
    held.release()
    await page.getByText('banner created.').waitFor()
    expect(new URL(page.url()).pathname).toBe(at('cohorts'))
  })

  it('creates one item, however often it is saved', async () => {
    const console = await open({ path: 'cohorts/new' })
    const { page, api, projectId } = console
    const held = await hold(console, 'POST', /\/cohorts\/$/)
    await page.getByLabel('Name').fill('Everyone')
    await page.getByText('Static', { exact: true }).click()
    await page.keyboard.press('Control+s')
    await page.keyboard.press('Control+s')
    await expect.poll(held.count).toBe(1)
    held.release()
    await page.getByRole('heading', { level: 1, name: 'Everyone' }).waitFor()
    expect((await api<{ count: number }>('GET', `/api/projects/${projectId}/cohorts/`)).count).toBe(1)
  })
})
