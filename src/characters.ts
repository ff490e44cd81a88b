// Measures text in code points, as clients of this API count. JavaScript counts UTF-16 units.

/** Whether text has more than `max` code points. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || [...text].length > max)
