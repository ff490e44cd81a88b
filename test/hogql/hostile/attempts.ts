// Every attempt, by kind.
import type { Attempt } from './attempt'
import { BOMBS } from './bombs'
import { FUNCTIONS } from './functions'
import { INJECTION } from './injection'
import { PROJECTS } from './projects'
import { STATEMENTS } from './statements'
import { TABLES } from './tables'

export const ATTEMPTS: Readonly<Record<string, readonly Attempt[]>> = {
  tables: TABLES,
  projects: PROJECTS,
  statements: STATEMENTS,
  functions: FUNCTIONS,
  injection: INJECTION,
  bombs: BOMBS,
}
