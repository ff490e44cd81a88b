// Runs an import while the page is open.
import { useEffect, useRef, useState } from 'react'
import { ownTransport } from '../api/import'
import { queryClient } from '../api/queries'
import { openMemory } from './browser-memory'
import { type Draft, streamsOf } from './draft'
import { openSource, type SourceContext } from './open-source'
import { begun, reported, type RunState } from './run-state'

export function useImport(projectId: number) {
  const [run, setRun] = useState<RunState | null>(null)
  const stopRef = useRef<AbortController | null>(null)
  useEffect(() => () => stopRef.current?.abort(), [])

  /** @param isApplied whether it writes. */
  async function start(draft: Draft, isApplied: boolean): Promise<void> {
    const controller = new AbortController()
    stopRef.current = controller
    const { signal } = controller
    const update = (change: (state: RunState) => RunState) => {
      if (!signal.aborted) setRun((state) => state && change(state))
    }
    const say = (text: string) => update((state) => ({ ...state, note: text.trim() }))
    setRun(begun(isApplied))
    try {
      const engine = await import('./engine')
      const source = openSource(draft, { engine, projectId, say, signal })
      const client = engine.createClient({
        url: location.origin,
        headers: {},
        key: '',
        say,
        signal,
        send: ownTransport,
      })
      const project = engine.projectPath(String(projectId))
      await engine.runImport({
        source,
        client,
        project,
        memory: await openMemory(source.id, `${location.origin} ${project}`, () =>
          say('The browser does not store what was imported: it may be full.'),
        ),
        streams: streamsOf(draft),
        apply: isApplied,
        overwrite: draft.overwrite,
        check: true,
        report: (event) => update((state) => reported(state, event, Date.now())),
      })
      update((state) => ({ ...state, status: 'done', progress: null, note: null }))
    } catch (error) {
      update((state) => ({ ...state, status: 'failed', error, progress: null, note: null }))
    } finally {
      if (isApplied) void queryClient.invalidateQueries()
    }
  }

  return {
    run,
    start,
    /** What is written stays. */
    stop() {
      stopRef.current?.abort(new Error('The import was stopped.'))
      setRun((state) => state && { ...state, status: 'stopped', progress: null, note: null })
    },
    /** Forgets a run that says nothing of the draft any more. */
    clear: () => setRun((state) => (state?.status === 'running' ? state : null)),
  }
}

/** For calls besides an import. */
export async function contextOf(projectId: number): Promise<SourceContext> {
  const engine = await import('./engine')
  return { engine, projectId, say: () => {}, signal: new AbortController().signal }
}
