import type { ReactNode } from 'react'
import { Button } from './button'
import { ProblemNotice } from './feedback'
import { Form } from './fields/field'

interface FormBodyProps {
  action: string
  isBusy: boolean
  disabled: boolean
  /** The problem that no field shows. */
  error: unknown
  onSubmit(): void
  /** What stands beside the button. */
  beside?: ReactNode
  children: ReactNode
}

/** A form within a page, with its button. */
export const FormBody = ({ action, error, onSubmit, beside, children, ...button }: FormBodyProps) => (
  <Form onSubmit={onSubmit}>
    {children}
    {error ? <ProblemNotice error={error} /> : null}
    <div className="row">
      <Button type="submit" kind="primary" {...button}>
        {action}
      </Button>
      {beside}
    </div>
  </Form>
)
