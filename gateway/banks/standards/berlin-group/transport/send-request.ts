/** Sends one request of the standard to a bank and gives back an answer of the expected shape, or a refusal. */

import type { Reader } from '../../../../platform/http/response-parser.ts'
import { newBankRequestId } from '../../../../platform/ids.ts'
import { BankRefusal, BankUnreachable } from '../../../connector/bank-error.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { BankFetch, BankRequest, BankResponse, BankWay } from '../../../connector/connector-dependencies.ts'
import type { ReturnAddresses } from '../../../connector/sca-authorisation.ts'
import type { Bank, ScaApproach } from '../../../directory/bank.ts'
import { dialectOf } from '../dialect.ts'
import { refusalOf, refusalOfSilence, refusalOfUnreadable } from './bank-errors.ts'
import type { Purpose } from './error-kinds.ts'
import { sessionHeaders } from './psu-headers.ts'

/** What to ask; `path` begins behind the bank's `/v1`. */
export type Question = {
  readonly operation: string
  readonly purpose: Purpose
  readonly method: BankRequest['method']
  readonly path: string
  /** A whole address that the bank gave, in place of the path. */
  readonly url?: string
  readonly query?: Readonly<Record<string, string>>
  /** A fresh one unless the caller keeps it. */
  readonly requestId?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object, or JSON that is written already. */
  readonly body?: Readonly<Record<string, unknown>> | string
}

/** What URLs take for another folder (RFC 3986, 5.2.4). */
const ELSEWHERE: ReadonlySet<string> = new Set(['', '.', '..'])

const NOTHING = { headers: {}, query: {} }

/** Asks and parses. */
export async function ask<Shape>(
  fetch: BankFetch,
  caller: BankCaller,
  question: Question,
  read: Reader<Shape>,
): Promise<Shape> {
  return answerOf(question, await deliver(fetch, caller, question), read)
}

/** Asks where the status alone is the answer. */
export async function send(fetch: BankFetch, caller: BankCaller, question: Question): Promise<BankResponse> {
  const response = await deliver(fetch, caller, question)
  requireAccepted(question, response)
  return response
}

/** Asks, and leaves the judgement of the answer to the caller. */
export async function deliver<Answer extends BankResponse>(
  fetch: BankWay<Answer>,
  caller: BankCaller,
  question: Question,
): Promise<Answer> {
  return await fetch(caller.bank, requestOf(caller, question)).catch((error: unknown) => {
    throw error instanceof BankUnreachable ? refusalOfSilence(question.purpose, error) : error
  })
}

/** What an answer says, or the refusal that it is. */
export function answerOf<Shape>(
  { purpose }: Pick<Question, 'purpose'>,
  response: BankResponse,
  read: Reader<Shape>,
): Shape {
  requireAccepted({ purpose }, response)
  const answer = read(response.body)
  if (answer === undefined) {
    throw refusalOfUnreadable(purpose, response)
  }
  return answer
}

/** Throws the refusal that an answer outside 2xx is. */
export function requireAccepted({ purpose }: Pick<Question, 'purpose'>, response: BankResponse): void {
  if (response.status < 200 || response.status > 299) {
    throw refusalOf(purpose, response)
  }
}

/** Ids come from banks and go into paths; one that would lead to another place than its own is none. */
export function path(...segments: readonly string[]): string {
  if (segments.some((segment) => ELSEWHERE.has(segment))) {
    throw new BankRefusal('unknown-resource', 'The bank has nothing under an id that is no name')
  }
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
}

/** Who the user is, on the calls that begin something; only while the user is there. */
export function identityHeaders({ psu, userId, organisationNumber }: BankCaller): Record<string, string> {
  return psu === null
    ? {}
    : { ...(userId === null ? {} : { 'psu-id': userId }), 'psu-corporate-id': organisationNumber }
}

/** How the user would like to sign and where the browser is to come back, on the calls that begin an authorisation. */
export function signingHeaders(
  { bank }: BankCaller,
  approach: ScaApproach,
  back: ReturnAddresses,
): Record<string, string> {
  const inApp = { 'tpp-redirect-preferred': 'false', 'tpp-decoupled-preferred': 'true' }
  const { qr } = dialectOf(bank.profile)
  return {
    ...(approach === 'redirect' ? { 'tpp-redirect-preferred': 'true' } : inApp),
    ...(approach === 'qr' ? lowerCased(qr?.headers ?? {}) : {}),
    'tpp-redirect-uri': back.success,
    'tpp-nok-redirect-uri': back.failure,
    ...notificationHeaders(back.notification),
  }
}

/**
 * On the calls that create or withdraw what may have to be signed later. Where the bank may send a browser anywhere, it
 * learns where to send it back: the standard recommends that of every such call, and some banks refuse those without.
 */
export function creationHeaders(
  { bank }: BankCaller,
  back: Pick<ReturnAddresses, 'success' | 'failure'>,
): Record<string, string> {
  const isExplicit = dialectOf(bank.profile).authorisations === 'explicit'
  const redirects = bank.profile.scaApproaches.includes('redirect')
  return {
    ...(isExplicit ? { 'tpp-explicit-authorisation-preferred': 'true' } : {}),
    ...(redirects ? { 'tpp-redirect-uri': back.success, 'tpp-nok-redirect-uri': back.failure } : {}),
  }
}

/** Lets the bank know the consent an order is given under, while its user is there. */
export function consentHeader({ psu, bankConsentId }: BankCaller): Record<string, string> {
  return psu === null || bankConsentId === null ? {} : { 'consent-id': bankConsentId }
}

/** Where the bank may tell of changes: of the authorisation, of each step, and of the last one. */
export function notificationHeaders(notification: string): Record<string, string> {
  return { 'tpp-notification-uri': notification, 'tpp-notification-content-preferred': 'status=SCA,PROCESS,LAST' }
}

function requestOf(caller: BankCaller, question: Question): BankRequest {
  const { operation, method, body } = question
  const always = dialectOf(caller.bank.profile).onEveryCall ?? NOTHING
  return {
    operation,
    method,
    url: question.url ?? addressOfCall(caller.bank, question.path, { ...always.query, ...question.query }),
    headers: {
      accept: 'application/json',
      ...filledIn(caller.bank, always.headers),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...sessionHeaders(caller),
      ...(caller.accessToken === null ? {} : { authorization: `Bearer ${caller.accessToken}` }),
      ...question.headers,
      'x-request-id': question.requestId ?? newBankRequestId(),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}

function addressOfCall(bank: Bank, pathBehind: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(filledIn(bank, query)).toString()
  return `${bank.address}/v1${pathBehind}${text === '' ? '' : `?${text}`}`
}

/** Some banks want their own BIC told: a data centre serves several at one address. */
function filledIn({ bic }: Bank, texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.replaceAll('{bic}', bic)]))
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
