/** Tells the provider of exchange what was paid to its accounts, as the clearing between banks would; again until it knows. */
import provider from '../../../data/sandbox-fx/accounts.json' with { type: 'json' }
import { printAmount } from '../../../gateway/platform/money.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import { accountOf, bankOfRow } from '../world.ts'
import type { Payment } from './payment.ts'
import { lockPayment } from './payment-store.ts'

const AGAIN_SECONDS = 60
const TIMEOUT_MILLISECONDS = 30_000

/** Keeps that the provider is to be told, where a booked payment went to one of its accounts. */
export async function keepForProvider(
  { world, fxUrl }: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<void> {
  const bank = bankOfRow(world, payment.bank)
  if (fxUrl !== null && providerAccount(bank, payment) !== undefined) {
    await transaction
      .insertInto('sent_to_provider')
      .values({ payment_id: payment.id, due_at: at.toString() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Tells it. Twice is once to the provider, which knows payments by their ids. */
export async function tellProvider(
  context: BankContext,
  transaction: BankTransaction,
  paymentId: string,
  at: Temporal.Instant,
): Promise<void> {
  const payment = await lockPayment(transaction, paymentId)
  const account = payment && providerAccount(bankOfRow(context.world, payment.bank), payment)
  const isKnown = account === undefined || (await isTold(context, payment, account.iban))
  await transaction
    .updateTable('sent_to_provider')
    .set({ due_at: isKnown ? null : at.add({ seconds: AGAIN_SECONDS }).toString() })
    .where('payment_id', '=', paymentId)
    .execute()
}

async function isTold(context: BankContext, payment: Payment | undefined, iban: string): Promise<boolean> {
  if (payment === undefined || context.fxUrl === null) {
    return true
  }
  try {
    const answer = await fetch(`${context.fxUrl}/control/arrivals`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...sentBy(context, payment), iban }),
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    })
    await answer.body?.cancel()
    return answer.ok
  } catch (error) {
    context.log.warn({ err: error }, 'the provider of exchange could not be told of a payment')
    return false
  }
}

function sentBy({ world }: BankContext, payment: Payment): object {
  const bank = bankOfRow(world, payment.bank)
  const iban = rulesOf(bank).ibanOf(payment.debtor)
  return {
    origin: payment.id,
    amount: printAmount({ minor: payment.amount_minor, currency: payment.currency }),
    reference: payment.message ?? payment.reference ?? '',
    senderName: accountOf(world, payment.bank, payment.debtor)?.ownerName ?? payment.debtor,
    senderCountry: bank.country,
    senderIban: iban,
    senderAccountNumber: iban === null ? payment.debtor : null,
    senderBic: bank.bic,
  }
}

/** The provider's account that is paid; undefined when somebody else is. */
function providerAccount(bank: BankProfile, { creditor, currency }: Payment) {
  const iban = creditor.startsWith(bank.country) ? creditor : rulesOf(bank).ibanOf(creditor)
  return provider.accounts.find((account) => account.iban === iban && account.currency === currency)
}
