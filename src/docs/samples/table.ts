// Samples of operations that do not document them yet.
import type { SampleDocs } from '../../http/docs/sample-steps'

export const NEEDS: Readonly<Record<string, SampleDocs>> = {
}
