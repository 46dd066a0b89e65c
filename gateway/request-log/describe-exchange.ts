/** Describes a request and its response as the log stores them. */
import type { Operation } from '../../contract/operation.ts'
import type { Exchange, PartnerIdentity } from '../platform/http/operations/served-operation.ts'
import { isId } from '../platform/ids.ts'
import { maskTokens, REDACTED } from '../platform/mask-tokens.ts'
import { parseJson } from '../platform/parse-json.ts'
import type { LoggedRequest, RequestSubject } from './logged-request.ts'
import { type BodyKind, maskBody } from './mask-body.ts'

/** Of one body. An order of the largest form has 3,000 characters. */
export const BODY_CHARACTERS_MAX = 8_000
/** A longer response is neither parsed nor stored. */
const RESPONSE_CHARACTERS_MAX = 64 * 1024
const PATH_CHARACTERS_MAX = 1_000
const HEADER_CHARACTERS_MAX = 300
const ERROR_STATUS_MIN = 400

const SHOWN_HEADERS = ['consent-id', 'content-type', 'accept', 'user-agent'] as const
/** Of the user, so that only their presence is stored. */
const PSU_HEADERS = ['psu-ip-address', 'psu-user-agent'] as const

/** Entries of an account are salaries, too, where it pays some. */
const SHOWS_ENTRIES = /Entr(ies|yDetails)$/
const SUBJECT_BY_FIELD = { paymentId: 'payment', payrollId: 'payroll', approvalId: 'approval' } as const
/** Operations whose response names what they created or changed only as `id`. */
const SUBJECT_BY_OPERATION: Readonly<Record<string, RequestSubject['type']>> = {
  createConsent: 'consent',
  getConsent: 'consent',
  approvePayments: 'approval',
  approvePayrolls: 'approval',
  cancelPayment: 'cancellation',
  cancelPayroll: 'cancellation',
  startOnboarding: 'onboarding',
  createWebhookSubscription: 'subscription',
}

export function describeExchange(exchange: Exchange, { partnerId, clientId }: PartnerIdentity): LoggedRequest {
  const { id, operation, method, url, headers, status, milliseconds } = exchange
  const isError = status >= ERROR_STATUS_MIN
  const isPayroll = operation.permission === 'payroll'
  const isConfidential = isPayroll || SHOWS_ENTRIES.test(operation.id)
  const answer = parseAnswer(exchange.answer)
  const ofAnswer: BodyKind = isConfidential ? (isError ? 'confidential error' : 'confidential') : 'open'
  const { 'idempotency-key': key } = headers
  return {
    partnerId,
    id,
    clientId,
    method,
    path: maskTokens(url.slice(0, PATH_CHARACTERS_MAX)),
    status,
    milliseconds,
    isPayroll,
    errorCodes: isError ? errorCodesIn(answer) : [],
    unknownFields: exchange.unknownFields,
    subject: subjectOf(operation, answer, exchange.params),
    idempotencyKey: typeof key === 'string' ? key.slice(0, HEADER_CHARACTERS_MAX) : null,
    headers: shownHeaders(headers),
    requestBody: maskBody(exchange.body, isConfidential ? 'confidential' : 'open', BODY_CHARACTERS_MAX),
    responseBody: maskBody(answer, ofAnswer, BODY_CHARACTERS_MAX),
  }
}

/** Text of another media type is shown as it is. */
function parseAnswer(answer: string | null): unknown {
  if (answer === null || answer === '' || answer.length > RESPONSE_CHARACTERS_MAX) {
    return null
  }
  return answer.startsWith('{') || answer.startsWith('[') ? parseJson(answer) : answer
}

/** Of a body of any form, and of the errors that it lists. */
function errorCodesIn(answer: unknown): readonly string[] {
  const { errors: listed } = fieldsOf(answer)
  const errors = Array.isArray(answer) ? answer : [answer, ...(Array.isArray(listed) ? listed : [])]
  const codes = errors.flatMap((error) => {
    const { code, failure, error: oauth } = fieldsOf(error)
    return [code, failure, oauth].filter((each) => typeof each === 'string')
  })
  return [...new Set(codes)]
}

function subjectOf(operation: Operation, answer: unknown, params: unknown): RequestSubject | null {
  const [answered, asked] = [fieldsOf(answer), fieldsOf(params)]
  for (const [field, type] of Object.entries(SUBJECT_BY_FIELD)) {
    const id = answered[field] ?? asked[field]
    if (typeof id === 'string' && isId(id)) {
      return { type, id: id.toLowerCase() }
    }
  }
  const type = SUBJECT_BY_OPERATION[operation.id]
  const { id } = answered
  return type !== undefined && typeof id === 'string' && isId(id) ? { type, id } : null
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> & { readonly id?: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function shownHeaders(headers: Exchange['headers']): Readonly<Record<string, string>> {
  const shown: Record<string, string> = {}
  for (const name of SHOWN_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') {
      shown[name] = maskTokens(value.slice(0, HEADER_CHARACTERS_MAX))
    }
  }
  for (const name of PSU_HEADERS) {
    if (headers[name] !== undefined) {
      shown[name] = REDACTED
    }
  }
  return shown
}
