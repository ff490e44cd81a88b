// The name by which queries refer to a variable.

/** Lower case, spaces as `_`, only letters and digits. */
export const codeNameOf = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .replaceAll(' ', '_')
    .toLowerCase()
