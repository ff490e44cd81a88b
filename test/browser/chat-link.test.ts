// Linking a chat identity in Chromium, by a user who has to sign in on the way: the page's policy applies to every redirect.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChatLinking, startChatLinking, startOf } from '../conformance/chat/chat-linking'
import { closeContexts, sharedChromium } from '../support/browser/chromium'

let linking: ChatLinking
let chromium: Browser
beforeAll(async () => {
  ;[linking, chromium] = await Promise.all([startChatLinking(), sharedChromium()])
  linking.reset()
})
afterAll(async () => {
  await closeContexts()
  await linking?.stop()
})

it.each([true, false])(
  'signs in, goes to the provider and comes back, scripts: %s',
  async (javaScriptEnabled) => {
    const member = await linking.newMember()
    const context = await chromium.newContext({ javaScriptEnabled })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto((await startOf(member)).href)
    await page.getByLabel('Email').fill(member.email)
    await page.getByLabel('Password').fill(member.password)
    await page.getByRole('button', { name: 'Sign in' }).click()

    await page.waitForURL(`${linking.provider.issuer}/**`)
    await page.locator('input[name=login]').fill('U1 T1')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' })
    await page.locator('button[type=submit]').click()

    await page.waitForURL(({ searchParams }) => searchParams.get('chat_link_success') === '1')
    expect(await member.links()).toMatchObject([{ chatUserId: 'U1', workspaceId: 'T1' }])
    expect(complaints.filter((text) => /Content Security Policy/.test(text))).toEqual([])
    await context.close()
  },
)
