/** Removes control characters, because texts come from another service. */
export const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\n]/gu, '\uFFFD')
