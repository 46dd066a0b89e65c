/** Checks that payments can be approved together by the user of the caller's consent, and that the bank has their orders. */

import { requireAccountOnConsent } from '../../accounts/require-consent-account.ts'
import type { SummaryItem } from '../../authorisations/signature-summary.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { findRequestedCompany, requirePaymentsAllowed } from '../../companies/require-company.ts'
import { matchesAccountNumber } from '../../consents/accounts/consent-account.ts'
import { type FindAccount, listAccountsOfConsent } from '../../consents/accounts/find-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { parseDebtorAccountNumber } from '../../countries/account-number.ts'
import {
  apiError,
  InvalidRequestError,
  stateError,
  type ValidationError,
} from '../../platform/http/errors/api-error.ts'
import { mapWithConcurrency } from '../../platform/map-with-concurrency.ts'
import { formatTimestamp } from '../../platform/time-format.ts'
import { findPaymentsOf, findScaExemptPayments } from '../find-orders.ts'
import {
  type AcknowledgedPayment,
  isAcknowledged,
  isOpenForSigning,
  isOutcomeUnknown,
  type Payment,
} from '../payment.ts'
import { ResubmissionError } from '../submit/ensure-no-live-order.ts'
import { ensureOrderAtBank } from '../submit/ensure-order-at-bank.ts'
import { paymentSummaries } from './payment-summary.ts'

/** Leaves capacity of the bank's rate limit for other waiting users. */
const ORDERS_AT_ONCE = 8

/** Errors for payments that are listed twice; ids are compared without regard to case. */
export function duplicatePaymentErrors(ids: readonly string[]): readonly ValidationError[] {
  const first = new Map(ids.map((id, n) => [id.toLowerCase(), n] as const).toReversed())
  return ids.flatMap((id, n) => {
    const reason = `is the same payment as .payments[${first.get(id.toLowerCase())}]`
    return first.get(id.toLowerCase()) === n
      ? []
      : [{ code: 'InvalidRequest', reason, path: `.payments[${n}]` } as const]
  })
}

/** The path of an order in the request, by its id. */
export type PathOf = (paymentId: string) => string

/** Orders in request order, and which of them are SCA-exempt. */
export type Approvable = {
  readonly payments: readonly AcknowledgedPayment[]
  readonly scaExemptIds: ReadonlySet<string>
  readonly pathOf: PathOf
  /** Renders orders that are signed together for their user. */
  readonly show: (orders: readonly Payment[]) => Promise<readonly SummaryItem[]>
}

/** Throws 403 for a company that may not pay, 404, 422 at `.payments[n]`, or `ACCESS_DENIED`. */
export async function requireApprovable(
  context: Context,
  caller: ConsentCaller,
  ids: readonly string[],
): Promise<Approvable> {
  await requirePaymentsAllowed((company) => findRequestedCompany(context, company), caller.consent)
  const approvable = await findApprovable(context, caller, ids)
  await requireAccounts(context, caller, approvable.payments)
  return approvable
}

/** The payments as they are now. Throws 404, or 422 at `.payments[n]`. */
export async function findApprovable(
  context: Context,
  caller: ConsentCaller,
  ids: readonly string[],
): Promise<Approvable> {
  const payments = await findPaymentsOf(context, caller.partnerId, ids)
  const scaExemptIds = await findScaExemptPayments(context, caller.partnerId, payments)
  const errors = payments.flatMap((payment, n) => approvalErrorsOf(caller, payment, scaExemptIds.has(payment.id), n))
  if (errors.length > 0) {
    throw new InvalidRequestError(errors)
  }
  const positionById = new Map(payments.map(({ id }, n) => [id, n]))
  const pathOf: PathOf = (id) => `.payments[${positionById.get(id)}]`
  return { payments: payments.map(requireAcknowledged), scaExemptIds, pathOf, show: paymentSummaries }
}

