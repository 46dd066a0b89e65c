/** Adds to examples of the reference, in the browser: a form that sends them with the reader's own credentials and ids. */
// @ts-nocheck It runs in browsers, whose types no other file needs.
import { dayFromToday } from './day-from-today.mjs'

const VARIABLE = /\{\{(\w+)\}\}/g
const KEY_PREFIX = 'havn-try-it-'
const now = await readBusinessTime()

for (const details of document.querySelectorAll('.try-it')) {
  details.hidden = false
  details.addEventListener('toggle', () => details.querySelector('form') ?? details.append(formOf(details)))
}

/** The clock of the sandbox may have been moved; wall time where it cannot be read. */
async function readBusinessTime() {
  try {
    const answer = await fetch('/docs/sandbox-time', { cache: 'no-store' })
    return answer.ok ? Date.parse((await answer.json()).now) : Date.now()
  } catch {
    return Date.now()
  }
}

/** Values stay in this tab, and are sent to this gateway only. */
function formOf(details) {
  const request = JSON.parse(details.dataset.request)
  const form = element('form', {})
  const texts = [request.path, ...Object.values(request.headers), request.body ?? '']
  const names = [...new Set(texts.flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name]) => name)))]
  form.append(...names.map((name) => inputFor(name, request)))
  if (request.body !== undefined) {
    const rows = Math.min(request.body.split('\n').length, 16)
    const area = element('textarea', { name: 'body', value: request.body, rows, spellcheck: false, required: true })
    form.append(labelled(request.isForm ? 'Fields of the form' : 'Body', area))
  }
  if (request.destructive !== undefined) {
    const box = element('input', { type: 'checkbox', required: true })
    const label = element('label', { className: 'consequence' })
    label.append(box, `Send it nevertheless. ${request.destructive}`)
    form.append(label)
  }
  const button = element('button', { className: 'button', textContent: `Send ${request.method}` })
  // The second click of a double click would send an order twice.
  button.addEventListener('click', (event) => event.detail > 1 && event.preventDefault())
  form.append(button)
  const result = element('div', { className: 'answer' })
  result.setAttribute('role', 'status')
  form.append(result)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    result.replaceChildren(element('p', { textContent: 'Sending …' }))
    result.replaceChildren(...(await send(request, form)))
  })
  return form
}

function inputFor(name, request) {
  const input = element('input', { name, value: initialValue(name, request), required: true, autocomplete: 'off' })
  input.spellcheck = false
  input.addEventListener('input', () => store(name, input.value))
  return labelled(name, input)
}

function initialValue(name, { known, days }) {
  const stored = read(name)
  if (stored !== '' || known[name] !== undefined) {
    return stored === '' ? known[name] : stored
  }
  const offset = days[name]
  return offset === undefined ? '' : dayFromToday(now, offset)
}

async function send(request, form) {
  const values = Object.fromEntries(new FormData(form))
  const filled = (text) => text.replaceAll(VARIABLE, (_, name) => values[name] ?? '')
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      filled(value.replaceAll('{{$guid}}', crypto.randomUUID())),
    ]),
  )
  const text = values.body === undefined ? undefined : filled(values.body)
  const body = request.isForm
    ? new URLSearchParams(text.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)))
    : text
  try {
    const answer = await fetch(filled(request.path), { method: request.method, headers, body, cache: 'no-store' })
    const answered = await answer.text()
    if (answer.ok) {
      setVariables(request.defines, answered)
    }
    return [
      element('p', { textContent: `${answer.status} ${answer.statusText}` }),
      blockOf([...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n')),
      ...(answered === '' ? [] : [blockOf(pretty(answered))]),
    ]
  } catch (error) {
    return [element('p', { textContent: `No answer: ${error.message}` })]
  }
}

/** Ids of the answer are entered in every form that needs them. */
function setVariables(defines, answered) {
  for (const [name, path] of defines) {
    const value = path.match(/\w+/g).reduce((part, step) => part?.[step], JSON.parse(answered))
    if (typeof value === 'string') {
      store(name, value)
      for (const input of document.querySelectorAll(`.try-it input[name="${name}"]`)) {
        input.value = value
      }
    }
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function blockOf(text) {
  const block = element('pre', {})
  block.tabIndex = 0
  block.append(element('code', { textContent: text }))
  return block
}

function labelled(text, field) {
  const label = element('label', {})
  label.append(element('span', { textContent: text }), field)
  return label
}

function read(name) {
  try {
    return sessionStorage.getItem(KEY_PREFIX + name) ?? ''
  } catch {
    return ''
  }
}

function store(name, value) {
  try {
    sessionStorage.setItem(KEY_PREFIX + name, value)
  } catch {
    // Storage may be blocked; the value then lasts as long as the page.
  }
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties)
}
