/** Returns some fields of an object. */
export const pick = <D extends object>(object: D, fields: readonly (keyof D)[]): Partial<D> =>
  Object.fromEntries(fields.map((field) => [field, object[field]])) as Partial<D>

/** Returns the fields of `after` that differ from those of `before`: a save of them keeps what other users change at the same time. */
export const fieldsChanged = <T extends object>(before: T, after: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T]),
    ),
  ) as Partial<T>
