/** Turns a bank's error, or its silence, into a `BankRefusal`. */
import {
  BankRefusal,
  type BankRefusalKind,
  type BankUnreachable,
  type OrderProblem,
  TooManyReads,
} from '../../../connector/bank-error.ts'
import type { BankResponse } from '../../../connector/connector-dependencies.ts'
import { redact } from '../../../connector/redact.ts'
import { type BankError, orderProblems, positionAt } from '../payments/order-errors.ts'
import { messagesOf, readProblemBody, readTppMessagesBody } from '../wire.ts'
import { isKnownCode, kindOf, type Purpose } from './error-kinds.ts'

/** BankID's word for a second order of the same user, which banks pass on as text. */
const ALREADY_IN_PROGRESS = /already\s?in\s?progress/i

const DAY_SECONDS = 86_400

/** How a gate in front of a bank says it of access tokens (RFC 6750), in place of the standard's body. */
const INVALID_TOKEN = /\berror="?invalid_token\b/i

/** Where an error names the user. */
const USER = 'PSU-ID'

/** Format B has no member for the path: banks write it in front of the detail, e.g. `creditorAccount.bban: unknown`. */
const LEADING_PATH = /^([$/A-Za-z][\w$./[\]-]*):\s/

/** The refusal that an answer outside 2xx is. */
export function refusalOf(purpose: Purpose, response: BankResponse): BankRefusal {
  const errors = errorsOf(response.body)
  const decisive = errors.find(({ code }) => isKnownCode(code)) ?? errors[0]
  const isOfToken = decisive === undefined && INVALID_TOKEN.test(response.headers['www-authenticate'] ?? '')
  const kind = isOfToken ? 'token-invalid' : kindOfAnswer(purpose, response.status, decisive)
  const text = describe(response.status, decisive)
  if (kind === 'too-many-reads') {
    return new TooManyReads(text, retryAfterOf(response))
  }
  const tellsOfOrder = kind === 'order-refused' || kind === 'due-date-refused' || isPlacedReference(kind, errors)
  return new BankRefusal(kind, text, tellsOfOrder ? problemsIn(errors, text) : [])
}

/** Of a bulk it matters whose reference is missing. */
function isPlacedReference(kind: BankRefusalKind, errors: readonly BankError[]): boolean {
  return kind === 'ocr-refused' && errors.some(({ path }) => positionAt(path).position !== undefined)
}

/** Whole seconds (RFC 9110, 10.2.3); of dates, and of what no partner would wait for, nothing is made. */
function retryAfterOf({ headers }: BankResponse): number | null {
  const seconds = /^\d{1,6}$/.exec(headers['retry-after'] ?? '')?.[0]
  return seconds === undefined ? null : Math.min(Number(seconds), DAY_SECONDS)
}

/** A refused order has one problem at least, also when the bank names none. */
function problemsIn(errors: readonly BankError[], text: string): readonly OrderProblem[] {
  return errors.length > 0 ? orderProblems(errors) : [{ field: 'other', cause: 'invalid', text }]
}

/** The refusal that no answer is. */
export function refusalOfSilence(purpose: Purpose, unreachable: BankUnreachable): BankRefusal {
  const kind = unreachable.sent ? unsureKind(purpose) : 'unavailable'
  return new BankRefusal(kind, unreachable.message, [], unreachable)
}

/** The refusal that a 2xx answer is when it cannot be read. */
export function refusalOfUnreadable(purpose: Purpose, response: BankResponse): BankRefusal {
  const text = `The bank answered ${response.status} with a body that is not of the standard's shape`
  return new BankRefusal(unsureKind(purpose), text)
}

/** The errors of a body of format A or B; none when it is neither. */
export function errorsOf(body: string): readonly BankError[] {
  const messages = readTppMessagesBody(body)
  if (messages !== undefined) {
    return messagesOf(messages)
      .filter(({ category }) => category !== 'WARNING')
      .map(({ code, path, text }) => ({ code: code ?? '', path: path ?? null, text: text ?? null }))
  }
  const problem = readProblemBody(body)
  return problem === undefined
    ? []
    : [problem, ...(problem.additionalErrors ?? [])].map(({ code, title, detail }) => ({
        code,
        path: LEADING_PATH.exec(detail ?? '')?.[1] ?? null,
        text: detail ?? title ?? null,
      }))
}

function kindOfAnswer(purpose: Purpose, status: number, error: BankError | undefined): BankRefusalKind {
  if (status >= 500 || status === 408) {
    return unsureKind(purpose)
  }
  // No redirect is followed. Whether the bank did its work before it sent one, nobody can tell.
  if (status < 400) {
    return LEAVES_TRACES.has(purpose) ? 'outcome-unknown' : 'misconfigured'
  }
  if (purpose === 'authorisation' && ALREADY_IN_PROGRESS.test(error?.text ?? '')) {
    return 'authentication-busy'
  }
  // Of an authorisation that names the user as at fault: somebody else has to sign.
  if (purpose === 'authorisation' && error?.code === 'STATUS_INVALID' && error.path === USER) {
    return 'access-denied'
  }
  return kindOf(purpose, status, error?.code)
}

/** Orders, their withdrawal, and baskets, which tie up the orders in them. */
const LEAVES_TRACES: ReadonlySet<Purpose> = new Set(['initiation', 'cancellation', 'basket'])

/** When the bank may or may not have acted. */
function unsureKind(purpose: Purpose): BankRefusalKind {
  return LEAVES_TRACES.has(purpose) ? 'outcome-unknown' : 'unavailable'
}

function describe(status: number, error: BankError | undefined): string {
  if (error === undefined) {
    return `The bank answered ${status} and gave no reason in the standard's form`
  }
  return error.text === null ? `The bank answered ${error.code}` : `${redact(error.text)} (${error.code})`
}
