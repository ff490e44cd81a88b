// Compares states of an item as the API has them.

/**
 * Returns one text for equal states: keys are sorted, and what reads add, members that are null, and payloads of no value, are left out.
 */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (name, each: unknown) => {
    if (name === 'cohort_name' || each === null) return undefined
    if (typeof each !== 'object' || Array.isArray(each)) return each
    if (name === 'payloads' && Object.keys(each).length === 0) return undefined
    return Object.fromEntries(Object.entries(each as object).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }) ?? ''
