// After installing: makes the files that are derived from packages, and that Git therefore does not hold.
import { globSync, rmSync } from 'node:fs'
import './build/browser-sdk'
import './build/reference-script'

/** 105 MB of what is installed: headers for compilers, source maps, and what is beside the scripts that the Worker serves. */
const UNUSED = [
  'node_modules/node-*/include',
  'node_modules/posthog-js/{lib,dist/*.map}',
  'node_modules/{lucide-react,miniflare}/**/*.map',
]
for (const path of globSync(UNUSED)) rmSync(path, { recursive: true })
