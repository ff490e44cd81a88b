import type * as z from 'zod'

/** @returns what a body violates: path and message of each, with the value there. A null schema is that of no body. */
export function violations(schema: z.ZodType | null, body: unknown): string[] {
  if (schema === null) return body === null ? [] : ['a body where there is none']
  const { error } = schema.safeParse(body)
  return (error?.issues ?? []).map(({ path, message }) => {
    const value = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)?.[key], body)
    return `${path.join('.')}: ${message} (${JSON.stringify(value)?.slice(0, 80)})`
  })
}
