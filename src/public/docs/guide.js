// The script of the guides, which copies commands and searches the text. The pages are complete without it.

for (const pre of document.querySelectorAll('.guide pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent.trimEnd())
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
  const box = document.createElement('div')
  box.className = 'code'
  pre.replaceWith(box)
  box.append(pre, button)
}

const MAX_FOUND = 12
/** Characters of the text before and after a word that was found. */
const AROUND = 60

const search = document.querySelector('.search')
const field = search.querySelector('input')
const list = search.querySelector('ul')
const status = search.querySelector('p')
search.hidden = false

let index
const load = () =>
  (index ??= fetch('/docs/guide/search.json').then((response) => {
    if (!response.ok) throw new Error(String(response.status))
    return response.json()
  }))

/** The most for a word in the title of a section, then of a page; 0 if any word is missing. */
function rank([, page, section, text], words) {
  let total = 0
  for (const word of words) {
    const points =
      (section.toLowerCase().includes(word) ? 4 : 0) +
      (page.toLowerCase().includes(word) ? 2 : 0) +
      (text.toLowerCase().includes(word) ? 1 : 0)
    if (points === 0) return 0
    total += points
  }
  return total
}

function itemOf([path, page, section, text], words) {
  const link = document.createElement('a')
  link.href = path
  link.textContent = section === '' ? page : `${page}: ${section}`
  const at = text.toLowerCase().indexOf(words[0])
  const excerpt = document.createElement('span')
  excerpt.textContent = at < 0 ? '' : text.slice(Math.max(0, at - AROUND), at + AROUND)
  const item = document.createElement('li')
  link.append(excerpt)
  item.append(link)
  return item
}

async function find() {
  const query = field.value
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) {
    list.replaceChildren()
    status.textContent = ''
    return
  }
  let sections
  try {
    sections = await load()
  } catch (error) {
    index = undefined
    status.textContent = `The search could not be loaded. ${error.message}`
    return
  }
  // Something else was typed while it was loading.
  if (field.value !== query) return
  const found = sections
    .map((section) => ({ section, points: rank(section, words) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
  list.replaceChildren(...found.slice(0, MAX_FOUND).map(({ section }) => itemOf(section, words)))
  status.textContent = found.length === 0 ? 'Nothing found' : `${found.length} sections`
}

field.addEventListener('focus', () => load().catch(() => (index = undefined)))
field.addEventListener('input', find)
