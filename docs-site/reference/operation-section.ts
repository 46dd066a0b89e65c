/** Renders an operation: description, access, request, response, errors and examples. */
import { html } from 'ghtml'
import { VALIDATION_ERRORS } from '../../contract/errors/error-codes.ts'
import { FAILURES } from '../../contract/errors/failures.ts'
import { headerParameters, headersOf } from '../../contract/openapi/parameters.ts'
import { documentedErrorStatuses, meaningByStatus } from '../../contract/openapi/responses.ts'
import type { Operation } from '../../contract/operation.ts'
import type { DocsSettings } from '../docs-settings.ts'
import { renderCSharp } from '../examples/csharp-example.ts'
import { renderCurl } from '../examples/curl-example.ts'
import { renderPython } from '../examples/python-example.ts'
import { examplesOf, type RequestExample } from '../examples/request-example.ts'
import { renderTypeScript } from '../examples/typescript-example.ts'
import { adaptExample } from '../guides/adapt-document.ts'
import { codeBlock } from '../markdown/highlight-code.ts'
import { tryItForm } from '../try-it/try-it-form.ts'
import {
  describeField,
  describeSchema,
  fieldList,
  renderInlineCode,
  type SchemaDescription,
  typeOf,
} from './field-list.ts'

/** The section; its HTML id is the operation's id. */
export function operationSection(operation: Operation, place: DocsSettings): string {
  const { id, summary, method, path, description } = operation
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="about">
<h2 id="${id}-title"><a href="#${id}">${summary}</a></h2>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>!${breakable(path)}</code></p>
!${description === undefined ? '' : html`<p>!${renderInlineCode(description)}</p>`}
!${destructiveNote(operation)}
!${accessSection(operation)}
!${inputSection(operation)}
!${responseSection(operation)}
!${errorSection(operation)}
</div>
<div class="examples">!${examplesOf(operation)
    .map((example) => exampleBlocks(operation, example, place))
    .join('\n')}</div>
</section>
`
}

const TOKEN = '<a href="/docs/guides/authentication">access token</a>'
const CONSENT = '<a href="/docs/guides/consents">consent</a>'
const ACCESS_REQUIREMENTS: Readonly<Record<Operation['admits'], string>> = {
  anyone: 'Anyone; no access token is needed.',
  partner: `A partner with an ${TOKEN}.`,
  consent: `A partner with an ${TOKEN} and a ${CONSENT}.`,
}
const ANY_CONSENT = `A partner with an ${TOKEN} and a ${CONSENT}, in any state.`

function destructiveNote({ destructive }: Operation): string {
  return destructive === undefined ? '' : html`<p class="destructive"><strong>Destructive.</strong> ${destructive}</p>`
}

function accessSection({ admits, consentState, psu, idempotent, sandboxOnly }: Operation): string {
  const facts = [
    admits === 'consent' && consentState === 'any' ? ANY_CONSENT : ACCESS_REQUIREMENTS[admits],
    ...(psu === 'required' ? ['The user must be present: send their IP address and user agent.'] : []),
    ...(psu === 'optional' ? ['When the user is present, send their IP address and user agent.'] : []),
    ...(idempotent ? ['Accepts an <a href="/docs/guides/safe-retries">Idempotency-Key</a>.'] : []),
    ...(sandboxOnly ? ['Available only in the sandbox.'] : []),
  ]
  return `<h3>Who may call it</h3><p>${facts.join(' ')}</p>`
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
  const heading = html`<h3>Response <span class="status">${status}</span></h3>`
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
    ...operation.failures.map((code) => ['400', code, FAILURES[code].meaning] as const),
    ...operation.validation.map((code) => ['422', code, VALIDATION_ERRORS[code].meaning] as const),
    ...documentedErrorStatuses(operation).map((status) => [String(status), '', meaningByStatus[status]] as const),
  ].sort(([one], [other]) => one.localeCompare(other))
  const rows = codes.map(
    ([status, code, meaning]) =>
      html`<div><dt><span class="status">${status}</span>!${code === '' ? '' : ` ${linkedCode(code)}`}</dt><dd>!${renderInlineCode(meaning)}</dd></div>`,
  )
  return `<h3>Errors</h3><dl class="errors">${rows.join('')}</dl>`
}

function linkedCode(code: string): string {
  return html`<a href="/docs/errors#${code}"><code>!${breakable(code)}</code></a>`
}

const LANGUAGES = [
  ['curl', 'sh', renderCurl],
  ['TypeScript', 'ts', renderTypeScript],
  ['Python', 'python', renderPython],
  ['C#', 'csharp', renderCSharp],
] as const

function exampleBlocks(operation: Operation, example: RequestExample, place: DocsSettings): string {
  const tabs = LANGUAGES.map(([title, language, render]) => {
    const code = codeBlock(adaptExample(render(operation, example), place), language)
    return html`<div class="tab" data-tab="${title}"><p class="tab-title">${title}</p>!${code}</div>`
  })
  const response =
    example.answer === undefined
      ? ''
      : html`<details open><summary>Response</summary>!${codeBlock(adaptExample(JSON.stringify(example.answer, null, 2), place), 'json')}</details>`
  return html`<p class="example">${example.summary}</p><div class="tabs">!${tabs.join('\n')}</div>!${response}!${tryItForm(operation, example, place)}`
}

function part(heading: string, inside: SchemaDescription): string {
  const list = fieldList(inside)
  return list === '' ? '' : html`<h3>${heading}</h3>!${list}`
}

/** Allows line breaks in long paths and codes after a slash and before a capital letter. */
function breakable(text: string): string {
  return html`${text}`.replaceAll(/\/|_|(?<=[a-z])(?=[A-Z])/g, '$&<wbr>')
}
