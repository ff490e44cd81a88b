// Installs the packages of all folders that tests need. `.ci/run` does so beside the checks.
import { installPackages } from './install-packages'

const FOLDERS = ['test/conformance', 'test/clickhouse', 'test/bench']

FOLDERS.forEach(installPackages)
