// As much of jsdom as tests use. Its own types would bring the browser's globals into the Worker's.
declare module 'jsdom' {
  export class VirtualConsole {
    on(event: string, listener: (...values: unknown[]) => void): this
  }
  export interface JSDOMOptions {
    url?: string
    runScripts?: 'dangerously' | 'outside-only'
    resources?: 'usable'
    pretendToBeVisual?: boolean
    virtualConsole?: VirtualConsole
  }
  export class JSDOM {
    constructor(html: string, options?: JSDOMOptions)
    readonly window: { eval(script: string): unknown; close(): void; readonly localStorage: object }
  }
}
