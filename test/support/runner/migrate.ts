// Prepares the databases of every test file, which share those of their runtime.
import { prepareDatabases } from '../databases'

await prepareDatabases()
