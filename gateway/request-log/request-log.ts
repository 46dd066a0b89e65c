/** The log of partners' requests: each is described, masked and stored in a batch; no request waits for it. */
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
import type { Config } from '../config/config.ts'
import { presentFields } from '../platform/collections.ts'
import { type BufferedWriter, openBufferedWriter } from '../platform/database/buffered-writer.ts'
import type { Exchange, PartnerIdentity } from '../platform/http/operations/served-operation.ts'
import { type Place, placeOf, placeOfAll } from '../platform/http/validation/place.ts'
import { isId } from '../platform/ids.ts'
import { maskTokens, REDACTED } from '../platform/observability/log.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import type { LoggedRequest, RequestSubject } from './logged-request.ts'
import { type LogPolicy, maskBody, maskUrl } from './mask-body.ts'
import { insertRequests, type RequestRow, requestRow } from './request-log-store.ts'

export type RequestLog = {
  /** Requests of unknown clients, those of the sandbox's own operations, and reads of the log are not logged. */
  record(exchange: Exchange): void
  /** Writes what has been recorded so far. */
  flush(): Promise<void>
}

/** A program that follows the log would see nothing but its own reads. */
const READS_LOG: readonly Operation['id'][] = [operations.listRequests.id, operations.getRequest.id]

/** A log that is switched off records nothing. */
export function openRequestLog({
  config,
  database,
  log,
  metrics,
}: Pick<ProgramContext, 'database' | 'log' | 'metrics'> & { readonly config: Pick<Config, 'requestLog'> }): RequestLog {
  const onDropped = (count: number, error: unknown) => {
    metrics.droppedLogRows.inc({ log: 'requests' }, count)
    if (error !== undefined) {
      log.warn({ count, error }, 'requests could not be written to the request log')
    }
  }
  const writer: BufferedWriter<RequestRow> = openBufferedWriter({
    write: (rows) => insertRequests(database, rows),
    onDropped,
  })
  return {
    record: (exchange) => {
      const { caller, operation } = exchange
      const isLogged = config.requestLog && !operation.sandboxOnly && !READS_LOG.includes(operation.id)
      if (isLogged && caller !== undefined) {
        // Now: the objects of a request that is held until its batch is written outlive many garbage collections.
        try {
          const row = requestRow(describeExchange(exchange, caller))
          writer.add(row, row.line.length)
        } catch (error) {
          onDropped(1, error)
        }
      }
    },
    flush: writer.flush,
  }
}

/** Stores requests of the past, for data sets of the sandbox. */
export async function logPastRequests(
  { database }: Pick<ProgramContext, 'database'>,
  requests: readonly LoggedRequest[],
): Promise<void> {
  if (requests.length > 0) {
    await insertRequests(database, requests.map(requestRow))
  }
}

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
  const { request, operation, milliseconds, unknownFields } = exchange
  const { status, body: answer } = exchange.answer
  const isError = status >= ERROR_STATUS_MIN
  const element: unknown = Array.isArray(exchange.body) ? exchange.body[0] : exchange.body
  const names = typeof element === 'object' && element !== null ? Object.keys(element) : []
  // A body with fields of payrolls that its operation does not know was sent to the wrong operation.
  const foreignNames = foreignNamesById.get(operation.id)
  const isPayroll = operation.permission === 'payroll' || names.some((name) => foreignNames?.has(name) === true)
  const isConfidential = isPayroll || operation.isConfidential === true
  const policy: LogPolicy = isConfidential ? 'confidential' : 'open'
  const { 'idempotency-key': key } = request.headers
  return {
    partnerId,
    id: request.id,
    clientId,
    // Also of HEAD, which Fastify serves as the operation without its body.
    method: operation.method,
    path: maskUrl(operation, request.url, policy),
    status,
    milliseconds,
    isPayroll,
    errorCodes: isError ? errorCodesIn(answer) : [],
    unknownFields,
    subject: subjectOf(operation, Object(answer), Object(request.params)),
    // What partners choose themselves may say whom they pay: of salaries only an id is shown.
    idempotencyKey:
      !operation.idempotent || typeof key !== 'string'
        ? null
        : policy === 'open' || isId(key)
          ? maskTokens(key).slice(0, KEY_CHARACTERS_MAX)
          : REDACTED,
    headers: shownHeaders(request.headers),
    requestBody: maskBody(exchange.body, placeOf(operation.body), policy),
    responseBody: isError
      ? maskBody(answer, placeOfError(operation, status), isConfidential ? 'confidential error' : policy)
      : maskBody(answer, placeOf(operation.answer.schema), policy),
  }
}

/** Of those of the user, only their presence is stored. */
function shownHeaders(headers: Exchange['request']['headers']): LoggedRequest['headers'] {
  const { 'consent-id': consentId, 'user-agent': userAgent } = headers
  return presentFields({
    'consent-id': consentId === undefined || isId(String(consentId)) ? consentId?.toString() : REDACTED,
    'content-type': mediaTypesIn(headers['content-type']),
    accept: mediaTypesIn(headers.accept),
    'user-agent': userAgent === undefined ? undefined : (PROGRAM.exec(userAgent)?.[0] ?? REDACTED),
    'psu-ip-address': 'psu-ip-address' in headers ? REDACTED : undefined,
    'psu-user-agent': 'psu-user-agent' in headers ? REDACTED : undefined,
  })
}

function mediaTypesIn(header: string | undefined): string | undefined {
  const types = header?.split(',').map((type) => type.trim().replace(MEDIA_RANGE_QUALITY, ''))
  return types === undefined || types.every((type) => MEDIA_TYPES.test(type)) ? types?.join(', ') : REDACTED
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

function subjectOf(
  operation: Operation,
  answered: Readonly<Record<string, unknown>>,
  asked: Readonly<Record<string, unknown>>,
): RequestSubject | null {
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
