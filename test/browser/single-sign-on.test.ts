// Single sign-on in Chromium: set up in the console, a member who comes for the first time, and what is open once it is required.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CLIENT } from '../conformance/chat/chat-provider'
import { type Sso, startSso } from '../conformance/sso/sso'
import { closeContexts, sharedChromium } from '../support/browser/chromium'
import { expectEachLook } from './console/support'

const DOMAIN = 'example.com'

let sso: Sso
let chromium: Browser
beforeAll(async () => {
  ;[sso, chromium] = await Promise.all([startSso(), sharedChromium()])
})
afterAll(async () => {
  await closeContexts()
  await sso?.stop()
})

async function newPage(javaScriptEnabled = true): Promise<{ page: Page; complaints: string[] }> {
  const context = await chromium.newContext({
    baseURL: sso.served.url,
    javaScriptEnabled,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text())
  })
  return { page, complaints }
}

async function signInByPassword(page: Page): Promise<void> {
  const { email, password } = sso.served.credentials
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** At the provider. */
async function signInThere(page: Page, account: string): Promise<void> {
  await page.waitForURL(`${sso.provider.issuer}/**`)
  await page.locator('input[name=login]').fill(account)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' })
  await page.locator('button[type=submit]').click()
}

async function signInBySso(page: Page, account: string): Promise<void> {
  await page.goto('/login?next=/settings')
  await page.getByRole('link', { name: 'Use single sign-on' }).click()
  await page.getByLabel('Email').fill(account)
  await page.getByRole('button', { name: 'Continue' }).click()
  await signInThere(page, account)
}

it('is set up in the console, signs members in without scripts, and keeps a way in for owners', async () => {
  const { page } = await newPage()
  await signInByPassword(page)
  await page.waitForURL(({ pathname }) => pathname !== '/login')
  await page.goto('/project/1/settings/organization')
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Issuer').fill('accounts')
  await dialog.getByLabel('Client id').fill(CLIENT.id)
  await dialog.getByLabel('Client secret').fill(CLIENT.secret)
  await dialog.getByLabel('Email domains').fill(DOMAIN)
  await dialog.getByLabel('Claim with another level').fill('groups')
  await dialog.getByRole('button', { name: 'Add a value' }).click()
  await dialog.getByLabel('Value 1 of the claim').fill('admins')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter a URL that begins with https:// or http://.').waitFor()
  await expectEachLook(page, 'sso-form')
  await dialog.getByLabel('Issuer').fill(sso.provider.issuer)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Single sign-on is saved.').waitFor()

  const domain = page.getByRole('group', { name: DOMAIN })
  await domain.getByRole('button', { name: 'Verify' }).click()
  await domain.getByText(/has no TXT record/).waitFor()
  const record = await page.getByLabel(`TXT record of ${DOMAIN}`).innerText()
  sso.dns.set(DOMAIN, [record])
  await domain.getByRole('button', { name: 'Verify' }).click()
  await domain.getByText('Verified', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Test the provider' }).click()
  await page.getByText('The issuer publishes its metadata.').waitFor()
  await expectEachLook(page, 'sso-tested')

  const required = page.getByRole('switch', { name: 'Require single sign-on' })
  await required.click()
  await page.getByText('Sign in with single sign-on once before you require it of others.').waitFor()

  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Sign in to test' }).click()
  const test = await opened
  await signInThere(test, `admin@${DOMAIN}`)
  await test.getByText(`The sign-in would create admin@${DOMAIN} as a member of level 8.`).waitFor()
  await expectEachLook(test, 'sso-test')
  await test.close()

  const member = await newPage(false)
  await signInBySso(member.page, `grace@${DOMAIN}`)
  await member.page.waitForURL(
    ({ origin, pathname }) => origin === sso.served.url && pathname === '/settings',
  )
  expect(member.complaints).toEqual([])

  await required.click()
  await page.getByText('Single sign-on is required.').waitFor()
  await page.getByText('Required', { exact: true }).waitFor()

  const owner = await newPage()
  await signInByPassword(owner.page)
  await owner.page.waitForURL(({ pathname }) => pathname !== '/login')
  await owner.page.goto('/project/1/settings/organization')
  await owner.page.getByRole('switch', { name: 'Require single sign-on' }).click()
  await owner.page.getByText('Single sign-on is not required any more.').waitFor()

  const linked = await newPage()
  await signInBySso(linked.page, sso.served.credentials.email)
  await linked.page.getByText('already has an account.').waitFor()
  await expectEachLook(linked.page, 'sso-prove')
  await linked.page.getByLabel('Password').fill(sso.served.credentials.password)
  await linked.page.getByRole('button', { name: 'Continue' }).click()
  await linked.page.waitForURL(({ pathname }) => pathname === '/settings')
})
