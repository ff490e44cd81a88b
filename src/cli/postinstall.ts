// Makes the files that are derived from packages, which Git therefore does not have. It runs after installing.
import { globSync, rmSync } from 'node:fs'
import './build/browser-sdk'
import './build/reference-script'

/**
 * Installed files without use, which take 105 MB: headers for compilers, source maps, and files beside the scripts that the Worker serves.
 */
const UNUSED = [
  'node_modules/node-*/include',
  'node_modules/posthog-js/{lib,dist/*.map}',
  'node_modules/{lucide-react,miniflare}/**/*.map',
]
for (const path of globSync(UNUSED)) rmSync(path, { recursive: true })
