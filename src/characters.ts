// How long text is: in code points, as clients of this API count, not in the units that JavaScript does.

/** Whether text has more than `most` code points. */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most)
