/** Renders an operation: description, access, request, response, errors and examples. */
import { html } from 'ghtml'
import { FAILURE_MEANINGS, VALIDATION_MEANINGS } from '../contract/errors/error-codes.ts'
import { headerParameters, headersOf } from '../contract/openapi/parameters.ts'
import { documentedErrorStatuses, meaningByStatus } from '../contract/openapi/responses.ts'
import type { Operation } from '../contract/operation.ts'
import { describeField, describeSchema, type SchemaDescription, typeOf } from './describe-schema.ts'
import { fieldList } from './field-list.ts'
import { type CodeLanguage, highlight } from './highlight.ts'
import { renderInlineCode } from './inline-code.ts'
import { examplesOf, renderCurl, renderSdkCall } from './request-example.ts'

/** The section; its HTML id is the operation's id. */
export function operationSection(operation: Operation): string {
  const { id, summary, method, path, description } = operation
  return html`<section class="operation" id="${id}">
<div class="about">
<h3><a href="#${id}">${summary}</a></h3>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>!${breakable(path)}</code></p>
!${description === undefined ? '' : html`<p>!${renderInlineCode(description)}</p>`}
!${accessSection(operation)}
!${inputSection(operation)}
!${responseSection(operation)}
!${errorSection(operation)}
</div>
!${exampleSection(operation)}
</section>
`
}

const ACCESS_REQUIREMENTS: Readonly<Record<Operation['admits'], string>> = {
  anyone: 'Anyone; no access token is needed.',
  partner: 'A partner with an [access token](#authentication).',
  consent: 'A partner with an [access token](#authentication) and a [consent](#consents-and-users).',
}

const ANY_CONSENT =
  'A partner with an [access token](#authentication) and a [consent](#consents-and-users), in any state.'

function accessSection({ admits, consentState, psu, idempotent, sandboxOnly, id }: Operation): string {
  const facts = [
    admits === 'consent' && consentState === 'any' ? ANY_CONSENT : ACCESS_REQUIREMENTS[admits],
    ...(psu === 'required' ? ['The user must be present: send their IP address and user agent.'] : []),
    ...(psu === 'optional' ? ['When the user is present, send their IP address and user agent.'] : []),
    ...(idempotent ? ['Accepts an [Idempotency-Key](#safe-retries).'] : []),
    ...(sandboxOnly ? ['Available only in the sandbox.'] : []),
  ]
  return html`<h4 id="${id}-admits">Who may call it</h4><p>!${facts.map(linked).join(' ')}</p>`
}

/** Renders Markdown links in our own sentences. */
function linked(text: string): string {
  return html`${text}`.replaceAll(/\[([^\]]+)\]\((#[\w-]+)\)/g, '<a href="$2">$1</a>')
}

function inputSection(operation: Operation): string {
  const headers = headersOf(operation).map((name) => {
    const { name: header, schema, description, required } = headerParameters[name]
    return describeField(header, { ...schema, description }, required)
  })
  const body = operation.bodyType === 'form' ? 'Body, as a form' : 'Body'
  return [
    part('Headers', { fields: headers, variants: [], needs: [] }),
    part('Path', describeSchema(operation.params)),
    part('Query', describeSchema(operation.query)),
    part(body, describeSchema(operation.body)),
  ].join('')
}

function responseSection({ answer: { status, schema, otherForms = {} } }: Operation): string {
  const heading = html`<h4>Response <span class="status">${status}</span></h4>`
  if (schema === null) {
    return `${heading}<p>No response body.</p>`
  }
  const description = 'description' in schema ? String(schema.description) : ''
  const others = Object.entries(otherForms).map(
    ([mediaType, what]) => `<p>${renderInlineCode(`\`${mediaType}\`: ${what}`)}</p>`,
  )
  return html`!${heading}<p><span class="type">${typeOf(schema)}</span> !${renderInlineCode(description)}</p>!${others.join('')}!${fieldList(describeSchema(schema))}`
}

function errorSection(operation: Operation): string {
  const codes = [
    ...operation.failures.map((code) => ['400', code, FAILURE_MEANINGS[code]] as const),
    ...operation.validation.map((code) => ['422', code, VALIDATION_MEANINGS[code]] as const),
    ...documentedErrorStatuses(operation).map((status) => [String(status), '', meaningByStatus[status]] as const),
  ].sort(([one], [other]) => one.localeCompare(other))
  const rows = codes.map(
    ([status, code, meaning]) =>
      html`<div><dt><span class="status">${status}</span>!${code === '' ? '' : html` <code>!${breakable(code)}</code>`}</dt><dd>${meaning}</dd></div>`,
  )
  return `<h4>Errors</h4><dl class="errors">${rows.join('')}</dl>`
}

function exampleSection(operation: Operation): string {
  const blocks = examplesOf(operation).flatMap((example) => [
    html`<p class="example">${example.summary}</p>`,
    codeBlock('curl', renderCurl(operation, example), 'shell'),
    codeBlock('TypeScript', renderSdkCall(operation, example), 'typescript'),
    example.answer === undefined ? '' : codeBlock('Response', JSON.stringify(example.answer, null, 2), 'json'),
  ])
  return `<div class="examples">${blocks.join('\n')}</div>`
}

function codeBlock(title: string, code: string, language: CodeLanguage): string {
  return html`<details open><summary>${title}</summary><pre><code>!${highlight(code, language)}</code></pre></details>`
}

function part(heading: string, inside: SchemaDescription): string {
  const list = fieldList(inside)
  return list === '' ? '' : html`<h4>${heading}</h4>!${list}`
}

/** Allows line breaks in long paths and codes after a slash and before a capital letter. */
function breakable(text: string): string {
  return html`${text}`.replaceAll(/\/|_|(?<=[a-z])(?=[A-Z])/g, '$&<wbr>')
}
