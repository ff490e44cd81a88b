// The page of the import: the commands for this project.
import { describe, expect, it } from 'vitest'
import { expectEachLook, useConsole } from './support'

const open = useConsole()

describe('the page of the import', { timeout: 120_000 }, () => {
  it('shows each command, with the address and id of the project', async () => {
    const { page, projectId, visit } = await open()
    await visit('feature_flags')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Import' }).click()
    await page.getByRole('heading', { name: 'Import', exact: true }).waitFor()
    await expectEachLook(page, 'import')
    const { origin } = new URL(page.url())
    const to = `--to-url ${origin} --to-project ${projectId}`
    const of = `--url ${origin} --project ${projectId}`
    for (const [name, command, target] of [
      ['PostHog', 'import -- --from posthog --url https://eu.posthog.com --project 12345', to],
      ['Halyard', 'import -- --from halyard --url https://flags.example.com --project 1', to],
      ['Unleash', 'import -- --from unleash --url https://unleash.example.com', to],
      ['File', 'import -- --from file project.jsonl', to],
      ['Export', 'export -- project.jsonl', of],
      ['Compare flags', 'flags -- plan --file halyard.json', of],
      ['Apply flags', 'flags -- apply --file halyard.json', of],
      ['Download flags', 'flags -- pull --file halyard.json', of],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click()
      expect(await page.getByLabel(`Code for ${name}`).textContent()).toContain(
        `npm run ${command} \\\n  ${target}`,
      )
    }
  })
})
