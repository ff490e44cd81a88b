// Renders the guides when they have changed since the last time. The renderer is loaded only then, which takes long.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOfSources, readIfExists } from './sources'

/** The folder that the Worker serves. */
const FOLDER = join(import.meta.dirname, '../../public/docs/guide')
/** The stamp is next to the pages, so that it is deleted with them. */
const STAMP = 'sources.txt'
const SOURCES = ['src/docs/guide/**', 'src/pages/**', 'src/cli/build/render-guides.tsx', 'package-lock.json']

export async function buildGuides(): Promise<void> {
  const sources = hashOfSources(SOURCES)
  const stamp = join(FOLDER, STAMP)
  if (readIfExists(stamp) === sources) return
  const { renderGuides } = await import('./render-guides')
  renderGuides(FOLDER)
  writeFileSync(stamp, sources)
}
