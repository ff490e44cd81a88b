import { buildConsole } from '../../src/cli/build/console'
import { buildGuides } from '../../src/cli/build/guides'

export default async () => {
  await buildGuides()
  await buildConsole()
}
