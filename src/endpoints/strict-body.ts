// Bodies of operations on endpoints: a field that is not known is refused (decision 6).
import * as z from 'zod'

/** A body of these fields and no others. A key may stand in it too: who calls is settled before it is looked at. */
export const strictBody = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(withoutKey, z.strictObject(shape))

function withoutKey(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('personal_api_key' in body)) return body
  const { personal_api_key: _key, ...fields } = body
  return Array.isArray(body) ? body : fields
}
