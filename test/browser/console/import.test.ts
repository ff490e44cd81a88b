// The page of the import: the commands for this project, and the project as a file.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { projectAt, type ServedProject } from '../../cli/import/service'
import { type Console, expectEachLook, useConsole } from './support'

const open = useConsole()

const targetOf = ({ projectId }: Console) => {
  const { url, personalApiKey: key } = inject('served')
  return projectAt({ url, id: projectId, token: '', key })
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const flagsIn = (target: ServedProject) => target.list<{ key: string }>('feature_flags/?limit=100')

/** Downloads the file of flags, edits it, and applies it: the project is compared before and after. */
async function applyFlagFile(page: Page): Promise<void> {
  const download = page.waitForEvent('download')
  await button(page, 'Download current').click()
  const file = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as {
    flags: Record<string, { filters: object }>
  }
  expect(file.flags).toEqual({ 'from-a-file': { filters: { groups: [{ rollout_percentage: 5 }] } } })
  const compare = async (flags: object) => {
    await page.getByLabel('File of flags').setInputFiles({
      name: 'halyard.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ ...file, flags })),
    })
    await button(page, 'Compare').click()
  }
  await compare({ fresh: {} })
  await page.getByText('flags.fresh: The field "filters" is missing.').waitFor()
  const flags = {
    'from-a-file': { filters: { groups: [{ rollout_percentage: 70 }] } },
    fresh: { filters: { groups: [{ rollout_percentage: 100 }] } },
  }
  await compare(flags)
  await page.getByText('The project is not as the file says.').waitFor()
  await page.getByText('filters.groups[0].rollout_percentage: 5 → 70').waitFor()
  await page.getByText('1 to create, 1 to update, 0 to delete, 0 the same.').waitFor()
  await expectEachLook(page, 'flag-file')
  await button(page, 'Apply').click()
  await page.getByText('2 of 2 written.').waitFor()
  await compare(flags)
  await page.getByText('The project is as the file says.').waitFor()
}

describe('the page of the import', { timeout: 120_000 }, () => {
  it('shows the command for each source, with the address and id of the project', async () => {
    const { page, projectId, visit } = await open()
    await visit('feature_flags')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Import' }).click()
    await page.getByRole('heading', { name: 'Import', exact: true }).waitFor()
    await expectEachLook(page, 'import')
    const target = `--to-url ${new URL(page.url()).origin} --to-project ${projectId}`
    for (const [source, from] of [
      ['PostHog', '--from posthog --url https://eu.posthog.com --project 12345'],
      ['Halyard', '--from halyard --url https://flags.example.com --project 1'],
      ['Unleash', '--from unleash --url https://unleash.example.com'],
      ['File', '--from file project.jsonl'],
    ] as const) {
      await button(page, source).click()
      const code = await page.getByLabel(`Code for ${source}`).textContent()
      expect(code).toContain(`npm run import -- ${from} \\\n  ${target}`)
    }
  })

  it('exports a project, and compares and applies a file of flags', async () => {
    const console = await open()
    const { page, projectId } = console
    const target = targetOf(console)
    const filters = { groups: [{ rollout_percentage: 5 }] }
    await target.call('POST', 'feature_flags/', { key: 'from-a-file', filters })
    await console.visit('settings/import')

    const download = page.waitForEvent('download')
    await page.getByRole('switch', { name: 'Export events' }).click()
    await button(page, 'Export').click()
    const exported = await download
    expect(exported.suggestedFilename()).toBe(`project-${projectId}.jsonl`)
    const text = readFileSync(await exported.path(), 'utf8')
    await page.getByText(`${text.trimEnd().split('\n').length} lines are in the file.`).waitFor()
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; key?: string })
    expect(lines[0]!.kind).toBe('halyard_project')
    expect(lines.find(({ kind }) => kind === 'flag')).toMatchObject({
      key: 'from-a-file',
      value: { filters },
    })
    expect(lines.at(-1)).toEqual({ kind: 'end', lines: lines.length })

    await applyFlagFile(page)
    expect(await flagsIn(target)).toMatchObject([
      { key: 'fresh', tags: ['managed-by:halyard.json'] },
      { key: 'from-a-file', filters: { groups: [{ rollout_percentage: 70 }] } },
    ])
  })
})
