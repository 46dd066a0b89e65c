/** Prints one operation: what it does, who may call it, what it takes, answers and refuses, and how a call looks. */
import { html } from 'ghtml'
import { FAILURE_MEANINGS, VALIDATION_MEANINGS } from '../contract/errors/error-codes.ts'
import { headerParameters, headersOf } from '../contract/openapi/parameters.ts'
import { meaningByStatus, refusedStatuses } from '../contract/openapi/responses.ts'
import type { Operation } from '../contract/operation.ts'
import { fieldOf, type Inside, insideOf, typeOf } from './describe-schema.ts'
import { fieldList } from './field-list.ts'
import { type CodeLanguage, highlight } from './highlight.ts'
import { prose } from './inline-code.ts'
import { codeOf, curlOf, examplesOf } from './request-example.ts'

/** The section; its id is the operation's, so that it can be linked to. */
export function operationPart(operation: Operation): string {
  const { id, summary, method, path, description } = operation
  return html`<section class="operation" id="${id}">
<div class="about">
<h3><a href="#${id}">${summary}</a></h3>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>!${breakable(path)}</code></p>
!${description === undefined ? '' : html`<p>!${prose(description)}</p>`}
!${admissionPart(operation)}
!${inputPart(operation)}
!${answerPart(operation)}
!${refusalPart(operation)}
</div>
!${examplePart(operation)}
</section>
`
}

const ADMISSIONS: Readonly<Record<Operation['admits'], string>> = {
  anyone: 'Anyone; no access token is needed.',
  partner: 'A partner with an [access token](#authentication).',
  consent: 'A partner with an [access token](#authentication) and a [consent](#consents-and-users).',
}

const ANY_CONSENT =
  'A partner with an [access token](#authentication) and a [consent](#consents-and-users), in whatever state it is.'

function admissionPart({ admits, consentState, psu, idempotent, sandboxOnly, id }: Operation): string {
  const facts = [
    admits === 'consent' && consentState === 'any' ? ANY_CONSENT : ADMISSIONS[admits],
    ...(psu === 'required' ? ['The user must be present: their address and browser are sent along.'] : []),
    ...(psu === 'optional' ? ['When the user is present, send their address and browser along.'] : []),
    ...(idempotent ? ['Takes an [Idempotency-Key](#safe-retries).'] : []),
    ...(sandboxOnly ? ['Exists in the sandbox only.'] : []),
  ]
  return html`<h4 id="${id}-admits">Who may call it</h4><p>!${facts.map(linked).join(' ')}</p>`
}

/** Our own sentences hold links as Markdown writes them. */
function linked(text: string): string {
  return html`${text}`.replaceAll(/\[([^\]]+)\]\((#[\w-]+)\)/g, '<a href="$2">$1</a>')
}

function inputPart(operation: Operation): string {
  const headers = headersOf(operation).map((name) => {
    const { name: header, schema, description, required } = headerParameters[name]
    return fieldOf(header, { ...schema, description }, required)
  })
  const body = operation.bodyType === 'form' ? 'Body, as a form' : 'Body'
  return [
    part('Headers', { fields: headers, variants: [], needs: [] }),
    part('Path', insideOf(operation.params)),
    part('Query', insideOf(operation.query)),
    part(body, insideOf(operation.body)),
  ].join('')
}

function answerPart({ answer: { status, schema, otherForms = {} } }: Operation): string {
  const heading = html`<h4>Answer <span class="status">${status}</span></h4>`
  if (schema === null) {
    return `${heading}<p>Done; there is no body.</p>`
  }
  const description = 'description' in schema ? String(schema.description) : ''
  const others = Object.entries(otherForms).map(([mediaType, what]) => `<p>${prose(`\`${mediaType}\`: ${what}`)}</p>`)
  return html`!${heading}<p><span class="type">${typeOf(schema)}</span> !${prose(description)}</p>!${others.join('')}!${fieldList(insideOf(schema))}`
}

function refusalPart(operation: Operation): string {
  const codes = [
    ...operation.failures.map((code) => ['400', code, FAILURE_MEANINGS[code]] as const),
    ...operation.validation.map((code) => ['422', code, VALIDATION_MEANINGS[code]] as const),
    ...refusedStatuses(operation).map((status) => [String(status), '', meaningByStatus[status]] as const),
  ].sort(([one], [other]) => one.localeCompare(other))
  const rows = codes.map(
    ([status, code, meaning]) =>
      html`<div><dt><span class="status">${status}</span>!${code === '' ? '' : html` <code>!${breakable(code)}</code>`}</dt><dd>${meaning}</dd></div>`,
  )
  return `<h4>Refusals</h4><dl class="refusals">${rows.join('')}</dl>`
}

function examplePart(operation: Operation): string {
  const blocks = examplesOf(operation).flatMap((example) => [
    html`<p class="example">${example.summary}</p>`,
    codeBlock('curl', curlOf(operation, example), 'shell'),
    codeBlock('TypeScript', codeOf(operation, example), 'typescript'),
    example.answer === undefined ? '' : codeBlock('Answer', JSON.stringify(example.answer, null, 2), 'json'),
  ])
  return `<div class="examples">${blocks.join('\n')}</div>`
}

function codeBlock(title: string, code: string, language: CodeLanguage): string {
  return html`<details open><summary>${title}</summary><pre><code>!${highlight(code, language)}</code></pre></details>`
}

function part(heading: string, inside: Inside): string {
  const list = fieldList(inside)
  return list === '' ? '' : html`<h4>${heading}</h4>!${list}`
}

/** Long paths and codes may break behind a slash and before a capital letter. */
function breakable(text: string): string {
  return html`${text}`.replaceAll(/\/|_|(?<=[a-z])(?=[A-Z])/g, '$&<wbr>')
}
