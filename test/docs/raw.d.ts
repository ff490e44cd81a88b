/** The text of a file, as Vite gives it. */
declare module '*?raw' {
  const text: string
  export default text
}

interface ImportMeta {
  /** The texts of all files that match, by path; Vite replaces the call. */
  glob(
    patterns: readonly string[],
    options: { query: '?raw'; import: 'default'; eager: true },
  ): Record<string, string>
  /** Loaders of all files that match, by path. */
  glob(patterns: readonly string[]): Record<string, () => Promise<unknown>>
}
