/** Converts a bank's error, or a missing answer, to a `BankError`. */
import { readRetryAfter } from '../../../../platform/http/response-parser.ts'
import { type Deviation, isObject } from '../../../../platform/http/tolerant-reader.ts'
import { parseOptionalJson } from '../../../../platform/parse-json.ts'
import {
  BankCallNotMade,
  BankError,
  type BankErrorKind,
  type BankUnreachable,
  type LaterCalls,
  UnexplainedTokenRejection,
  UnreadableAnswerError,
} from '../../../connector/bank-error.ts'
import { isResourceGone } from '../../../connector/bank-error-classification.ts'
import { redactAccountNumbers } from '../../../connector/bank-text.ts'
import type { BankResponse } from '../../../connector/connector-dependencies.ts'
import { errorKindOf, HAS_SIDE_EFFECTS, isKnownCode, type RequestPurpose, uncertainKind } from './error-kinds.ts'
import { type BankErrorDetail, parseOrderErrors, transactionPositionIn } from './order-errors.ts'

/** BankID's error for a second order of the same user, which banks pass on as text. */
const ALREADY_IN_PROGRESS =
  /already\s?in\s?progress|\banother authenti[a-z]{1,20} (?:of the user )?is (?:in progress|running|active)\b/i

const TOO_MANY_REQUESTS = 429
const SERVICE_UNAVAILABLE = 503

/** Error codes of API gateways for access tokens (RFC 6750), instead of the standard's body. */
const INVALID_TOKEN = /\berror="?invalid_token\b/i

/** Path of an error about the PSU. */
const USER = 'PSU-ID'

/** The error for an answer outside 2xx. */
export function bankErrorOf(purpose: RequestPurpose, response: BankResponse): BankError {
  const errors = parseBankErrors(response.body)
  const decisive = errors.find(({ code }) => isKnownCode(code)) ?? errors[0]
  const isOfToken = !isKnownCode(decisive?.code ?? '') && INVALID_TOKEN.test(response.headers['www-authenticate'] ?? '')
  const kind = isOfToken ? 'token-invalid' : kindOfAnswer(purpose, response.status, decisive)
  const text = describe(response.status, decisive)
  if (kind === 'token-invalid' && !isOfToken && !isKnownCode(decisive?.code ?? '')) {
    return new UnexplainedTokenRejection('token-invalid', text).saying(laterCallsIn(response))
  }
  // In a bulk the error must name the payment whose reference is missing.
  const isReferenceOfTransaction =
    kind === 'ocr-rejected' && errors.some(({ path }) => transactionPositionIn(path).position !== undefined)
  if (kind !== 'order-rejected' && kind !== 'due-date-rejected' && !isReferenceOfTransaction) {
    return new BankError(kind, text).saying(laterCallsIn(response))
  }
  // A rejected order has at least one error, even when the bank names none.
  const named = errors.length > 0 ? parseOrderErrors(errors) : [{ field: 'other', cause: 'invalid', text } as const]
  return new BankError(kind, text, named).saying(laterCallsIn(response))
}

/** Characters of an id that some servers decode before they look for it. */
const ENCODED_SEPARATOR = /%(2F|5C|25)/

/**
 * Throws `BankError` for an answer outside 2xx. That there is no resource with an id of which a server may have made two
 * segments proves nothing about the resource. The id of an entry is the partner's, and nothing follows from its answer.
 */
export function requireSuccess(
  { purpose, path = '' }: { readonly purpose: RequestPurpose; readonly path?: string },
  response: BankResponse,
): void {
  if (response.status < 200 || response.status > 299) {
    const error = bankErrorOf(purpose, response)
    throw purpose !== 'entry' && isResourceGone(error) && ENCODED_SEPARATOR.test(path)
      ? new BankError('unavailable', error.message).saying(error.laterCalls)
      : error
  }
}

/** What an answer outside 2xx says about later calls, whatever it is about. */
export function laterCallsIn({ status, headers }: BankResponse): LaterCalls {
  return {
    retryAfterSeconds: readRetryAfter(headers).seconds,
    isRateLimit: status === TOO_MANY_REQUESTS,
    isOutOfService: status === SERVICE_UNAVAILABLE,
  }
}

export function noAnswerError(purpose: RequestPurpose, unreachable: BankUnreachable): BankError {
  const kind = unreachable.sent ? uncertainKind(purpose) : 'unavailable'
  const error = new BankError(kind, unreachable.message, [], unreachable)
  return unreachable instanceof BankCallNotMade ? error.saying(unreachable.laterCalls ?? error.laterCalls) : error
}

/** The error for an unreadable 2xx answer, with the field that is at fault where there is one. */
export function unreadableAnswerError(
  purpose: RequestPurpose,
  { status }: Pick<BankResponse, 'status'>,
  fault?: Pick<Deviation, 'path' | 'reason'>,
): BankError {
  const detail =
    fault === undefined ? 'the body does not match the standard' : `${fault.path || 'the body'} ${fault.reason}`
  return new UnreadableAnswerError(uncertainKind(purpose), `The bank answered ${status}, but ${detail}`)
}

