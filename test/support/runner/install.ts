// Installs the packages of all folders that tests need. `.ci/run` does so beside the checks.
import { installPackages } from '../../../src/cli/build/install-packages'

const FOLDERS = ['test/conformance', 'test/clickhouse', 'test/bench']

FOLDERS.forEach(installPackages)
