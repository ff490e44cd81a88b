// Before each file that counts, deletes or fills what all projects share.
import { emptyStorage } from '../databases'

await emptyStorage()
