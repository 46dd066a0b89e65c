/** Books payments of a bulk on the accounts of payer and receivers: each by itself, or for the payer all in one line. */
import { newId } from '../../../gateway/platform/ids.ts'
import { type AccountKey, bookEntries, lockAccountsAnywhere, type Posting } from '../accounts/account-store.ts'
import { endToEndIdOf } from '../accounts/pending-store.ts'
import { businessDay } from '../bank-calendar.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { Payment } from '../payments/payment.ts'
import { retryUnfunded } from '../payments/payment-store.ts'
import { receivingAccount } from '../payments/resolve-parties.ts'
import { accountOf, bankOfRow } from '../world.ts'
import { type Element, sizeText } from './bulk-transaction.ts'

/** Payments of one bulk whose money moves, out or back, at an instant. */
export type Moving = {
  readonly bulk: Payment
  readonly elements: readonly Element[]
  readonly money: 'out' | 'back'
  readonly at: Temporal.Instant
}

/** Moves the money; answers false, and moves none, when the payer has too little. */
export async function postBulk(context: BankContext, transaction: BankTransaction, moving: Moving): Promise<boolean> {
  const { bulk, elements, money, at } = moving
  const byReceiver = Map.groupBy(elements, (element) => keyOf(receiverAt(context, bulk, element)))
  const from = { bank: bulk.bank, bban: bulk.debtor }
  const keys = [...byReceiver.values()].flatMap(([one]) => (one && receiverAt(context, bulk, one)) ?? [])
  const locked = await lockAccountsAnywhere(transaction, [from, ...keys])
  const debtor = locked.find((account) => keyOf(account) === keyOf(from))
  const sum = sumOf(elements)
  if (debtor === undefined || (money === 'out' && debtor.balance_minor < sum)) {
    return false
  }
  await bookEntries(transaction, debtor, payerPostings(context, moving))
  for (const account of locked.filter((one) => one !== debtor)) {
    const paid = byReceiver.get(keyOf(account)) ?? []
    await bookEntries(transaction, account, receiverPostings(context, { ...moving, elements: paid }))
    await retryUnfunded(transaction, account, at)
  }
  return true
}

/** The receiver's account, where it is in this world and not the payer's. */
function receiverAt({ world }: BankContext, bulk: Payment, { rail, creditor }: Element): AccountKey | undefined {
  const bank = bankOfRow(world, bulk.bank)
  const account = receivingAccount(world, bank, { rail, creditor, currency: bulk.currency })
  return account && { bank: account.bic, bban: account.bban }
}

function keyOf(account: AccountKey | undefined): string {
  return account === undefined ? '' : `${account.bank} ${account.bban}`
}

function sumOf(elements: readonly Element[]): bigint {
  return elements.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)
}

/** A salary run need not be read payment by payment on the statement: one line tells how many there are, not whose. */
function payerPostings(context: BankContext, moving: Moving): readonly Posting[] {
  const { bulk, elements, money } = moving
  const when = timeOf(context, moving)
  const sign = money === 'out' ? -1n : 1n
  const isOneLine =
    bulk.body['batchBookingPreferred'] === true && bankOfRow(context.world, bulk.bank).bulk?.batchBooking
  if (isOneLine === true && money === 'out' && elements.length > 1) {
    return [
      {
        ...when,
        minor: sign * sumOf(elements),
        counterparty: sizeText(elements.length),
        counterpartyAccount: null,
        message: bulk.message,
        reference: null,
        paymentId: bulk.id,
        batchSize: elements.length,
      },
    ]
  }
  return elements.map((element) => ({
    ...when,
    ...toldOf(element, money),
    minor: sign * element.amount_minor,
    counterparty: element.creditor_name,
    counterpartyAccount: element.creditor,
  }))
}

function receiverPostings(context: BankContext, moving: Moving): readonly Posting[] {
  const { bulk, elements, money } = moving
  const when = timeOf(context, moving)
  const payer = accountOf(context.world, bulk.bank, bulk.debtor)?.ownerName ?? bulk.debtor
  return elements.map((element) => ({
    ...when,
    ...toldOf(element, money),
    minor: money === 'out' ? element.amount_minor : -element.amount_minor,
    counterparty: payer,
    counterpartyAccount: bulk.debtor,
  }))
}

function timeOf({ world }: BankContext, { bulk, at }: Moving): Pick<Posting, 'day' | 'at'> {
  return { day: businessDay(bankOfRow(world, bulk.bank), at), at }
}

function toldOf(element: Element, money: Moving['money']) {
  const { message, reference, id: paymentId } = element
  const told = { reference, endToEndId: endToEndIdOf(element), paymentId }
  return money === 'out' ? { ...told, message } : { ...told, message: 'Returned payment', lastingId: newId() }
}
