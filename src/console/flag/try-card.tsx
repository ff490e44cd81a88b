// Leads from a flag to what a person gets.
import { Link, useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { Form } from '../design/fields/field'
import type { Flag } from '../api/client'
import { Button, buttonClass } from '../design/button'
import { Card } from '../design/card'
import { Suggest } from '../design/fields/combobox'
import { isOnlyOfGroups } from '../grammar/sets'
import { usePersonSuggestions } from '../people/use-person-suggestions'
import { toFlag } from '../shell/pages'

export function TryCard({ projectId, flag }: { projectId: number; flag: Flag }) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const suggestions = usePersonSuggestions(projectId, useDeferredValue(text))
  const show = (person: string) => {
    if (person === '') return
    void navigate({
      ...toFlag(projectId, flag.id),
      search: { tab: 'people', person },
    })
  }
  if (isOnlyOfGroups(flag.filters))
    return (
      <Card
        title="Try it on a group"
        hint="Shows the value that a group gets, and which condition set decides."
      >
        <Link {...toFlag(projectId, flag.id)} search={{ tab: 'people' }} className={buttonClass({})}>
          Choose a group
        </Link>
      </Card>
    )
  return (
    <Card
      title="Try it on a person"
      hint="Shows the value that a person gets, and which condition set decides."
    >
      <Form className="row" onSubmit={() => show(text)}>
        <div className="grow">
          <Suggest
            label="Person to try"
            value={text}
            onChange={setText}
            onChoose={show}
            placeholder="Distinct id, name or email"
            suggestions={suggestions}
          />
        </div>
        <Button type="submit" disabled={text === ''}>
          Try
        </Button>
      </Form>
    </Card>
  )
}
