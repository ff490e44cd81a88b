// `npm run openapi` writes src/docs/openapi.json.txt; with `--check` it only says whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { areas, sdkArea } from '../docs/areas'
import { openApiDocument } from '../docs/openapi'

const FILE = join(import.meta.dirname, '../docs/openapi.json.txt')
const document = `${JSON.stringify(openApiDocument(areas, sdkArea), null, 2)}\n`

if (!process.argv.includes('--check')) writeFileSync(FILE, document)
else if (readFileSync(FILE, 'utf8') !== document) {
  process.stderr.write('src/docs/openapi.json.txt is out of date: run `npm run openapi`\n')
  process.exit(1)
}
