// Converts CSS selectors to patterns of a chain of elements (`a.btn:attr_id="x"href="/pay";div`), in which the innermost element comes
// first.
import { HogqlError } from '../../error'

/** Matches a part of a selector: `a`, `.btn`, `#pay`, `[data-attr="x"]`, `:nth-child(2)`. */
const PART =
  /([\w-]+|\*)|\.([\w-]+)|#([\w-]+)|\[\s*([\w-]+)\s*=\s*(?:"([^"\\]*)"|'([^'\\]*)'|([\w-]+))\s*\]|:(nth-child|nth-of-type)\(\s*(\d+)\s*\)/y

const MAX_ELEMENTS = 20

interface Element {
  tag: string | null
  classes: string[]
  /** The values of attributes by their names in the chain. */
  attributes: Map<string, string>
}

/** Matches the attributes of an element before a wanted one. A value may contain any character. */
const ATTRIBUTES = String.raw`(?:[^;"]|"(?:\\.|[^"\\])*")*?`
const CLASSES = String.raw`(?:\.[^.:;]+)*`

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** @throws HogqlError for a selector that cannot be matched */
export function selectorPattern(selector: string): string {
  const [innermost, ...around] = elementsOf(selector.trim(), selector).toReversed()
  let pattern = `(?:^|;)${elementPattern(innermost!.element)}`
  let isChild = innermost!.isChild
  for (const each of around) {
    // There may be other elements between an element and one around it, except for `>`.
    pattern += `;${isChild ? '' : '(?:.*;)?'}${elementPattern(each.element)}`
    isChild = each.isChild
  }
  return `${pattern}(?:;|$)`
}

/** Parses a selector. `isChild` says whether an element is directly inside the one before it. */
function elementsOf(text: string, selector: string): { element: Element; isChild: boolean }[] {
  const found: { element: Element; isChild: boolean }[] = []
  let at = 0
  let isChild = false
  while (at < text.length) {
    const combinator = /^\s*(>?)\s*/.exec(text.slice(at))!
    at += combinator[0].length
    isChild = combinator[1] === '>'
    const element: Element = { tag: null, classes: [], attributes: new Map() }
    const start = at
    for (PART.lastIndex = at; ; PART.lastIndex = at) {
      const part = PART.exec(text)
      if (!part || (part[1] !== undefined && at > start)) break
      at = PART.lastIndex
      addPart(element, part)
    }
    if (at === start || found.length === MAX_ELEMENTS || (isChild && found.length === 0)) {
      throw new HogqlError(
        `The selector '${selector}' cannot be matched: use tags, classes, ids, [name="value"] and :nth-child(n)`,
      )
    }
    found.push({ element, isChild })
  }
  if (found.length === 0) throw new HogqlError('A selector must not be empty')
  return found
}

function addPart(
  element: Element,
  [, tag, className, id, name, double, single, bare, position, place]: RegExpExecArray,
): void {
  if (tag !== undefined) element.tag = tag === '*' ? null : tag
  else if (className !== undefined) element.classes.push(className)
  else if (id !== undefined) element.attributes.set('attr_id', id)
  else if (position !== undefined) element.attributes.set(position, place!)
  else {
    const key = name === 'id' ? 'attr_id' : name === 'href' || name === 'text' ? name : `attr__${name}`
    element.attributes.set(key, double ?? single ?? bare ?? '')
  }
}

/** Returns the pattern of an element. Classes and attributes of a chain are in alphabetical order. */
function elementPattern({ tag, classes, attributes }: Element): string {
  const named = tag === null ? '[^.:;]+' : escaped(tag)
  const classed = classes.toSorted().map((name) => String.raw`${CLASSES}\.${escaped(name)}`)
  const wanted = [...attributes.keys()]
    .toSorted()
    .map((key) => `${ATTRIBUTES}${escaped(key)}="${escaped(attributes.get(key)!)}"`)
  const rest = wanted.length > 0 ? `:${wanted.join('')}${ATTRIBUTES}` : `(?::${ATTRIBUTES})?`
  return `${named}${classed.join('')}${CLASSES}${rest}`
}
