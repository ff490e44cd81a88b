/** The milliseconds in which a page has to show something. */
const DEADLINE_MS = 30_000

/**
 * Returns script for a promise that resolves in the frame in which a condition holds, and rejects with its text after a deadline.
 * `waitForFunction` of the browser's driver evaluates text, which the console's policy does not allow.
 * @param condition an expression of the page's script
 */
export const promiseOf = (condition: string): string => `new Promise((resolve, reject) => {
  const end = performance.now() + ${DEADLINE_MS}
  ;(function look() {
    if (${condition}) resolve(null)
    else if (performance.now() > end) reject(new Error(${JSON.stringify(`not shown: ${condition}`)}))
    else requestAnimationFrame(look)
  })()
})`
