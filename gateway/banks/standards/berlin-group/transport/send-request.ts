/** Sends one request of the standard to a bank and returns its parsed answer. Throws `BankError` otherwise. */
import type { ResponseParser } from '../../../../platform/http/response-parser.ts'
import type { Deviation } from '../../../../platform/http/tolerant-reader.ts'
import { newBankRequestId } from '../../../../platform/ids.ts'
import type { Bank } from '../../../connector/bank.ts'
import { BankError, BankUnreachable } from '../../../connector/bank-error.ts'
import { outcomeByStatus } from '../../../connector/bank-order.ts'
import { redactAccountNumbers } from '../../../connector/bank-text.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type {
  AnswerDeviation,
  BankFetch,
  BankRequest,
  BankResponse,
  SendBankRequest,
} from '../../../connector/connector-dependencies.ts'
import { type Dialect, dialectOf, VERSION_PATH } from '../dialect.ts'
import { consentStates } from '../translate-consent.ts'
import { standardStatus } from '../translate-payment-status.ts'
import type { BankClient } from './bank-client.ts'
import { bankErrorOf, noAnswerError, parseBankErrors, requireSuccess, unreadableAnswerError } from './bank-errors.ts'
import type { RequestPurpose } from './error-kinds.ts'
import { sessionHeaders } from './request-headers.ts'

/** The request; `path` follows the bank's `/v1`. */
export type BerlinGroupRequest = {
  readonly operation: string
  readonly purpose: RequestPurpose
  readonly method: BankRequest['method']
  readonly path: string
  /** An absolute URL from the bank, instead of the path. */
  readonly url?: string
  readonly query?: Readonly<Record<string, string>>
  /** A new one unless the caller provides it. */
  readonly requestId?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object, or serialised JSON. */
  readonly body?: Readonly<Record<string, unknown>> | string
  /** Ends the call without an answer. */
  readonly signal?: AbortSignal
}

/** Dot segments of URLs (RFC 3986, 5.2.4). */
const DOT_SEGMENTS: ReadonlySet<string> = new Set(['', '.', '..'])

const NOTHING = { headers: {}, query: {} }

/** Sends a request and parses the answer. Throws `BankError`. */
export async function sendAndParse<Shape>(
  line: BankClient,
  caller: BankCaller,
  question: BerlinGroupRequest,
  read: ResponseParser<Shape>,
): Promise<Shape> {
  const response = await sendRequest(line.fetch, caller, question)
  return parseAnswer(line, { bank: caller.bank, question, response }, read)
}

/** Sends a request whose answer is only the status. Throws `BankError`. */
export async function sendChecked(
  fetch: BankFetch,
  caller: BankCaller,
  question: BerlinGroupRequest,
): Promise<BankResponse> {
  const response = await sendRequest(fetch, caller, question)
  requireSuccess(question, response)
  return response
}

/**
 * Sends a request and returns any answer. Throws `BankError` without an answer. A bank that rejects the token has done
 * nothing: the request is sent once more with a renewed one.
 */
export async function sendRequest<Answer extends BankResponse>(
  fetch: SendBankRequest<Answer>,
  caller: BankCaller,
  question: BerlinGroupRequest,
): Promise<Answer> {
  const answer = await fetch(caller.bank, buildRequest(caller, question)).catch((error: unknown) => {
    throw error instanceof BankUnreachable ? noAnswerError(question.purpose, error) : error
  })
  const { renewAccessToken, ...once } = caller
  const isRejection = answer.status >= 400 && answer.status < 500
  if (once.accessToken === null || renewAccessToken === undefined || !isRejection) {
    return answer
  }
  const isOfToken = bankErrorOf(question.purpose, answer).kind === 'token-invalid'
  const accessToken = isOfToken ? await renewAccessToken(once.accessToken) : null
  return accessToken === null ? answer : await sendRequest(fetch, { ...once, accessToken }, question)
}

/** The parsed answer. Throws `BankError` for an error or an unreadable answer. */
export function parseAnswer<Shape>(
  { observeDeviations }: BankClient,
  { bank, question, response }: ReceivedAnswer,
  read: ResponseParser<Shape>,
): Shape {
  requireSuccess(question, response)
  const deviations: Deviation[] = []
  const answer = read(response.body, (deviation) => deviations.push(deviation))
  const observed = [...deviations, ...findUnknownStatuses(answer, dialectOf(bank.profile))]
  if (observed.length > 0) {
    observeDeviations({ bank: bank.bic, operation: question.operation }, observed)
  }
  if (answer === undefined) {
    throw unreadableAnswerError(question.purpose, response, deviations.at(-1))
  }
  return answer
}

