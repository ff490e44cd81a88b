// Before the tests: installs the clients.
import { installPackages } from '../../src/cli/install-packages'

export default () => installPackages('test/conformance')
