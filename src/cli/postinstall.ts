// After installing: makes the files that are derived from packages, and that Git therefore does not hold.
import { globSync, rmSync } from 'node:fs'
import './build/browser-sdk'
import './build/reference-script'
import { writeConsoleTypes } from './build/console'

await writeConsoleTypes()

// The headers of Node's package, a tenth of all that is installed, are for compilers.
for (const folder of globSync('node_modules/node-*/include')) rmSync(folder, { recursive: true })
