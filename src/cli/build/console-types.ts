// Writes the types of the console's API client from the OpenAPI document, with a tool that the conformance tests install.
import { join } from 'node:path'
import { installPackages } from './install-packages'
import { run } from './run-tool'

const ROOT = join(import.meta.dirname, '../../..')
const TOOL_PACKAGES = 'test/conformance'

installPackages(TOOL_PACKAGES)
await run(
  join(ROOT, TOOL_PACKAGES, 'node_modules/.bin/openapi-typescript'),
  join(ROOT, 'src/public/openapi.json'),
  '--output',
  join(ROOT, 'src/console/api/schema.d.ts'),
)
