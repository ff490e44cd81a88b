// Text length in code points, as clients of this API count; JavaScript counts UTF-16 units.

/** Whether text has more than `most` code points. */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most)
