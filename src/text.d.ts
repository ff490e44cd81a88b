// Files that wrangler bundles as text.
declare module '*.txt' {
  const text: string
  export default text
}
