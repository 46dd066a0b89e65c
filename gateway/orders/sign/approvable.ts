/** Checks that a user may approve orders, and that the bank has them: a confirmed expired order is resubmitted. */

import type { SummaryItem } from '../../authorisations/signature-summary.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import { isResourceGone } from '../../banks/connector/bank-error-classification.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { requireAccountOnConsent } from '../../consents/require-consent.ts'
import type { Context } from '../../context.ts'
import { parseDebtorAccountNumber } from '../../countries/account-number.ts'
import { formatTimestamp } from '../../platform/clock.ts'
import { mapWithConcurrency } from '../../platform/concurrency.ts'
import { apiError, InvalidRequestError, stateError } from '../../platform/http/errors/api-error.ts'
import type { Instruction } from '../instruction.ts'
import { type AcknowledgedPayment, isAcknowledged, isOpenForSigning, type Payment, permits } from '../payment.ts'
import { type BankAccess, withBankAccess } from '../status/bank-access.ts'
import { type OrderExpiry, recordExpiry } from '../status/record-expiry.ts'
import { recordPaymentStatus } from '../status/record-payment-status.ts'
import { ResubmissionError } from '../submit/ensure-no-live-order.ts'
import { resubmitOrder } from '../submit/resubmit-order.ts'

/** Leaves capacity of the bank's rate limit for other waiting users. */
const ORDERS_AT_ONCE = 8

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

/** Why an instruction is not one that this consent may approve or cancel; undefined if it may. */
export function mismatchOf(
  { consent }: Pick<ConsentCaller, 'consent'>,
  { bic, organisationNumber }: Pick<Payment, 'bic' | 'organisationNumber'>,
  noun: Instruction['noun'],
): string | undefined {
  if (bic !== consent.bic) {
    return `is a ${noun} at ${bic}, but the consent is at ${consent.bic}`
  }
  return organisationNumber === consent.organisationNumber ? undefined : 'belongs to another company than the consent'
}

/** Throws `ACCESS_DENIED` unless the debtor accounts are on the caller's consent. */
export async function requireAccounts(
  context: Context,
  caller: ConsentCaller,
  accounts: readonly { readonly debtorBban: string; readonly currency: string }[],
): Promise<void> {
  const debtors = new Map(
    accounts.map(({ debtorBban, currency }) => [
      `${debtorBban} ${currency}`,
      { ...parseDebtorAccountNumber(caller.consent.countryCode, debtorBban), currency },
    ]),
  )
  for (const debtor of debtors.values()) {
    await requireAccountOnConsent(context, caller, debtor)
  }
}

/** Why an order whose user has signed is not signed again. */
export const SIGNATURE_NOT_SHOWN =
  'its bank does not show yet whether it needs another signature; try again in a moment'

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
  const checked = payments.map((payment) => {
    if (!scaExemptIds.has(payment.id) && !isOpenForSigning(payment)) {
      throw notApprovable(`cannot be signed: it is ${payment.status}`, pathOf(payment.id))
    }
    return requireAcknowledged(payment)
  })
  return { ...approvable, payments: checked }
}

function notApprovable(reason: string, path: string): InvalidRequestError {
  return new InvalidRequestError([stateError(path, reason)])
}

/** An order polled within this time is assumed to exist. */
const READ_WITHIN_SECONDS = 60

/**
 * Returns the payment as the bank holds it; an expired order is always polled once more, since one that reappeared must not
 * be paid twice. Throws like `resubmitOrder`, and `AUTHENTICATION_TEMPORARY_UNAVAILABLE` while an expiry is not confirmed.
 */
export async function ensureOrderAtBank(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  payment: AcknowledgedPayment,
): Promise<Payment> {
  const { cancellationAcceptedAt, expiredAt, signed, statusAt } = payment
  const ageSeconds = context.clock.now().since(statusAt).total('seconds')
  const isFresh = expiredAt === null && cancellationAcceptedAt === null && ageSeconds < READ_WITHIN_SECONDS
  if (isFresh || !permits(payment, 'place-again')) {
    return payment
  }
  try {
    const read = ({ payments, caller: user }: BankAccess) => payments.read(user, payment, { signed })
    return await recordPaymentStatus(context, payment, await withBankAccess(context, payment, read))
  } catch (error) {
    if (isResourceGone(error)) {
      return await resubmitExpired(context, caller, bank, await recordExpiry(context, payment, error))
    }
    if (error instanceof BankError && expiredAt === null) {
      return payment
    }
    throw error
  }
}

async function resubmitExpired(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  expiry: OrderExpiry,
): Promise<Payment> {
  if (expiry.payment.cancellationAcceptedAt !== null) {
    throw new ResubmissionError('was cancelled, and its bank no longer holds it')
  }
  if (!expiry.isProven) {
    throw expiryUnconfirmedError(context, expiry)
  }
  const { payment } = expiry
  return isAcknowledged(payment) ? await resubmitOrder(context, caller, bank, payment) : payment
}

function expiryUnconfirmedError({ clock }: Context, { provenAt }: OrderExpiry): Error {
  const retryAfterSeconds = Math.max(1, Math.ceil(provenAt.since(clock.now()).total('seconds')))
  const message =
    'The bank reports that it no longer holds the order, which may be an error; nothing was changed. ' +
    `If it still reports this after ${formatTimestamp(provenAt)}, an approval resubmits the order`
  return apiError('AUTHENTICATION_TEMPORARY_UNAVAILABLE', message, { retryAfterSeconds })
}
