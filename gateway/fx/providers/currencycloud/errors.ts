/** Turns the provider's errors, and its silence, into an `FxRefusal`. */
import { redact } from '../../../banks/connector/redact.ts'
import { type FxPart, type FxProblem, FxRefusal, type FxRefusalKind } from '../fx-provider-error.ts'
import type { ProviderResponse, ProviderUnreachable } from '../provider-transport.ts'
import { partOfField } from './beneficiary-form.ts'
import { type Failure, readFailure } from './wire.ts'

/** Whether a request may move money: what became of it must then be found out before anything else is done. */
export type Effect = 'reads' | 'moves'

/** The provider asks for a minute without calls (API). */
const RETRY_AFTER_SECONDS = 60
const RETRY_AFTER_SECONDS_MAX = 3_600

/** Kinds by code, the gravest first: of several errors the first here says what the answer is. */
const KIND_BY_CODE: readonly (readonly [FxRefusalKind, RegExp])[] = [
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
  ['due-date-refused', /^((invalid_)?(conversion|payment|delivery)_date(_.+)?|variable_value_dates_not_permitted)$/],
  ['limit', /^(amount_is_too_(small|large)|(conversion|payment)_(above|below)_limit)$/],
  ['too-late', /^(conversion_is_already_settled|payment_can_not_be_edited)$/],
  [
    'rate-not-available',
    /^(rate_could_not_be_retrieved|quote_could_not_be_created|conversion_create_failed|missing_(client|partner)_spread_table_data)$/,
  ],
]

/** With any other status the codes say no more than it does. */
const CODES_TELL: ReadonlySet<number> = new Set([400, 404, 409, 422])
const SCALE_CODES = /^(amount_type_is_wrong|amount_is_in_invalid_format|invalid_decimals)$/

const PART_BY_CATEGORY: Readonly<Record<string, FxPart>> = {
  amount: 'amount',
  buy_currency: 'buyCurrency',
  sell_currency: 'sellCurrency',
  conversion_date: 'dueDate',
  payment_date: 'dueDate',
  reference: 'reference',
  reason: 'reason',
  purpose_code: 'purposeCode',
}

/** The refusal that an answer outside 2xx is. */
export function refusalOf(effect: Effect, response: ProviderResponse): FxRefusal {
  const failure = readFailure(response.body)
  const problems = failure === undefined ? [] : problemsOf(failure)
  const [kind, decisive] = kindOf(effect, response.status, problems)
  const code = decisive?.code ?? failure?.error_code
  const retryAfterSeconds = kind === 'rate-limited' ? retryAfterOf(response) : undefined
  return new FxRefusal(
    kind,
    `The provider answered ${response.status}${code === undefined ? '' : ` (${safe(code)})`}`,
    {
      problems,
      status: response.status,
      ...(code === undefined ? {} : { code: safe(code) }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  )
}

/** The refusal that no answer is. */
export function refusalOfSilence(effect: Effect, unreachable: ProviderUnreachable): FxRefusal {
  const kind = unreachable.sent && effect === 'moves' ? 'outcome-unknown' : 'unavailable'
  return new FxRefusal(kind, unreachable.message, { cause: unreachable })
}

/** The refusal that a 2xx answer is when it cannot be read. */
export function refusalOfUnreadable(effect: Effect, status: number): FxRefusal {
  const kind = effect === 'moves' ? 'outcome-unknown' : 'unreadable'
  return new FxRefusal(kind, `The provider answered ${status} with a body that nobody can read`, { status })
}

function kindOf(
  effect: Effect,
  status: number,
  problems: readonly FxProblem[],
): readonly [FxRefusalKind, FxProblem | undefined] {
  for (const [named, codes] of CODES_TELL.has(status) ? KIND_BY_CODE : []) {
    const decisive = problems.find(({ code }) => codes.test(code))
    if (decisive !== undefined) {
      return [named, decisive]
    }
  }
  return [kindOfStatus(effect, status), problems[0]]
}

/** What the status says where no code says more. */
function kindOfStatus(effect: Effect, status: number): FxRefusalKind {
  const unsure = effect === 'moves' ? 'outcome-unknown' : 'unavailable'
  const known: Readonly<Record<number, FxRefusalKind>> = {
    400: 'invalid',
    401: 'login-refused',
    403: 'login-refused',
    404: 'unknown-resource',
    422: 'invalid',
    429: 'rate-limited',
  }
  return known[status] ?? unsure
}

function problemsOf({ error_code, error_messages = {} }: Failure): readonly FxProblem[] {
  const problems = Object.entries(error_messages).flatMap(([category, errors]) =>
    errors.map(({ code, message = '' }) => ({
      part: partOf(category, code),
      code: safe(code),
      message: redact(message),
    })),
  )
  return problems.length > 0 ? problems : [{ part: null, code: safe(error_code), message: '' }]
}

function partOf(category: string, code: string): FxPart | null {
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

/** Whole seconds (RFC 9110, 10.2.3), or the provider's minute. */
function retryAfterOf({ headers }: ProviderResponse): number {
  const seconds = /^\d{1,6}$/.exec(headers['retry-after'] ?? '')?.[0]
  return seconds === undefined ? RETRY_AFTER_SECONDS : Math.min(Math.max(1, Number(seconds)), RETRY_AFTER_SECONDS_MAX)
}

/** Codes are words; what is none is not repeated in a log. */
function safe(code: string): string {
  return /^[A-Za-z0-9_.-]{1,100}$/.test(code) ? code : 'unnamed'
}
