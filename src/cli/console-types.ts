import { writeConsoleTypes } from './build/console-types'

writeConsoleTypes()
