import { json, jsonParseLinter } from '@codemirror/lang-json'
import { linter } from '@codemirror/lint'
import { useEffect, useRef, useState } from 'react'
import { CodeEditor, type Diagnostic, type EditorProps } from './code-editor'

const lint = jsonParseLinter()

interface JsonCodeEditorProps extends EditorProps {
  /** What is wrong beyond the form of JSON. */
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
    linter((view) => latest.current ?? (view.state.doc.length === 0 ? [] : lint(view))),
  ])
  return <CodeEditor {...props} extensions={language} />
}
