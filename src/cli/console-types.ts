import { readFileSync, writeFileSync } from 'node:fs'
import { consoleTypes } from './build/console-types'

const document = JSON.parse(readFileSync('src/public/openapi.json', 'utf8'))
writeFileSync('src/console/api/schema.d.ts', consoleTypes(document))
