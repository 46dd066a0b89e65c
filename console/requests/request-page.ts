/** Shows one logged request: what was rejected, both bodies, and the request as a command. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { parseJson } from '../../gateway/platform/parse-json.ts'
import { findRequestById } from '../../gateway/request-log/find-requests.ts'
import { type ListedRequest, type LoggedRequest, timeOfRequest } from '../../gateway/request-log/logged-request.ts'
import { BODY_CHARACTERS_MAX } from '../../gateway/request-log/mask-body.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { copyableCode, copyableText } from '../markup/copy/copy-button.ts'
import { type Columns, dataTable, type Facts, factList } from '../markup/data-table.ts'
import { apiCodeMarkup } from '../markup/explained-codes.ts'
import { formatMilliseconds, wallTimeMarkup } from '../markup/format-time.ts'
import { httpStatusMarkup } from '../markup/status.ts'
import { subjectLink } from '../markup/subject-link.ts'
import { indentedJson } from '../markup/value-text.ts'
import { consoleText } from '../texts/console-texts.ts'
import { curlCommand } from './curl-command.ts'
import { requestScopeOf } from './request-list.ts'

const ERROR_STATUS_MIN = 400

/** Throws `not-found` for an unknown id, one of a foreign partner, and a payroll's without the payroll role. */
export async function requestPage(
  context: Context,
  { viewer, params: { requestId = '' } }: ConsoleRequest,
): Promise<ConsolePage> {
  const request = await findRequestById(context, requestScopeOf(viewer), requestId)
  if (request === undefined) {
    throw apiError('not-found', 'There is no request with this id')
  }
  const { method, path, requestBody, responseBody } = request
  const body = html`!${factsOf(request, viewer)}
!${request.status >= ERROR_STATUS_MIN ? rejectionsOf(responseBody) : ''}
!${unknownFieldsOf(request)}
!${bodyOf(consoleText('request.body'), requestBody)}
!${bodyOf(consoleText('request.response'), responseBody)}
<h2>${consoleText('request.curl')}</h2>
<p class="quiet">${consoleText('request.aboutCurl')}</p>
!${copyableText(curlCommand(request, context.config), consoleText('request.curl'))}`
  return { kind: 'page', title: `${method} ${path.split('?')[0]}`, body }
}

function factsOf(request: ListedRequest & LoggedRequest, viewer: Viewer): string {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, code(value)] as const)
  const facts: Facts = {
    'requests.status': httpStatusMarkup(request.status),
    'requests.time': wallTimeMarkup(timeOfRequest(request)),
    'requests.duration': html`${formatMilliseconds(request.milliseconds)}`,
    'requests.request': html`<code>${request.method} ${request.path}</code>`,
    'request.subject': request.subject && subjectLink({ ...request.subject, isOfPayroll: request.isPayroll }, viewer),
    'requests.id': copyableCode(request.id, consoleText('requests.id')),
    'request.idempotencyKey': request.idempotencyKey && code(request.idempotencyKey),
    'request.client': html`${request.clientId}`,
    'filters.partner': html`${request.partnerName}`,
  }
  return factList(facts, headers)
}

function code(text: string): string {
  return html`<code>${text}</code>`
}

function rejectionsOf(responseBody: string | null): string {
  const rejections = rejectionsIn(responseBody)
  const columns: Columns<Rejection> = {
    'request.code': (rejection) => apiCodeMarkup(rejection.code),
    'request.path': ({ path }) => (path === '' ? '' : code(path)),
    'request.message': ({ message }) => html`${message}`,
  }
  return rejections.length === 0
    ? ''
    : html`<h2>${consoleText('request.rejected')}</h2>!${dataTable(rejections, columns, '')}`
}

/** The unknown fields of the request: ignored, or rejected because the client asked for strict handling. */
function unknownFieldsOf({ unknownFields }: Pick<LoggedRequest, 'unknownFields'>): string {
  if (unknownFields.length === 0) {
    return ''
  }
  const columns: Columns<(typeof unknownFields)[number]> = {
    'request.path': ({ in: place, path }) =>
      html`!${code(path)} ${place === 'query' ? consoleText('request.inQuery') : ''}`,
    'request.nearest': ({ nearest }) => (nearest === null ? '' : code(nearest)),
  }
  return html`<h2>${consoleText('request.unknownFields')}</h2>
<p class="quiet">${consoleText('request.aboutUnknownFields')}</p>
!${dataTable(unknownFields, columns, '')}`
}

function bodyOf(title: string, body: string | null): string {
  if (body === null) {
    return html`<h2>${title}</h2><p class="quiet">${consoleText('request.noBody')}</p>`
  }
  const isCut = body.length >= BODY_CHARACTERS_MAX
  return html`<h2>${title}</h2>
<pre tabindex="0">${indentedJson(body)}</pre>
!${isCut ? html`<p class="quiet">${consoleText('request.cut')}</p>` : ''}`
}

type Rejection = { readonly code: string; readonly path: string; readonly message: string }

/** Each error of a body of any form, a plain text and what was stored before bodies listed errors included. */
export function rejectionsIn(responseBody: string | null): readonly Rejection[] {
  const body = responseBody === null ? null : parseJson(responseBody)
  const { errors } = Object(body) as { readonly errors?: unknown }
  const reported = Array.isArray(body) ? body : Array.isArray(errors) ? errors : [body]
  return reported.flatMap((error: unknown) => {
    if (typeof error === 'string') {
      return [{ code: '', path: '', message: error }]
    }
    const fields: Readonly<Record<string, unknown>> = typeof error === 'object' && error !== null ? { ...error } : {}
    const first = (...names: readonly string[]) =>
      names.map((name) => fields[name]).find((value) => typeof value === 'string') ?? ''
    const rejection = {
      code: first('code', 'failure', 'error'),
      path: first('path'),
      message: first('reason', 'message', 'error_description'),
    }
    return rejection.code === '' && rejection.message === '' ? [] : [rejection]
  })
}
