// The name by which queries refer to a variable.

/** Converts a name to lower case, with `_` for spaces, and removes everything but letters, digits and `_`. */
export const codeNameOf = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .replaceAll(' ', '_')
    .toLowerCase()
