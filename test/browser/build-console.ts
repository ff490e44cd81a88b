import { buildConsole } from '../../src/cli/build/console'

export default () => buildConsole()
