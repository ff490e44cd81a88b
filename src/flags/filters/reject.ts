import { invalid } from '../../errors'

/** @throws 400, attr `filters`. */
export function reject(detail: string, code?: string): never {
  throw invalid('filters', detail, code)
}
