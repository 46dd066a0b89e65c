/** Adds to documentation pages, in the browser: copy buttons, language tabs, and results below the search field. */
// @ts-nocheck It runs in browsers, whose types no other file needs.

const LANGUAGE_KEY = 'havn-docs-language'
const SEARCH_FILES = {
  engine: '/docs/assets/minisearch.mjs',
  options: '/docs/assets/search-options.mjs',
  index: '/docs/assets/search-index.json',
}
const TRY_IT_FILE = '/docs/assets/try-it.mjs'
const COPIED_MILLISECONDS = 2_000

document.documentElement.classList.add('scripted')
addCopyButtons()
addTabs()
addSearch()

if (document.querySelector('.try-it') !== null) {
  import(TRY_IT_FILE)
}

function addCopyButtons() {
  for (const block of document.querySelectorAll('main pre:not(:has(> .text))')) {
    const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' })
    button.setAttribute('aria-label', 'Copy the code')
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent)
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, COPIED_MILLISECONDS)
    })
    block.prepend(button)
  }
}

function addTabs() {
  for (const [index, group] of document.querySelectorAll('.tabs').entries()) {
    const panels = [...group.children]
    const list = element('div', { className: 'tab-list', role: 'tablist' })
    list.setAttribute('aria-label', 'Language')
    const tabs = panels.map((panel, position) => {
      const title = panel.dataset.tab
      const tab = element('button', { type: 'button', role: 'tab', textContent: title, id: `tab-${index}-${position}` })
      panel.id = `panel-${index}-${position}`
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-labelledby', tab.id)
      tab.setAttribute('aria-controls', panel.id)
      tab.addEventListener('click', () => chooseLanguage(title, tab))
      return tab
    })
    list.append(...tabs)
    list.addEventListener('keydown', (event) => moveInTabs(event, tabs))
    group.prepend(list)
  }
  showLanguage(readLanguage())
}

/** The position of the chosen tab stays, although blocks above it change their height. */
function chooseLanguage(title, tab) {
  const before = tab.getBoundingClientRect().top
  showLanguage(title)
  scrollBy(0, tab.getBoundingClientRect().top - before)
  try {
    localStorage.setItem(LANGUAGE_KEY, title)
  } catch {
    // Storage may be blocked; the choice then lasts as long as the page.
  }
}

function readLanguage() {
  try {
    return localStorage.getItem(LANGUAGE_KEY) ?? ''
  } catch {
    return ''
  }
}

function showLanguage(wanted) {
  for (const group of document.querySelectorAll('.tabs')) {
    const panels = [...group.querySelectorAll('.tab')]
    const shown = panels.find(({ dataset }) => dataset.tab === wanted) ?? panels[0]
    for (const panel of panels) {
      const isShown = panel === shown
      panel.hidden = !isShown
      const tab = document.getElementById(panel.getAttribute('aria-labelledby'))
      tab.setAttribute('aria-selected', String(isShown))
      tab.tabIndex = isShown ? 0 : -1
    }
  }
}

function moveInTabs(event, tabs) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step !== undefined) {
    event.preventDefault()
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length]
    chooseLanguage(next.textContent, next)
    next.focus()
  }
}

function addSearch() {
  const field = document.getElementById('search')
  const list = element('ul', { id: 'search-results', className: 'search-results', hidden: true })
  const status = element('p', { className: 'unseen', role: 'status' })
  field.form.append(list, status)
  let index
  field.addEventListener('focus', () => {
    index ??= loadIndex()
  })
  field.addEventListener('input', async () => {
    index ??= loadIndex()
    const { engine, search } = await index
    const results = search(engine, field.value)
    list.replaceChildren(...results.map(resultItem))
    list.hidden = results.length === 0
    status.textContent = field.value === '' ? '' : `${results.length} results`
  })
  field.form.addEventListener('keydown', (event) => moveInResults(event, field, list))
  document.addEventListener('click', ({ target }) => {
    list.hidden ||= !field.form.contains(target)
  })
  list.addEventListener('click', () => {
    list.hidden = true
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
      event.preventDefault()
      field.focus()
    }
  })
}

async function loadIndex() {
  const [{ default: MiniSearch }, { SEARCH_OPTIONS, search }, answer] = await Promise.all([
    import(SEARCH_FILES.engine),
    import(SEARCH_FILES.options),
    fetch(SEARCH_FILES.index),
  ])
  return { engine: MiniSearch.loadJSON(await answer.text(), SEARCH_OPTIONS), search }
}

function resultItem({ id, title, place, excerpt }) {
  const link = element('a', { href: id })
  const quiet = [place, excerpt].map((textContent) => element('span', { className: 'quiet', textContent }))
  link.append(element('span', { textContent: title }), ...quiet)
  const item = element('li', {})
  item.append(link)
  return item
}

function moveInResults(event, field, list) {
  const stops = [field, ...list.querySelectorAll('a')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Escape') {
    list.hidden = true
    field.focus()
  } else if (step !== undefined && !list.hidden) {
    event.preventDefault()
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus()
  }
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties)
}
