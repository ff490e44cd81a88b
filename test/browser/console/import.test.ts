// The import of a project in the console: a form, a check that changes nothing, the import, and again.
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { contentsOf, fillProject } from '../../cli/import/full-project'
import { projectAt, serveProject, type ServedProject } from '../../cli/import/service'
import { type Console, expectEachLook, useConsole } from './support'

const open = useConsole()

const SLOW = { timeout: 180_000 }
const THIRTY_SECONDS = { timeout: 30_000 }

let source: ServedProject
beforeAll(async () => {
  source = await serveProject('Source')
  await fillProject(source)
})

/** The served Worker by another name of its host: to the browser, another service. */
function elsewhere(): string {
  const url = new URL(inject('served').url)
  url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return url.origin
}

const targetOf = ({ projectId }: Console) => {
  const { url, personalApiKey: key } = inject('served')
  return projectAt({ url, id: projectId, token: '', key })
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function openForm({ page, at }: Console): Promise<void> {
  await page.goto(at('feature_flags'))
  await page.getByRole('link', { name: 'Import' }).click()
  await page.getByRole('heading', { name: 'Import', exact: true }).waitFor()
}

async function fill(page: Page, { url = elsewhere(), key = source.key } = {}): Promise<void> {
  await page.getByLabel('Address').fill(url)
  await page.getByLabel('Key').fill(key)
  await page.getByRole('textbox', { name: 'Project' }).fill(String(source.id))
}

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

describe('an import', SLOW, () => {
  it('previews, then writes, and changes nothing the second time', async () => {
    const console = await open()
    const { page, errors } = console
    const target = targetOf(console)
    const logged: string[] = []
    page.on('request', (request) => logged.push(request.url()))
    await openForm(console)
    await expectEachLook(page, 'import-form')
    await fill(page)
    await button(page, 'List projects').click()
    await page.getByRole('combobox', { name: 'Project' }).selectOption(String(source.id))
    await page.getByRole('switch', { name: 'Persons and groups', exact: true }).click()
    await page.getByRole('switch', { name: 'Events', exact: true }).click()
    await button(page, 'Check').click()
    await page.getByText('Nothing is written yet.').waitFor()
    await page.getByRole('row', { name: /^Flags 13 0 0 0 0$/ }).waitFor()
    await page.getByText(/^Persons: 30, about/).waitFor()
    await page.getByText('Cannot come over (2)').waitFor()
    await expectEachLook(page, 'import-report')
    expect(await flagsIn(target)).toEqual([])

    await button(page, 'Import').click()
    await page.getByText('31 written.').waitFor(THIRTY_SECONDS)
    await page
      .getByText('The flags of both sides say the same of 1,000 people (30 of the source, 970 made up).')
      .waitFor({ timeout: 120_000 })
    await page.getByText('Persons: 30 moved.').waitFor()
    await expectEachLook(page, 'import-result')
    const [there, here] = [await contentsOf(source), await contentsOf(target)]
    const withoutNotes = (flags: unknown[]) =>
      (flags as { name: string }[]).map((flag) => ({
        ...flag,
        name: flag.name.replace(/(\n\n)?Imported from [^]*$/, ''),
        version: 0,
      }))
    expect({ ...here, flags: withoutNotes(here.flags) }).toEqual({
      ...there,
      flags: withoutNotes(there.flags),
    })

    // The browser stores what was imported, and not the key.
    await page.reload()
    expect(await page.getByLabel('Key').inputValue()).toBe('')
    await fill(page)
    await button(page, 'Check').click()
    await page.getByText('All is the same here: nothing would be written.').waitFor()
    expect(await button(page, 'Import').count()).toBe(0)
    const [flag] = await target.list<{ id: number }>('feature_flags/?search=partly')
    await target.call('PATCH', `feature_flags/${flag!.id}/`, { tags: ['mine'] })
    await button(page, 'Check').click()
    await page.getByText('was edited here since the import, with other tags').waitFor()
    await expectEachLook(page, 'import-edited')
    await page.getByRole('switch', { name: 'Overwrite what was edited here' }).click()
    await button(page, 'Check').click()
    await page.getByText('Nothing is written yet.').waitFor()
    await button(page, 'Import').click()
    // A session cannot read the encrypted payload, so that it is written again.
    await page.getByText('2 written.').waitFor(THIRTY_SECONDS)
    expect(logged.join(' ')).not.toContain(source.key)
    expect(errors).toEqual([])
  })

  it('shows errors beside their fields and keeps the input', async () => {
    const console = await open()
    const { page } = console
    await openForm(console)
    await button(page, 'Check').click()
    await page.getByText('Enter an address that begins with https://').waitFor()
    await page.getByText('Enter a key of the source.').waitFor()
    await expectEachLook(page, 'import-missing')
    await fill(page, { key: 'phx_not-a-key-of-anybody' })
    await button(page, 'Check').click()
    const key = page.getByLabel('Key')
    await page.getByText(/answered 401/).waitFor()
    expect(await key.getAttribute('aria-invalid')).toBe('true')
    await expectEachLook(page, 'import-wrong-key')
    expect(await key.inputValue()).toBe('phx_not-a-key-of-anybody')
    await key.fill(source.key)
    await page.getByRole('textbox', { name: 'Project' }).fill('999999999')
    await button(page, 'Check').click()
    await page.getByText(/answered 404/).waitFor()
    expect(await page.getByRole('textbox', { name: 'Project' }).getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Address').fill('http://127.0.0.1:29')
    await button(page, 'Check').click()
    await page.getByText('The source cannot be reached: check the address.').waitFor()
    expect(await page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Address').fill(inject('served').url)
    await page.getByRole('textbox', { name: 'Project' }).fill(String(console.projectId))
    await button(page, 'Check').click()
    await page.getByText('It is the project that is imported into.').waitFor()
    expect(await key.inputValue()).toBe(source.key)
  })

  it('stops on request, asks before leaving the page, and resumes', async () => {
    const console = await open()
    const { page, projectId } = console
    const target = targetOf(console)
    await openForm(console)
    // A source on the same service is called directly.
    await fill(page, { url: inject('served').url })
    await button(page, 'Check').click()
    await button(page, 'Import').waitFor()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let flags = 0
    await page.route(`**/api/projects/${projectId}/feature_flags/`, async (route) => {
      if (route.request().method() === 'POST' && (flags += 1) > 2) await held
      await route.continue()
    })
    await button(page, 'Import').click()
    await page.getByText(/^\d+ of 30/).waitFor()
    await expect.poll(() => flags, THIRTY_SECONDS).toBe(3)
    await expectEachLook(page, 'import-running')
    await page.getByRole('link', { name: 'Feature flags' }).click()
    await page.getByRole('heading', { name: 'Stop the import?' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await button(page, 'Stop').click()
    await page.getByText('Stopped. What is written stays.').waitFor()
    await expectEachLook(page, 'import-stopped')
    release()
    await expect.poll(async () => (await flagsIn(target)).length, THIRTY_SECONDS).toBe(3)
    await button(page, 'Import again').click()
    // Without persons, a list of members is empty.
    await page
      .getByText(/^\d flags? differs? for some of 1,000 people \(30 of the source, 970 made up\)\.$/)
      .waitFor({ timeout: 120_000 })
    await page.getByText(/^testers: \d+ people$/).click()
    await page
      .locator('details[open]')
      .getByText(/: (true|false) there, (true|false) here$/)
      .first()
      .waitFor()
    await expectEachLook(page, 'import-differences')
    expect((await flagsIn(target)).length).toBe((await flagsIn(source)).length)
  })

  it('imports a file and exports one', async () => {
    const console = await open()
    const { page } = console
    const target = targetOf(console)
    const folder = await mkdtemp(join(tmpdir(), 'halyard-import-'))
    let file = join(folder, 'project.jsonl')
    const lines = [
      { kind: 'halyard_project', format: 1, exported_at: '2026-11-23T00:00:00Z', source: 'a test' },
      { kind: 'cohort', key: 'Nobody', value: { name: 'Nobody' } },
      { kind: 'flag', key: 'from-a-file', value: { filters: { groups: [{ rollout_percentage: 5 }] } } },
      { kind: 'end', lines: 4 },
    ]
    const write = (all: readonly object[]) =>
      writeFileSync(file, all.map((line) => `${JSON.stringify(line)}\n`).join(''))
    try {
      await openForm(console)
      await page.getByLabel('From').selectOption('file')
      await button(page, 'Check').click()
      await page.getByText('Choose a file.').waitFor()
      write(lines.slice(0, 3))
      await page.getByLabel('File', { exact: true }).setInputFiles(file)
      await button(page, 'Check').click()
      await page.getByText('project.jsonl is not complete: the last line does not fit the others.').waitFor()
      write(lines)
      await button(page, 'Check').click()
      await page.getByText('was changed or moved since it was chosen').waitFor()
      file = join(folder, 'whole.jsonl')
      write(lines)
      await page.getByLabel('File', { exact: true }).setInputFiles(file)
      await button(page, 'Check').click()
      await page.getByText('has neither conditions nor a list of members').waitFor()
      await expectEachLook(page, 'import-file')
      await button(page, 'Import').click()
      await page.getByText('1 written.').waitFor(THIRTY_SECONDS)
      expect((await flagsIn(target)).map(({ key }) => key)).toEqual(['from-a-file'])

      const download = page.waitForEvent('download')
      await page.getByRole('switch', { name: 'Export events' }).click()
      await button(page, 'Export').click()
      const exported = await download
      expect(exported.suggestedFilename()).toBe(`project-${console.projectId}.jsonl`)
      const text = readFileSync(await exported.path(), 'utf8')
      await page.getByText(`${text.trimEnd().split('\n').length} lines are in the file.`).waitFor()
      const [head, ...others] = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { kind: string; key?: string })
      expect(head!.kind).toBe('halyard_project')
      expect(others.find(({ kind }) => kind === 'flag')).toMatchObject({
        ...lines[2],
        value: { filters: { groups: [{ rollout_percentage: 5 }] } },
      })
      expect(others.at(-1)).toEqual({ kind: 'end', lines: others.length + 1 })
      await page.getByLabel('File', { exact: true }).setInputFiles({
        name: exported.suggestedFilename(),
        mimeType: 'application/jsonl',
        buffer: Buffer.from(text),
      })
      await button(page, 'Check').click()
      await page.getByText('All is the same here: nothing would be written.').waitFor()

      await applyFlagFile(page)
      expect(await flagsIn(target)).toMatchObject([
        { key: 'fresh', tags: ['managed-by:halyard.json'] },
        { key: 'from-a-file', filters: { groups: [{ rollout_percentage: 70 }] } },
      ])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
