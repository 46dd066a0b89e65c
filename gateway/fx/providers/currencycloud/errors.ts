/** Maps error responses and missing responses to `FxProviderError`. */

import type { BankUnreachable } from '../../../banks/connector/bank-error.ts'
import { redactAccountNumbers } from '../../../banks/connector/bank-text.ts'
import type { BankResponse } from '../../../banks/connector/connector-dependencies.ts'
import { readRetryAfter } from '../../../platform/http/response-parser.ts'
import { type FxField, type FxFieldError, FxProviderError, type FxProviderErrorKind } from '../fx-provider-error.ts'
import { partOfField } from './beneficiary-form.ts'
import { type Failure, readFailure } from './wire.ts'

/** `moves`: the call may move money, so that its outcome must be resolved after an error. */
export type Effect = 'reads' | 'moves'

/** The provider asks for a minute without calls (API documentation). */
const RETRY_AFTER_SECONDS = 60
const RETRY_AFTER_SECONDS_MAX = 3_600

/** Error kinds by code, most severe first: of several errors, the first match decides. */
const ERROR_KIND_BY_CODE: readonly (readonly [FxProviderErrorKind, RegExp])[] = [
  [
    'quote-expired',
    /^(quote_(has_)?expired|quote_not_found|quote_(is_)?already_used|(expired|invalid)_quote(_id)?|quote_id_.*)$/,
  ],
  [
    'currency-not-traded',
    /^(ccy_pair_is_not_tradeable|invalid_(buy|sell)_currency|invalid_currency_pair|unique_value_parameters|(buy|sell)_currency_is_in_invalid_format)$/,
  ],
  [
    'closed',
    /^(crossing_cutoff_time|invalid_hold_period|held_rate_not_enabled|currency_pair_not_available_for_weekend)$/,
  ],
  ['due-date-rejected', /^((invalid_)?(conversion|payment|delivery)_date(_.+)?|variable_value_dates_not_permitted)$/],
  ['limit', /^(amount_is_too_(small|large)|(conversion|payment)_(above|below)_limit)$/],
  ['too-late', /^(conversion_is_already_settled|payment_can_not_be_edited)$/],
  [
    'rate-not-available',
    /^(rate_could_not_be_retrieved|quote_could_not_be_created|conversion_create_failed|missing_(client|partner)_spread_table_data)$/,
  ],
]

/** With any other status, the codes add nothing. */
const STATUSES_WITH_ERROR_CODES: ReadonlySet<number> = new Set([400, 404, 409, 422])
const SCALE_CODES = /^(amount_type_is_wrong|amount_is_in_invalid_format|invalid_decimals)$/

const PART_BY_CATEGORY: Readonly<Record<string, FxField>> = {
  amount: 'amount',
  buy_currency: 'buyCurrency',
  sell_currency: 'sellCurrency',
  conversion_date: 'dueDate',
  payment_date: 'dueDate',
  reference: 'reference',
  reason: 'reason',
  purpose_code: 'purposeCode',
}

/** The error of a response outside 2xx. */
export function errorOfResponse(effect: Effect, response: BankResponse): FxProviderError {
  const failure = readFailure(response.body)
  const validationErrors = failure === undefined ? [] : validationErrorsOf(failure)
  const [kind, decisive] = kindOf(effect, response.status, validationErrors)
  const code = decisive?.code ?? failure?.error_code
  const retryAfterSeconds = kind === 'rate-limited' ? retryAfterOf(response) : undefined
  return new FxProviderError(
    kind,
    `The provider answered ${response.status}${code === undefined ? '' : ` (${safeCode(code)})`}`,
    {
      validationErrors,
      status: response.status,
      ...(code === undefined ? {} : { code: safeCode(code) }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  )
}

/** The error of a call without a complete response. */
export function errorOfNoResponse(effect: Effect, unreachable: BankUnreachable): FxProviderError {
  const { sent } = unreachable
  const message = sent ? 'The provider sent no complete response' : 'The provider could not be reached'
  return new FxProviderError(sent && effect === 'moves' ? 'outcome-unknown' : 'unavailable', message, {
    cause: unreachable,
  })
}

/** The error of a 2xx response that cannot be parsed. */
export function errorOfUnreadableResponse(effect: Effect, status: number): FxProviderError {
  const kind = effect === 'moves' ? 'outcome-unknown' : 'unreadable'
  return new FxProviderError(kind, `The provider answered ${status} with a body that cannot be parsed`, { status })
}

function kindOf(
  effect: Effect,
  status: number,
  validationErrors: readonly FxFieldError[],
): readonly [FxProviderErrorKind, FxFieldError | undefined] {
  for (const [named, codes] of STATUSES_WITH_ERROR_CODES.has(status) ? ERROR_KIND_BY_CODE : []) {
    const decisive = validationErrors.find(({ code }) => codes.test(code))
    if (decisive !== undefined) {
      return [named, decisive]
    }
  }
  return [kindOfStatus(effect, status), validationErrors[0]]
}

/** The kind by status, if no code decides. */
function kindOfStatus(effect: Effect, status: number): FxProviderErrorKind {
  const unknownOutcome = effect === 'moves' ? 'outcome-unknown' : 'unavailable'
  const known: Readonly<Record<number, FxProviderErrorKind>> = {
    400: 'invalid',
    401: 'login-rejected',
    403: 'login-rejected',
    404: 'unknown-resource',
    422: 'invalid',
    429: 'rate-limited',
  }
  return known[status] ?? unknownOutcome
}

function validationErrorsOf({ error_code, error_messages = {} }: Failure): readonly FxFieldError[] {
  const validationErrors = Object.entries(error_messages).flatMap(([category, errors]) =>
    errors.map(({ code, message = '' }) => ({
      part: partOf(category, code),
      code: safeCode(code),
      message: redactAccountNumbers(message),
    })),
  )
  return validationErrors.length > 0 ? validationErrors : [{ part: null, code: safeCode(error_code), message: '' }]
}

function partOf(category: string, code: string): FxField | null {
  if (SCALE_CODES.test(code)) {
    return 'amountScale'
  }
  if (category.startsWith('payer_')) {
    return 'payer'
  }
  return (
    (Object.hasOwn(PART_BY_CATEGORY, category) ? PART_BY_CATEGORY[category] : undefined) ??
    partOfField(category) ??
    null
  )
}

/** `Retry-After`, or the provider's minute. */
function retryAfterOf({ headers }: BankResponse): number {
  const { seconds } = readRetryAfter(headers)
  return Math.min(Math.max(1, seconds ?? RETRY_AFTER_SECONDS), RETRY_AFTER_SECONDS_MAX)
}

/** Anything that does not look like a code is not repeated in logs. */
function safeCode(code: string): string {
  return /^[A-Za-z0-9_.-]{1,100}$/.test(code) ? code : 'unnamed'
}
