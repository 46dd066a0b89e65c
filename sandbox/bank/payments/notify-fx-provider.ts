/** Notifies the FX provider of funds paid to its accounts, as the clearing would; retries until acknowledged. */

import provider from '../../../data/sandbox-fx/accounts.json' with { type: 'json' }
import { formatAmount } from '../../../gateway/platform/money.ts'
import { findRow } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { accountOf, requireBankByBic } from '../fixture-lookup.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import type { Payment } from './payment.ts'

const RETRY_SECONDS = 60
const TIMEOUT_MILLISECONDS = 30_000

/** Enqueues the notification when a booked payment went to one of the provider's accounts. */
export async function enqueueFxNotification(
  { fixture, fxUrl, database }: Context,
  payment: Payment,
  at: Temporal.Instant,
): Promise<void> {
  const bank = requireBankByBic(fixture, payment.bank)
  if (fxUrl !== null && providerAccount(bank, payment) !== undefined) {
    await database.query
      .insertInto('fx_provider_notifications')
      .values({ payment_id: payment.id, due_at: at.toString() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Delivers it. The provider deduplicates by payment id. */
export async function notifyFxProvider(context: Context, paymentId: string, at: Temporal.Instant): Promise<void> {
  const payment = await findRow(context, 'payments', { id: paymentId }, { lock: true })
  const account = payment && providerAccount(requireBankByBic(context.fixture, payment.bank), payment)
  const isKnown = account === undefined || (await isNotified(context, payment, account.iban))
  await context.database.query
    .updateTable('fx_provider_notifications')
    .set({ due_at: isKnown ? null : at.add({ seconds: RETRY_SECONDS }).toString() })
    .where('payment_id', '=', paymentId)
    .execute()
}

async function isNotified(context: Context, payment: Payment | undefined, iban: string): Promise<boolean> {
  if (payment === undefined || context.fxUrl === null) {
    return true
  }
  try {
    const answer = await fetch(`${context.fxUrl}/control/arrivals`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...notificationBody(context, payment), iban }),
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    })
    await answer.body?.cancel()
    return answer.ok
  } catch (error) {
    context.log.warn({ err: error }, 'the FX provider could not be notified of a payment')
    return false
  }
}

function notificationBody({ fixture }: Context, payment: Payment): object {
  const bank = requireBankByBic(fixture, payment.bank)
  const iban = rulesOf(bank).ibanOf(payment.debtor)
  return {
    origin: payment.id,
    amount: formatAmount({ minor: payment.amount_minor, currency: payment.currency }),
    reference: payment.message ?? payment.reference ?? '',
    senderName: accountOf(fixture, payment.bank, payment.debtor)?.ownerName ?? payment.debtor,
    senderCountry: bank.country,
    senderIban: iban,
    senderAccountNumber: iban === null ? payment.debtor : null,
    senderBic: bank.bic,
  }
}

/**
 * The provider's account that is credited; undefined for any other creditor. The provider's numbers are compared, because
 * a creditor may be a giro number or a foreign account, of which there is no IBAN of the bank's country.
 */
function providerAccount(bank: BankProfile, { creditor, currency }: Payment) {
  const { numberOfIban } = rulesOf(bank)
  return provider.accounts.find(
    (account) =>
      account.country === bank.country &&
      account.currency === currency &&
      (account.iban === creditor || numberOfIban(account.iban) === creditor),
  )
}
