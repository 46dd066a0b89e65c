/** Renders the error catalogue: every code with its meaning, its usual cause and what to do. */
import { html } from 'ghtml'
import { type CataloguedError, ERROR_CATALOGUE } from '../../contract/errors/error-catalogue.ts'
import { FAILURE_CODES, VALIDATION_CODES } from '../../contract/errors/error-codes.ts'
import type { Operation } from '../../contract/operation.ts'
import type { PageContent } from '../layout/page-content.ts'
import { codeBlock } from '../markdown/highlight-code.ts'
import { operationPath } from '../reference/operation-groups.ts'

type Entry = [code: string, error: CataloguedError]

const OPERATIONS_MAX = 12

const ENVELOPE = {
  failure: 'ACCESS_DENIED',
  svcRequestId: '01a207a3-1ce0-7371-9c17-149d439536b3',
  message: 'The user may not pay from this account',
}
const VALIDATION_ERRORS = [
  { code: 'InvalidAccountNumber', reason: 'has a wrong check digit (modulus 11)', path: '.to.account.bban' },
  { code: 'InvalidDueDate', reason: 'is in the past', path: '.dueDate' },
]

const CHAPTERS = [
  {
    title: 'Validation errors',
    about: 'A field of the request is missing or wrong. All validation errors are returned at once.',
    has: (code: string) => VALIDATION_CODES.some((one) => one === code),
  },
  {
    title: 'Failures',
    about: 'The request is valid, but cannot be carried out.',
    has: (code: string) => FAILURE_CODES.some((one) => one === code) || /^[A-Z_]+$/.test(code),
  },
  {
    title: 'Authentication',
    about: 'The token endpoint returns errors of RFC 6749; a rejected token those of RFC 6750.',
    has: (code: string, { statuses }: CataloguedError) => /^[a-z_]+$/.test(code) || statuses.includes(401),
  },
  { title: 'Other errors', about: 'They can occur at any operation.', has: () => true },
] as const

/** The page; each code is an anchor, to which the errors of the API link. */
export function errorCataloguePage(served: readonly Operation[]): PageContent {
  const entries = Object.entries(ERROR_CATALOGUE)
  const chapterOf = ([code, error]: Entry) => CHAPTERS.find(({ has }) => has(code, error))?.title
  const chapters = CHAPTERS.map(({ title, about }) => {
    const inside = entries.filter((entry) => chapterOf(entry) === title)
    return html`<h2 id="${anchorOf(title)}">${title}</h2><p>${about}</p>!${inside.map((entry) => errorEntry(entry, served)).join('\n')}`
  })
  return {
    title: 'Errors',
    description: 'Every error code of the API: what it means, what usually causes it, and what to do.',
    main: `${opening()}${chapters.join('\n')}`,
  }
}

function opening(): string {
  return html`<h1>Errors</h1>
<p class="lead">Every error code: what it means, what usually causes it, and what to do.</p>
<p>A failed request returns one of two bodies. Programs must use the status and the code; <code>message</code> and
<code>reason</code> are for humans, and their wording may change. Every response has the header <code>svc-request-id</code>:
quote it to support. The header <code>Link</code> of an error leads to its entry on this page. The codes of errors without
<code>failure</code>, and more details, come with <a href="/docs/guides/errors"><code>Prefer: errors=detailed</code></a>.</p>
<p><strong>An error object</strong>, with <code>failure</code> where a code says more than the status:</p>
!${codeBlock(JSON.stringify(ENVELOPE, null, 2), 'json')}
<p><strong>A list of validation errors</strong>, with status 422: all errors of the request at once, in the order of the
body.</p>
!${codeBlock(JSON.stringify(VALIDATION_ERRORS, null, 2), 'json')}`
}

function errorEntry([code, { statuses, meaning, cause, action }]: Entry, served: readonly Operation[]): string {
  return html`<section class="error" id="${code}" aria-labelledby="${code}-title">
<h3 id="${code}-title"><a href="#${code}"><code>${code}</code></a> !${statuses.map((status) => html`<span class="status">${status}</span>`).join(' ')}</h3>
<p>${meaning}</p>
<dl><div><dt>Usual cause</dt><dd>${cause}</dd></div><div><dt>What to do</dt><dd>${action}</dd></div>!${whereOf(code, served)}</dl>
</section>`
}

function whereOf(code: string, served: readonly Operation[]): string {
  const returning = served.filter(({ failures, validation }) =>
    [...failures, ...validation].some((one) => one === code),
  )
  if (returning.length === 0 || returning.length > OPERATIONS_MAX) {
    return ''
  }
  const links = returning.map((operation) => html`<a href="${operationPath(operation)}">${operation.summary}</a>`)
  return `<div><dt>Returned by</dt><dd>${links.join(', ')}</dd></div>`
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}
