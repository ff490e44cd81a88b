import { expect, it } from 'vitest'
import { Select } from '../../../src/console/design/fields/field'

type Element = { props: { value: string } }

/** The values that the control offers. */
function valuesOf(value: string): string[] {
  const options = [
    ['exact', 'is'],
    ['gt', 'is above'],
  ] as const
  const { props } = Select<string>({ value, options, onChange() {} })
  return (props as { children: (Element | Element[] | false)[] }).children
    .flat()
    .flatMap((option) => (option ? [option.props.value] : []))
}

it('shows a value that is not among its options', () => {
  expect(valuesOf('gt')).toEqual(['exact', 'gt'])
  expect(valuesOf('between')).toEqual(['between', 'exact', 'gt'])
})