function kindOfAnswer(purpose: RequestPurpose, status: number, error: BankErrorDetail | undefined): BankErrorKind {
  if (status >= 500) {
    return uncertainKind(purpose)
  }
  // Redirects are not followed. Whether the bank processed the request before one is unknown.
  if (status < 400) {
    return HAS_SIDE_EFFECTS.has(purpose) ? 'outcome-unknown' : 'misconfigured'
  }
  if (isOfBusyUser(purpose, error)) {
    return 'authentication-busy'
  }
  // An authorisation error about the PSU: another user has to sign.
  if (purpose === 'authorisation' && error?.code === 'STATUS_INVALID' && error.path === USER) {
    return 'access-denied'
  }
  return errorKindOf(purpose, status, error?.code)
}

/** Banks that authenticate with an order or its cancellation reject these instead of an authorisation. */
function isOfBusyUser(purpose: RequestPurpose, error: BankErrorDetail | undefined): boolean {
  const authenticates = purpose === 'authorisation' || (HAS_SIDE_EFFECTS.has(purpose) && isKnownCode(error?.code ?? ''))
  return authenticates && ALREADY_IN_PROGRESS.test(error?.text ?? '')
}

function describe(status: number, error: BankErrorDetail | undefined): string {
  if (error === undefined) {
    return `The bank answered ${status} without a reason`
  }
  const code = error.code === '' ? String(status) : redactAccountNumbers(error.code)
  return error.text === null ? `The bank answered ${code}` : `${redactAccountNumbers(error.text)} (${code})`
}

/** The standard's longest text has 500 characters. Nothing more of it is searched, shown or stored. */
const TEXT_CHARACTERS_MAX = 1_000
/** A bulk has at most some thousand payments, each with a few errors. */
const ERRORS_MAX = 10_000

/** Lists of errors: format A in both spellings of the standard, what format B adds, and those of API gateways. */
const STANDARD_LISTS = ['tppMessages', 'tppMessage'] as const
const FURTHER_LISTS = ['additionalErrors', 'errors', 'error', 'fault'] as const
/** Fields of one error. The first is the standard's; the others are those of API gateways, and of RFC 6749. */
const CODES = ['code', 'errorCode', 'error'] as const
const TEXTS = [
  ...(['text', 'detail', 'title', 'message', 'error_description', 'errorMessage', 'moreInformation'] as const),
  'faultstring',
] as const

/** Format B has no field for the path: banks prefix the detail with it, e.g. `creditorAccount.bban: unknown`. */
const LEADING_PATH = /^([$/A-Za-z][\w$./[\]-]{0,200}):\s/

/** The errors in a body; empty where it has none, as a page of HTML. The code of an error is empty where it has none. */
export function parseBankErrors(body: string): readonly BankErrorDetail[] {
  return errorsOf(body)
    .slice(0, ERRORS_MAX)
    .map(({ code, path, text }) => ({
      code: code.slice(0, TEXT_CHARACTERS_MAX),
      path: path?.slice(0, TEXT_CHARACTERS_MAX) ?? null,
      text: text?.slice(0, TEXT_CHARACTERS_MAX) ?? null,
    }))
}

function errorsOf(body: string): readonly BankErrorDetail[] {
  const value = parseOptionalJson(body)
  if (value === undefined || typeof value === 'string') {
    return errorOfText(value ?? body)
  }
  const messages = listsIn(value, STANDARD_LISTS)
  if (messages !== undefined) {
    return messages.filter(({ category }) => category !== 'WARNING').flatMap((message) => errorOf(message) ?? [])
  }
  const problems = [value].flat().filter(isObject)
  return problems.flatMap((problem) =>
    [problem, ...(listsIn(problem, FURTHER_LISTS) ?? [])].flatMap((each) => errorOf(each) ?? []),
  )
}

type Fields = Readonly<Record<string, unknown>>

/** The objects in the lists of these names, where there is such a list; some banks send a single object in its place. */
function listsIn(value: unknown, names: readonly string[]): readonly Fields[] | undefined {
  const lists = isObject(value) ? names.flatMap((name) => (Object.hasOwn(value, name) ? [value[name]] : [])) : []
  const found = lists.flat().filter(isObject)
  return found.length === 0 ? undefined : found
}

/** Undefined for an object that says nothing. */
function errorOf(fields: Fields): BankErrorDetail | undefined {
  const code = firstText(fields, CODES) ?? ''
  const text = firstText(fields, TEXTS)
  const path = firstText(fields, ['path']) ?? LEADING_PATH.exec(firstText(fields, ['detail']) ?? '')?.[1]
  return code === '' && text === undefined ? undefined : { code, path: path ?? null, text: text ?? null }
}

function firstText(fields: Fields, names: readonly string[]): string | undefined {
  const texts = names.map((name) => (Object.hasOwn(fields, name) ? fields[name] : undefined))
  return texts.find((value): value is string => typeof value === 'string' && value.trim() !== '')?.trim()
}

/** One error with the text. Markup is made for browsers, and damaged JSON may hold anything. */
function errorOfText(body: string): readonly BankErrorDetail[] {
  const text = body.slice(0, TEXT_CHARACTERS_MAX).replace(/\s+/g, ' ').trim()
  return text === '' || /^[<{[]/.test(text) ? [] : [{ code: '', path: null, text }]
}
