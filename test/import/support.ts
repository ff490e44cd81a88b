// Imports of a file into a project of a test.
import { fileSource } from '../../src/import/file/source'
import { type ImportEvent, type ImportOptions, runImport } from '../../src/import/run'
import { clientOf } from '../support/server/api-client'
import type { Tenant } from '../support/tenant'

/** Memory that ends with the test. */
export function memoryOf(): ImportOptions['memory'] {
  const items: ImportOptions['memory']['items'] = {}
  return {
    items,
    streams: {},
    rememberItems: (remembered) => void Object.assign(items, remembered),
    rememberStream: () => {},
  }
}

/** @param lines of items, between the first and the last line of a file */
export async function importLines(
  tenant: Tenant,
  lines: readonly object[],
  more: Partial<ImportOptions> = {},
): Promise<{ isWhole: boolean; events: ImportEvent[] }> {
  const all = [
    { kind: 'halyard_project', format: 1, exported_at: '2026-11-23T00:00:00Z', source: 'a test' },
    ...lines,
    { kind: 'end', lines: lines.length + 2 },
  ]
  const text = new TextEncoder().encode(all.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const events: ImportEvent[] = []
  const isWhole = await runImport({
    source: await fileSource({
      name: 'project.jsonl',
      async *read(start) {
        yield text.subarray(start)
      },
    }),
    client: clientOf(tenant),
    project: `/api/projects/${tenant.projectId}/`,
    memory: memoryOf(),
    streams: [],
    apply: true,
    overwrite: false,
    check: false,
    report: (event) => void events.push(event),
    ...more,
  })
  return { isWhole, events }
}
