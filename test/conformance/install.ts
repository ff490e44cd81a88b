// Before the tests: installs the clients.
import { installPackages } from '../support/runner/install-packages'

export default () => installPackages('test/conformance')
