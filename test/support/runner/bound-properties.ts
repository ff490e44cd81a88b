// A property that a generated input contradicts is reported with its seed and the smallest counterexample that is found in this time: shrinking
// alone has no bound. It is also the time that a property has on a busy machine, where it is tried less often.
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'

const MAX_PROPERTY_MS = 15_000

if (!env.FUZZ_RUNS)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: MAX_PROPERTY_MS })