/** Throws `ACCESS_DENIED` unless the debtor accounts are on the caller's consent. */
export async function requireAccounts(
  context: Context,
  caller: ConsentCaller,
  payments: readonly {
    readonly debtorBban: string
    readonly ordered: { readonly from: { readonly currency: string } }
  }[],
): Promise<void> {
  const findAccount = await accountFinderFor(context, caller)
  for (const { debtorBban, ordered } of payments) {
    const number = parseDebtorAccountNumber(caller.consent.countryCode, debtorBban)
    await requireAccountOnConsent(findAccount, caller, { ...number, currency: ordered.from.currency })
  }
}

function approvalErrorsOf(
  { consent }: ConsentCaller,
  payment: Payment,
  isScaExempt: boolean,
  n: number,
): readonly ValidationError[] {
  const path = `.payments[${n}]`
  const mismatch = mismatchOf(consent, payment)
  if (mismatch !== undefined) {
    return [{ code: 'InvalidRequest', reason: mismatch, path }]
  }
  if (isOutcomeUnknown(payment)) {
    return [stateError(path, 'cannot be signed: it is unknown whether the bank accepted it')]
  }
  return isScaExempt || isOpenForSigning(payment) ? [] : [stateError(path, `cannot be signed: ${stateOf(payment)}`)]
}

function stateOf({ status, signed, exchange, deadlineAt }: Payment): string {
  const isMissed = (exchange === 'cancelled' || exchange === 'uncancellable') && !signed && deadlineAt !== null
  const missed = isMissed ? `, because it was not signed before its deadline, ${formatTimestamp(deadlineAt)}` : ''
  return `it is ${status}${missed}`
}

function mismatchOf(consent: ConsentCaller['consent'], payment: Payment): string | undefined {
  if (payment.bic !== consent.bic) {
    return `is a payment at ${payment.bic}, but the consent is at ${consent.bic}`
  }
  if (payment.organisationNumber !== consent.organisationNumber) {
    return 'belongs to another company than the consent'
  }
  return undefined
}

async function accountFinderFor(context: Context, { consent }: ConsentCaller): Promise<FindAccount> {
  const accounts = await listAccountsOfConsent(context, consent)
  return async (requested) => {
    const candidates = accounts.filter((account) => matchesAccountNumber(account, requested))
    return candidates.find(({ currency }) => currency === requested.currency) ?? candidates[0] ?? null
  }
}

/** Throws 409 if the bank has not acknowledged the order. */
export function requireAcknowledged(payment: Payment): AcknowledgedPayment {
  if (!isAcknowledged(payment)) {
    throw apiError('conflict', 'The payment changed during the request. Try again')
  }
  return payment
}

/**
 * Returns the payments with the orders that the bank has; expired orders are resubmitted. Throws 422 at one that cannot be
 * signed.
 */
export async function requireOrdersAtBank(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  approvable: Approvable,
): Promise<Approvable> {
  const { scaExemptIds, pathOf } = approvable
  const payments = await mapWithConcurrency(approvable.payments, ORDERS_AT_ONCE, async (payment) => {
    try {
      return scaExemptIds.has(payment.id) ? payment : await ensureOrderAtBank(context, caller, bank, payment)
    } catch (error) {
      throw error instanceof ResubmissionError ? notApprovable(error.message, pathOf(payment.id)) : error
    }
  })
  const checked = payments.map((payment) =>
    scaExemptIds.has(payment.id) ? requireAcknowledged(payment) : requireOpen(payment, pathOf(payment.id)),
  )
  return { ...approvable, payments: checked }
}

function requireOpen(payment: Payment, path: string): AcknowledgedPayment {
  if (!isOpenForSigning(payment) || !isAcknowledged(payment)) {
    throw notApprovable(`cannot be signed: it is ${payment.status}`, path)
  }
  return payment
}

function notApprovable(reason: string, path: string): InvalidRequestError {
  return new InvalidRequestError([stateError(path, reason)])
}
