/** The text of a file, as Vite gives it. */
declare module '*?raw' {
  const text: string
  export default text
}
