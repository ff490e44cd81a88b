import { buildConsole } from '../../src/cli/build/console'
import { buildGuides } from '../../src/cli/build/guides'

export default () => {
  buildGuides()
  return buildConsole()
}
