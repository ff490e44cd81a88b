import { json } from '@codemirror/lang-json'
import { linter } from '@codemirror/lint'
import { useEffect, useRef, useState } from 'react'
import { CodeEditor, type Diagnostic, type EditorProps } from './code-editor'
import { jsonIssueOf } from './json-issue'

function lint(text: string): Diagnostic[] {
  const issue = text === '' ? null : jsonIssueOf(text)
  return issue
    ? [{ from: issue.at, to: Math.min(issue.at + 1, text.length), severity: 'error', message: issue.message }]
    : []
}

interface JsonCodeEditorProps extends EditorProps {
  /** Problems other than invalid JSON. */
  problems?: readonly Diagnostic[]
}

export default function JsonCodeEditor(props: JsonCodeEditorProps) {
  const { problems } = props
  const latest = useRef(problems)
  useEffect(() => {
    latest.current = problems
  }, [problems])
  const [language] = useState(() => [
    json(),
    linter((view) => latest.current ?? lint(view.state.doc.toString())),
  ])
  return <CodeEditor {...props} extensions={language} />
}
