// Writes the types of the console's API client from the OpenAPI document.
import { join } from 'node:path'
import { run } from './run-tool'

const ROOT = join(import.meta.dirname, '../../..')

export const writeConsoleTypes = (): void =>
  void run(
    join(ROOT, 'src/console/node_modules/.bin/openapi-typescript'),
    join(ROOT, 'src/public/openapi.json'),
    '--output',
    join(ROOT, 'src/console/api/schema.d.ts'),
  )
