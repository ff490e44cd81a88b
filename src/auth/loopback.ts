// What is on this machine needs no HTTPS.

/** Whether a URL leads to the machine that it is on: development, and tests with a provider of their own. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
