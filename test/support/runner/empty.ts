// Before each file that counts, deletes or fills what all projects share: empties the databases, KV, R2 and the objects of the runtime.
import { reset } from 'cloudflare:test'

await reset()
delete (globalThis as { hasDatabases?: unknown }).hasDatabases