type ReceivedAnswer = {
  readonly bank: Bank
  readonly question: BerlinGroupRequest
  readonly response: BankResponse
}

/**
 * Ids from banks are used in paths; one that would change the path is rejected. That is no answer of the bank, so it
 * never means that the bank does not hold the resource.
 */
export function path(...segments: readonly string[]): string {
  if (segments.some((segment) => DOT_SEGMENTS.has(segment))) {
    throw new BankError('request-rejected', 'Invalid id: it cannot be used in a path')
  }
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
}

function buildRequest(caller: BankCaller, question: BerlinGroupRequest): BankRequest {
  const { operation, method, body, signal, path: where } = question
  const { bank } = caller
  const [, service = '', ...segments] = where.split('/')
  // In paths of payments the product comes before the id.
  const id = segments[service.endsWith('payments') ? 1 : 0]
  const always = dialectOf(bank.profile).onEveryCall ?? NOTHING
  const query = new URLSearchParams(fillPlaceholders(bank, { ...always.query, ...question.query })).toString()
  return {
    operation,
    method,
    url: question.url ?? `${bank.address}${VERSION_PATH}${where}${query === '' ? '' : `?${query}`}`,
    headers: {
      accept: 'application/json',
      ...fillPlaceholders(bank, always.headers),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...sessionHeaders(caller),
      ...(caller.accessToken === null ? {} : { authorization: `Bearer ${caller.accessToken}` }),
      ...question.headers,
      'x-request-id': question.requestId ?? newBankRequestId(),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    // A list of accounts is that of its consent.
    resource: id ?? (method === 'GET' ? question.headers?.['consent-id'] : undefined),
    ...(signal === undefined ? {} : { signal }),
    unattended: caller.psu === null,
    ...(caller.about === undefined ? {} : { about: caller.about, summarise: summariseAnswer }),
  }
}

/** Some banks require their own BIC: a data centre serves several banks at one address. */
function fillPlaceholders({ bic }: Bank, texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.replaceAll('{bic}', bic)]))
}

/** Read without parsing: every call for a payment is summarised. */
const STATUS = /"(?:transactionStatus|scaStatus)"\s*:\s*"(\w{1,35})"/g
const ERROR_STATUS_MIN = 400
const ERRORS_MAX = 3

/** Null for an answer that says neither. Account numbers and national ids are redacted. */
export function summariseAnswer({ status, body }: BankResponse): string | null {
  const parts =
    status < ERROR_STATUS_MIN
      ? [...body.matchAll(STATUS)].map(([, word = '']) => word)
      : parseBankErrors(body)
          .slice(0, ERRORS_MAX)
          .map(({ code, text }) => redactAccountNumbers([code, text ?? ''].filter((part) => part !== '').join(': ')))
  return parts.length === 0 ? null : parts.join(', ')
}

const CHARACTERS_MAX = 35

/** The statuses that have a meaning, of a payment, a bulk or a basket, of an authorisation, and of a consent. */
const knownByField: Readonly<Record<string, Pick<ReadonlySet<string>, 'has'>>> = {
  transactionStatus: new Set([...outcomeByStatus.keys(), 'PART']),
  scaStatus: new Set([
    ...['received', 'psuIdentified', 'psuAuthenticated', 'scaMethodSelected', 'started', 'unconfirmed'],
    ...['finalised', 'failed', 'exempted'],
  ]),
  consentStatus: consentStates,
}

/** Of the answer itself, and of the payments in a bulk. */
function findUnknownStatuses(answer: unknown, dialect: Dialect): readonly AnswerDeviation[] {
  const payments: unknown = Object(answer).payments
  const inBulk = Array.isArray(payments) ? payments.map((payment: unknown) => ['payments[].', payment] as const) : []
  return [['', answer] as const, ...inBulk].flatMap(([before, part]) =>
    Object.entries(knownByField).flatMap(([field, known]) => {
      const status: unknown = Object(part)[field]
      if (typeof status !== 'string' || known.has(standardStatus(status, dialect))) {
        return []
      }
      const shown = redactAccountNumbers(status.slice(0, CHARACTERS_MAX))
      const reason = `is "${shown}", which has no meaning in the standard`
      return [{ path: `${before}${field}`, reason, effect: 'unknown-status' as const }]
    }),
  )
}
