// The console of those who may do less: everything to read, and nothing that a click would have refused.
import type { BrowserContext, Cookie, Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { type Console, expectEachLook, settled, useConsole, visitPage } from './support'

const open = useConsole()

const PASSWORD = 'a long and unlikely passphrase 7'

/** Of the one sign-in of each level. */
const signedIn = new Map<0 | 1, Cookie[]>()

/** Another browser, of a viewer (0) or a member (1) of the organization. */
async function pageOfLevel(console: Console, level: 0 | 1): Promise<Page> {
  const { url } = inject('served')
  const context = await console.page.context().browser()!.newContext({ baseURL: url })
  const cookies = signedIn.get(level) ?? (await signUp(console, context, level))
  signedIn.set(level, cookies)
  await context.addCookies(cookies)
  return context.newPage()
}

async function signUp({ api }: Console, context: BrowserContext, level: 0 | 1): Promise<Cookie[]> {
  const email = `vera-${crypto.randomUUID()}@example.com`
  const { id } = await api<{ id: string }>('POST', '/api/organizations/@current/invites/', {
    target_email: email,
    level,
  })
  const signedUp = await context.request.post(`/api/signup/${id}/`, {
    data: { first_name: 'Vera', password: PASSWORD },
  })
  expect(signedUp.status()).toBe(201)
  const login = await context.request.post('/api/login/', { data: { email, password: PASSWORD } })
  expect(login.status()).toBe(200)
  return context.cookies()
}

/** What a button is called that changes something. */
const CHANGES =
  /\b(add|apply|approve|archive|build|cancel|create|delete|duplicate|edit|invite|keep|materialize|pause|remove|rename|replace|restore|save|schedule a|send|stop|start|use again|withdraw|new (flag|cohort|dashboard|webhook))\b/i

/** Names of enabled controls in the page that change something by their name. */
async function changingControls(page: Page): Promise<string[]> {
  const main = page.getByRole('main')
  const found: string[] = []
  for (const role of ['button', 'link', 'switch', 'checkbox', 'textbox'] as const) {
    const names = await main
      .getByRole(role, { disabled: false })
      .evaluateAll((controls) =>
        controls.map((each) => each.getAttribute('aria-label') ?? each.textContent ?? ''),
      )
    for (const name of names)
      if (role === 'switch' || role === 'checkbox' || CHANGES.test(name)) found.push(`${role} ${name.trim()}`)
  }
  return found
}

describe('a viewer', () => {
  it('reads every page, and is offered no change', async () => {
    const owner = await open()
    const { projectId, api, at } = owner
    const path = `/api/projects/${projectId}/`
    const flag = await api<{ id: number }>('POST', `${path}feature_flags/`, { key: 'new-checkout' })
    const query = { kind: 'HogQLQuery', query: 'SELECT 1 AS one' }
    await api('POST', `${path}endpoints/`, { name: 'one', query })
    await api('PATCH', `${path}endpoints/one/`, {
      query: { ...query, query: 'SELECT 2 AS two' },
      tags: ['weekly'],
    })
    const conditions = await api<{ id: number }>('POST', `${path}cohorts/`, {
      name: 'Paying',
      filters: {
        properties: {
          type: 'AND',
          values: [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'], negation: true }],
        },
      },
    })
    const cohort = await api<{ id: number }>('POST', `${path}cohorts/`, {
      name: 'Friends',
      is_static: true,
      _create_static_person_ids: [],
    })
    const dashboard = await api<{ id: number }>('POST', `${path}dashboards/`, { name: 'Board' })
    await api('POST', `${path}webhooks/`, { url: 'https://hooks.example.com/', events: ['FeatureFlag.*'] })

    const page = await pageOfLevel(owner, 0)
    const refusals: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refusals.push(`${response.request().method()} ${response.url()}`)
    })
    const offered: Record<string, string[]> = {}
    for (const [address, name] of [
      ['feature_flags', 'Feature flags'],
      [`feature_flags/${flag.id}`, 'new-checkout'],
      [`feature_flags/${flag.id}?tab=schedule`, 'new-checkout'],
      [`feature_flags/${flag.id}?tab=usage`, 'new-checkout'],
      [`feature_flags/${flag.id}?tab=activity`, 'new-checkout'],
      ['endpoints', 'Saved queries'],
      ['endpoints/one', 'one'],
      ['endpoints/one?tab=versions', 'one'],
      ['endpoints/one?tab=materialization', 'one'],
      ['cohorts', 'Cohorts'],
      [`cohorts/${cohort.id}`, 'Friends'],
      [`cohorts/${conditions.id}`, 'Paying'],
      [`cohorts/${cohort.id}?tab=members`, 'Friends'],
      ['dashboard', 'Dashboards'],
      [`dashboard/${dashboard.id}`, 'Board'],
      ['activity', 'Activity'],
      ['change_requests', 'Change requests'],
      ['settings/project', 'Project settings'],
      ['settings/approvals', 'Approvals'],
      ['settings/webhooks', 'Webhooks'],
      ['settings/members', 'Members'],
    ] as const) {
      await visitPage(page, at(address))
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      await page.getByText('is read-only. Admins and owners can change your level.').waitFor()
      await settled(page)
      const found = await changingControls(page)
      if (found.length > 0) offered[address] = found
      // Nor one that is disabled, except a choice, which is a value.
      expect(await page.locator('main .writer-fields button.button:visible').allInnerTexts()).toEqual(
        address === `cohorts/${conditions.id}` ? ['not'] : [],
      )
      if (address === `cohorts/${conditions.id}`)
        expect(await page.getByLabel('Operator of condition 1').isVisible()).toBe(true)
      // The line that says it stands on all of them.
      if (address === 'feature_flags') await expectEachLook(page, 'viewer')
    }
    expect(refusals).toEqual([])
    expect(offered).toEqual({
      // An edit can be run without being saved.
      'endpoints/one': ['button Edit'],
    })
    await page.context().close()
  })

  it('tries a query and cannot save it, nor with the keys that save in a form, and has no form of what cannot be tried', async () => {
    const owner = await open()
    const page = await pageOfLevel(owner, 0)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && /\/(feature_flags|cohorts|endpoints)\/$/.test(request.url()))
        sent.push(request.url())
    })
    for (const [kind, noun] of [
      ['feature_flags', 'flag'],
      ['cohorts', 'cohort'],
    ] as const) {
      await visitPage(page, owner.at(`${kind}/new`))
      await page.getByText(`You are a viewer, and viewers cannot create a ${noun}.`).waitFor()
      expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0)
    }
    await visitPage(page, owner.at('endpoints/new'))
    await page.getByRole('button', { name: 'Run' }).click()
    const bar = page.getByRole('region', { name: 'Create the query' })
    await bar.getByText('You can run it here. Viewers cannot save it.').waitFor()
    expect(await page.getByRole('button', { name: 'Create query' }).count()).toBe(0)
    expect(await page.getByLabel('Name', { exact: true }).count()).toBe(0)
    await page.keyboard.press('Control+s')
    // What the keys send would be refused before this is answered.
    await page.evaluate("fetch('/api/users/@me/').then((response) => response.text())")
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(sent).toEqual([])
    await page.context().close()
  })
})

describe('a member who is no admin', () => {
  it('reads settings without fields, and sees who can change them', async () => {
    const owner = await open()
    const page = await pageOfLevel(owner, 1)
    const refusals: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refusals.push(`${response.request().method()} ${response.url()}`)
    })
    for (const path of ['settings/project', 'settings/organization']) {
      await visitPage(page, owner.at(path))
      await page.getByText('Admins and owners can change these settings.').waitFor()
      await settled(page)
      expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
      expect(await changingControls(page)).toEqual([])
      if (path === 'settings/project') await expectEachLook(page, 'member-settings')
    }
    expect(refusals).toEqual([])
    // What the project has is theirs to change.
    await visitPage(page, owner.at('feature_flags'))
    await page.getByRole('link', { name: 'New flag' }).waitFor()
    await page.context().close()
  })
})
