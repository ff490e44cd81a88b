// Shows the project as a file, read and written by the browser.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Card } from '../design/card'
import { STREAM_TITLES } from '../../import/model'
import { ownTransport } from '../api/import'
import { Button } from '../design/button'
import { ProblemNotice } from '../design/feedback'
import { SwitchRow } from '../design/fields/field'
import { download } from '../query/result/download'

export function ExportCard({ projectId }: { projectId: number }) {
  const [chosen, setChosen] = useState({ persons: true, events: true })
  const [note, setNote] = useState<string | null>(null)
  const stopRef = useRef<AbortController | null>(null)
  useEffect(() => () => stopRef.current?.abort(), [])
  const exported = useMutation({
    mutationFn: async () => {
      const controller = new AbortController()
      stopRef.current = controller
      const engine = await import('./engine')
      const source = engine.posthogSource(
        {
          url: location.origin,
          key: '',
          project: String(projectId),
          say: setNote,
          send: ownTransport,
          signal: controller.signal,
        },
        { isExport: true },
      )
      const lines: string[] = []
      for await (const line of engine.exportLines({
        source,
        streams: [
          ...(chosen.persons ? (['person', 'group'] as const) : []),
          ...(chosen.events ? (['event'] as const) : []),
        ],
        withSecrets: false,
        now: new Date(),
        progress: (stream, rows) => setNote(`${STREAM_TITLES[stream]}: ${rows.toLocaleString('en')}`),
      }))
        lines.push(`${JSON.stringify(line)}\n`)
      download(`project-${projectId}.jsonl`, 'application/jsonl', lines)
      return lines.length
    },
    onSettled: () => setNote(null),
  })
  return (
    <Card title="Export">
      <p className="soft">
        Everything that an import takes, as a file of JSON lines, without encrypted payloads. The command npm
        run export is for large projects, and has them.
      </p>
      <SwitchRow
        title="Export people and groups"
        hint="The file contains personal data."
        isChecked={chosen.persons}
        onChange={(persons) => setChosen({ ...chosen, persons })}
      />
      <SwitchRow
        title="Export events"
        hint="They are kept in the memory of the browser until the file is complete."
        isChecked={chosen.events}
        onChange={(events) => setChosen({ ...chosen, events })}
      />
      {exported.isError && <ProblemNotice error={exported.error} />}
      <div className="row wrap">
        <Button isBusy={exported.isPending} onClick={() => exported.mutate()}>
          Export
        </Button>
        <span className="soft small" role="status">
          {exported.isPending
            ? (note ?? 'Reading the project.')
            : exported.isSuccess && `${exported.data.toLocaleString('en')} lines are in the file.`}
        </span>
      </div>
    </Card>
  )
}
