/** Describes a request and its response as the log stores them. */
import { Type } from 'typebox'
import {
  ErrorResponse,
  errorBodyOf,
  ParsingError,
  UnauthenticatedResponse,
  ValidationErrors,
} from '../../contract/errors/error-bodies.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import type { Exchange, PartnerIdentity } from '../platform/http/operations/served-operation.ts'
import { isId } from '../platform/ids.ts'
import { maskTokens, REDACTED } from '../platform/observability/log.ts'
import { parseJson } from '../platform/parse-json.ts'
import { type LogPolicy, type Place, placeOf, placeOfAll } from './admitted-values.ts'
import type { LoggedRequest, RequestSubject } from './logged-request.ts'
import { maskBody, maskUrl } from './mask-body.ts'

/** Text is ours: that of an error without an envelope. */
const FORMS = [ErrorResponse, ParsingError, UnauthenticatedResponse, ValidationErrors, Type.String()]
const places = new Map<string, Place>()

function placeOfError(operation: Operation, status: number): Place {
  return places.getOrInsertComputed(`${operation.id} ${status}`, () => {
    const body = errorBodyOf(operation, status)
    return placeOfAll([...(body ? [body] : []), ...FORMS])
  })
}

const MEDIA_TYPES =
  /^(\*\/\*|(application\/(json|xml|x-www-form-urlencoded|problem\+json)|text\/(csv|plain|html|xml)|multipart\/form-data)(; ?charset=utf-8)?)$/i
const MEDIA_RANGE_QUALITY = /; ?q=[01](\.\d{1,3})?$/
/** The program without its comments: those name machines and users. */
const PROGRAM =
  /^(havn-client(-python)?|curl|node|undici|axios|got|python-httpx|python-requests|aiohttp|okhttp|Java|Java-http-client|Apache-HttpClient|Go-http-client|PostmanRuntime|insomnia|Mozilla|RestSharp|GuzzleHttp)(\/\d{1,3}(\.\d{1,5}){0,3})?(?= |$)/i

type Show = (value: string) => string

const mediaTypes: Show = (value) => {
  const types = value.split(',').map((type) => type.trim().replace(MEDIA_RANGE_QUALITY, ''))
  return types.every((type) => MEDIA_TYPES.test(type)) ? types.join(', ') : REDACTED
}

const presence: Show = () => REDACTED

/** By lower-case name. Of those of the user, only their presence is stored. */
const SHOWN: Readonly<Record<string, Show>> = {
  'consent-id': (value) => (isId(value) ? value : REDACTED),
  'content-type': mediaTypes,
  accept: mediaTypes,
  'user-agent': (value) => PROGRAM.exec(value)?.[0] ?? REDACTED,
  'psu-ip-address': presence,
  'psu-user-agent': presence,
}

function shownHeaders(headers: Exchange['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(SHOWN).flatMap(([name, show]) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, show(value)]] : []
    }),
  )
}

/** Of one body. An order of the largest form has 3,000 characters. */
export const BODY_CHARACTERS_MAX = 8_000
/** A longer response is neither parsed nor stored. */
const RESPONSE_CHARACTERS_MAX = 64 * 1024
const KEY_CHARACTERS_MAX = 300
const ERROR_STATUS_MIN = 400

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
  const isPayroll = operation.permission === 'payroll' || mayBePayroll(operation, exchange.body)
  const isConfidential = isPayroll || operation.isConfidential === true
  const policy: LogPolicy = isConfidential ? 'confidential' : 'open'
  const answer = parseAnswer(exchange.answer)
  const answered = isError ? placeOfError(operation, status) : placeOf(operation.answer.schema)
  return {
    partnerId,
    id,
    clientId,
    method,
    path: maskUrl(operation, url, policy),
    status,
    milliseconds,
    isPayroll,
    errorCodes: isError ? errorCodesIn(answer) : [],
    unknownFields: exchange.unknownFields,
    subject: subjectOf(operation, answer, exchange.params),
    idempotencyKey: idempotencyKeyOf(operation, headers, policy),
    headers: shownHeaders(headers),
    requestBody: maskBody(exchange.body, placeOf(operation.body), policy, BODY_CHARACTERS_MAX),
    responseBody: maskBody(
      answer,
      answered,
      isError && isConfidential ? 'confidential error' : policy,
      BODY_CHARACTERS_MAX,
    ),
  }
}

/** What partners choose themselves may say whom they pay: of salaries only an id is shown. */
function idempotencyKeyOf({ idempotent }: Operation, headers: Exchange['headers'], policy: LogPolicy): string | null {
  const { 'idempotency-key': key } = headers
  if (!idempotent || typeof key !== 'string') {
    return null
  }
  return policy === 'open' || isId(key) ? maskTokens(key.slice(0, KEY_CHARACTERS_MAX)) : REDACTED
}

/** Text of another media type is that of an error, or not stored. */
function parseAnswer(answer: string | null): unknown {
  if (answer === null || answer === '' || answer.length > RESPONSE_CHARACTERS_MAX) {
    return null
  }
  return answer.startsWith('{') || answer.startsWith('[') ? parseJson(answer) : answer
}

/** Of a body of any form, and of the errors that it lists. */
function errorCodesIn(answer: unknown): readonly string[] {
  const { errors: listed } = Object(answer)
  const errors = Array.isArray(answer) ? answer : [answer, ...(Array.isArray(listed) ? listed : [])]
  const codes = errors.flatMap((error) => {
    const { code, failure, error: oauth } = Object(error)
    return [code, failure, oauth].filter((each) => typeof each === 'string')
  })
  return [...new Set(codes)]
}

function subjectOf(operation: Operation, answer: unknown, params: unknown): RequestSubject | null {
  const [answered, asked] = [Object(answer), Object(params)]
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

const topNames = ({ body }: Operation): readonly string[] => Object.keys(Object(body)['properties'] ?? {})
const all = Object.values<Operation>(operations)
/** The fields that bodies of payrolls have at the top, such as `transactions`. */
const payrollNames = new Set(all.filter(({ permission }) => permission === 'payroll').flatMap(topNames))
/** Those that an operation does not know, by its id. */
const foreignNamesById = new Map(all.map((each) => [each.id, payrollNames.difference(new Set(topNames(each)))]))

/** Whether a body has fields of payrolls that its operation does not know: it was sent to the wrong operation. */
function mayBePayroll({ id }: Operation, body: unknown): boolean {
  const element: unknown = Array.isArray(body) ? body[0] : body
  const foreignNames = foreignNamesById.get(id)
  return typeof element === 'object' && element !== null && Object.keys(element).some((name) => foreignNames?.has(name))
}
