// All differences, area by area.
import { accounts } from './accounts'
import { joinDifferences } from './difference'
import { endpoints } from './endpoints'
import { everywhere } from './everywhere'
import { flags } from './flags'
import { people } from './people'
import { queries } from './queries'
import { sdk } from './sdk'

export const differences = joinDifferences([everywhere, flags, queries, endpoints, people, accounts, sdk])
