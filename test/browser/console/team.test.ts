// The team in the console: members, invites, passwords, projects, rules; and the first steps of a project.
import type { Page, Route } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { type Console, expectEachLook, useConsole } from './support'

const open = useConsole()

const PASSWORD = 'a long and unlikely passphrase 7'

/** Another browser, signed out. */
async function elsewhere({ page }: Console): Promise<Page> {
  const context = await page
    .context()
    .browser()!
    .newContext({ baseURL: inject('served').url })
  return context.newPage()
}

/** Invites a user, who signs up in another browser. */
async function joined(console: Console, email: string): Promise<Page> {
  const { page } = console
  await page.goto(console.at('settings/members'))
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email address').fill(email)
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  const link = await dialog.getByLabel('Link', { exact: true }).innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const other = await elsewhere(console)
  await other.goto(link)
  await other.getByLabel(/name/i).first().fill('Bea')
  await other.getByLabel('Password').fill(PASSWORD)
  await other.getByRole('button', { name: /join|sign up|create/i }).click()
  await other.getByRole('heading', { name: /Feature flags|Get started/ }).waitFor()
  return other
}

describe('members', () => {
  it('invites, promotes, creates a link for a new password, and removes', async () => {
    const console = await open()
    const { page, errors } = console
    const email = `bea-${crypto.randomUUID()}@example.com`
    await console.visit('settings/members')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email address').fill('nobody')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByRole('alert').first().waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const other = await joined(console, email)

    await page.reload()
    const row = page.getByRole('listitem').filter({ hasText: email })
    const member = '**/members/*/'
    const fail = (route: Route) => route.fulfill({ status: 503, json: {} })
    await page.route(member, fail)
    const changeRole = async () => {
      await row.getByRole('button', { name: 'Actions for Bea' }).click()
      await page.getByRole('menuitem', { name: 'Change role…' }).click()
      await dialog.getByLabel('Role').focus()
    }
    // Keys that walk through the roles change nothing.
    let changes = 0
    page.on('request', (request) => (changes += Number(request.method() === 'PATCH')))
    await changeRole()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await dialog.getByText('An owner may do everything that you may').waitFor()
    await dialog.getByRole('button', { name: 'Make owner' }).waitFor()
    await expectEachLook(page, 'member-role')
    await page.keyboard.press('ArrowUp')
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await dialog.getByText('The service is busy.').waitFor()
    await row.getByText('Member', { exact: true }).waitFor()
    await page.unroute(member, fail)
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await page.getByText('Bea is now an admin.').waitFor()
    await row.getByText('Admin', { exact: true }).waitFor()
    expect(changes).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Bea is now a member.').waitFor()
    await row.getByText('Member', { exact: true }).waitFor()

    await row.getByRole('button', { name: 'Actions for Bea' }).click()
    await page.getByRole('menuitem', { name: 'Reset password…' }).click()
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    const link = await dialog.getByLabel('Link', { exact: true }).innerText()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await other.goto(link)
    await other
      .getByLabel(/password/i)
      .first()
      .fill(`${PASSWORD} again`)
    await other.getByRole('button').last().click()
    await other.getByRole('link', { name: 'Sign in' }).waitFor()
    // It worked once.
    expect((await other.goto(link))!.status()).toBe(404)
    await other.goto('/login')
    await other.getByLabel('Email').fill(email)
    await other.getByLabel('Password').fill(`${PASSWORD} again`)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.waitForURL(({ pathname }) => pathname !== '/login')

    await row.getByRole('button', { name: 'Actions for Bea' }).click()
    await page.getByRole('menuitem', { name: 'Remove…' }).click()
    await page.route(member, fail)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByText('The service is busy.').waitFor()
    await page.unroute(member, fail)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Bea is no longer a member.').waitFor()
    await other.reload()
    await other.getByRole('heading', { name: /not found|could not be loaded/i }).waitFor()
    await other.getByRole('link', { name: 'Go to the start' }).click()
    await other.getByRole('heading', { name: 'You are in no organization' }).waitFor()
    await other.getByText(`You are signed in as ${email}.`).waitFor()
    await expectEachLook(other, 'no-project')
    expect(await other.getByRole('link', { name: 'Your account' }).getAttribute('href')).toBe('/settings')
    await other.getByRole('button', { name: 'Sign out' }).click()
    await other.getByLabel('Password').waitFor()
    // The form rejects an invalid address; two requests fail on purpose.
    expect(errors.filter((error) => !/400|503/.test(error))).toEqual([])
  })

  it('lists all invites in parts, invites at a level, and revokes an invite', async () => {
    const console = await open()
    const { page, api } = console
    const path = '/api/organizations/@current/invites/'
    const one = await api<{ id: string }>('POST', path, { target_email: 'p@example.com' })
    // More than a part.
    const results = Array.from({ length: 101 }, (_, n) => ({
      ...one,
      id: crypto.randomUUID(),
      target_email: `p${n}@example.com`,
    }))
    await page.route('**/invites/?*', (route) =>
      route.fulfill({ json: { count: results.length, next: null, previous: null, results } }),
    )
    await page.goto(console.at('settings/members'))
    const rows = page.getByRole('region', { name: 'Open invites' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(100)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => rows.count()).toBe(101)
    await page.unroute('**/invites/?*')
    await api('DELETE', `${path}${one.id}/`)

    const email = `dora-${crypto.randomUUID()}@example.com`
    await page.goto(console.at('settings/members'))
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Email address').fill(email)
    await page.getByRole('dialog').getByLabel('Role').selectOption('Viewer')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click()
    const link = await page.getByRole('dialog').getByLabel('Link', { exact: true }).innerText()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    await rows.filter({ hasText: email }).getByText('Viewer').waitFor()
    await page.getByRole('button', { name: `Withdraw the invite of ${email}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: `Withdraw the invite of ${email}` }).click()
    await page.getByText('The link that you sent stops working.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText(`The invite of ${email} is withdrawn.`).waitFor()
    await expect.poll(() => page.getByText(email, { exact: true }).count()).toBe(0)
    await page.goto(link)
    await page.getByRole('heading', { name: 'This invite is not valid' }).waitFor()
    await expectEachLook(page, 'invite-not-valid')
  })
})

describe('settings', () => {
  it('renames a project and changes its time zone and its rule for evaluation contexts', async () => {
    const console = await open()
    const { page, api, projectId } = console
    await console.visit('settings/project')
    await page.getByLabel('Name').fill(' Shop ')
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByLabel('Time zone').selectOption('Europe/Berlin')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Project settings saved.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    const rule = page.getByRole('switch', { name: 'Flags need evaluation contexts' })
    await page.route('**/api/projects/*/', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 503, json: {} }) : route.fallback(),
    )
    await rule.click()
    await page.getByText('The service is busy').waitFor()
    expect(await rule.isChecked()).toBe(false)
    await page.unroute('**/api/projects/*/')
    const changed = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await rule.click()
    await changed
    await expect.poll(() => rule.isChecked()).toBe(true)
    expect(await api('GET', `/api/projects/${projectId}/`)).toMatchObject({
      name: 'Shop',
      timezone: 'Europe/Berlin',
      require_evaluation_contexts: true,
    })
    await page.keyboard.press('c')
    await page.getByLabel('Key', { exact: true }).fill('needs-a-context')
    await page.getByRole('button', { name: 'Create flag' }).click()
    await page.getByRole('alert').first().waitFor()
    await page.getByLabel('Evaluation contexts', { exact: true }).fill('web')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create flag' }).click()
    await page.getByText('needs-a-context created.').waitFor()
  })

  it('creates a project, and switches to it', async () => {
    const console = await open()
    const { page } = console
    await console.visit('settings/organization')
    const name = `Second ${crypto.randomUUID()}`
    await page.getByLabel('New project').fill(name)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    await page.getByRole('button', { name: new RegExp(name) }).waitFor()
    expect(page.url()).not.toContain(`/project/${console.projectId}/`)
    const { name: first } = await console.api<{ name: string }>('GET', `/api/projects/${console.projectId}/`)
    await page.getByRole('button', { name: new RegExp(name) }).click()
    await page.getByRole('menuitem', { name: first }).click()
    await page.getByRole('button', { name: new RegExp(first) }).waitFor()
    expect(new URL(page.url()).pathname).toBe(console.at('feature_flags'))
  })

  it('deletes a project once its name is typed, and opens another', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const { name } = await api<{ name: string }>('GET', `/api/projects/${projectId}/`)
    await console.visit('settings/project')
    await page.getByRole('button', { name: 'Delete the project…' }).click()
    const dialog = page.getByRole('dialog', { name: `Delete ${name}?` })
    const remove = dialog.getByRole('button', { name: 'Delete the project' })
    expect(await remove.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('another name')
    expect(await remove.isDisabled()).toBe(true)
    await expectEachLook(page, 'delete-project')
    const failing = async (status: number, body: object) => {
      await page.route('**/api/projects/*/', (route) =>
        route.request().method() === 'DELETE' ? route.fulfill({ status, json: body }) : route.fallback(),
      )
      await dialog.getByRole('textbox').fill(name)
      await remove.click()
    }
    await failing(503, {})
    await dialog.getByText('The service is busy').waitFor()
    await page.unroute('**/api/projects/*/')
    await failing(403, { code: 'sensitive_action_required_reauth', detail: 'Recent.' })
    const signIn = page.getByRole('dialog', { name: 'This needs a recent sign-in' })
    await signIn.waitFor()
    await expectEachLook(page, 'recent-sign-in')
    await page.unroute('**/api/projects/*/')
    await signIn.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(`${name} deleted.`).waitFor()
    await page.waitForURL((url) => !url.pathname.includes(`/project/${projectId}/`))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect(api('GET', `/api/projects/${projectId}/`)).rejects.toThrow('404')
  })

  it('leave no dialog open when the browser goes back', async () => {
    const console = await open()
    const { page } = console
    await console.visit('settings/project')
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByRole('dialog', { name: 'Invite a member' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Project settings' }).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.goForward()
    await page.getByRole('button', { name: 'Invite', exact: true }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('changes the rules of the organization', async () => {
    const console = await open()
    const { page, api } = console
    await console.visit('settings/organization')
    const field = page.getByLabel('Name', { exact: true })
    const old = await field.inputValue()
    for (const name of ['Renamed', old]) {
      await field.fill(name)
      await page.getByRole('button', { name: 'Rename' }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      expect(await api('GET', '/api/organizations/@current/')).toMatchObject({ name })
    }
    const rule = page.getByRole('switch', { name: 'Members can create projects' })
    const before = await rule.isChecked()
    await rule.click()
    await expect
      .poll(async () => api('GET', '/api/organizations/@current/'))
      .toMatchObject({ members_can_create_projects: !before })
    await page.getByText('Organization settings saved.').last().waitFor()
    expect(await rule.isChecked()).toBe(!before)
    await rule.click()
    await expect.poll(() => rule.isChecked()).toBe(before)
    // An owner who requires two-factor authentication needs it first.
    await page.getByRole('switch', { name: 'Require two-factor authentication' }).click()
    const question = page.getByRole('dialog', { name: 'Require two-factor authentication?' })
    await question.getByText(/member.* without it can only set it up/).waitFor()
    await question.getByRole('button', { name: 'Require' }).click()
    await question.getByRole('alert').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByRole('switch', { name: 'Require two-factor authentication' }).isChecked()).toBe(
      false,
    )
    expect(await api('GET', '/api/organizations/@current/')).toMatchObject({
      members_can_create_projects: before,
    })
  })
})

/** The time after which the page looks again. */
const LOOK_MS = 4_000

describe('the first steps', () => {
  it('turn green when they are done', async () => {
    const console = await open()
    const { page, api, projectId } = console
    const { api_token: token } = await api<{ api_token: string }>('GET', `/api/projects/${projectId}/`)
    await page.clock.install()
    const turnsGreen = (text: string) =>
      expect
        .poll(() => page.clock.fastForward(LOOK_MS).then(() => page.getByText(text).count()), {
          timeout: 30_000,
        })
        .toBe(1)
    // The home of a project without events and flags.
    await api('PATCH', '/api/users/@me/', { set_current_team: projectId })
    await page.goto('/')
    await page.getByText('Waiting for the first event…').waitFor()
    expect(new URL(page.url()).pathname).toBe(console.at('start'))
    const send = (event: object) =>
      fetch(`${inject('served').url}/batch/`, {
        method: 'POST',
        body: JSON.stringify({ api_key: token, batch: [event] }),
      })
    await send({ event: 'seen', distinct_id: 'anna' })
    await turnsGreen('Events arrive.')
    const { id } = await api<{ id: number }>('POST', `/api/projects/${projectId}/feature_flags/`, {
      key: 'first',
    })
    await turnsGreen('There is a flag.')
    await page.getByText('Or report one by hand').click()
    const call = await page.getByLabel('curl: call').innerText()
    await send(JSON.parse(/-d '(.*)'$/.exec(call)![1]!) as object)
    await turnsGreen('The flag is called.')
    await expectEachLook(page, 'start-done')
    await page.goto('/')
    await page.getByRole('heading', { name: 'Feature flags' }).waitFor()
    expect(id).toBeGreaterThan(0)
  })
})

describe('addresses', () => {
  it('redirect to sign-in and back', async () => {
    const console = await open()
    const other = await elsewhere(console)
    await other.goto(console.at('settings/members'))
    await other.waitForURL(({ pathname }) => pathname === '/login')
    const { email, password } = inject('served')
    await other.getByLabel('Email').fill(email)
    await other.getByLabel('Password').fill(password)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
  })

  it('show a page for unknown addresses, and that of the settings leads to those of the project', async () => {
    const console = await open()
    const { page } = console
    await page.goto('/project/999999999/feature_flags')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.goto(console.at('nothing'))
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Feature flags' }).click()
    await page.getByRole('heading', { name: 'Feature flags', level: 1 }).waitFor()
    await page.goto(console.at('settings'))
    await page.getByRole('heading', { name: 'Project settings', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(console.at('settings/project'))
  })
})
