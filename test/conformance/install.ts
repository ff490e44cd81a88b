// Before the tests: installs the clients.
import { installPackages } from '../../src/cli/build/install-packages'

export default () => installPackages('test/conformance')
