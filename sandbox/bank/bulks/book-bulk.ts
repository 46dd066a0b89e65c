/** Carries a bulk out on its day: books what goes well, in one transaction, and begins what happens to all others. */
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { isOver, type Payment } from '../payments/payment.ts'
import { changePayment } from '../payments/payment-store.ts'
import { waitForFunds } from '../payments/wait-for-funds.ts'
import type { Notice } from '../push-notifications.ts'
import { bankOfRow } from '../world.ts'
import type { Element } from './bulk-transaction.ts'
import { changeElements, elementsOf } from './bulk-transaction-store.ts'
import { drawnStatus } from './derive-bulk-status.ts'
import { postBulk } from './post-bulk.ts'
import { nextTurn, type Turn } from './turn.ts'

const RETURNED_TEXT = 'Returned with all payments of its order'

/** Books it when the debtor has the money for all of it; otherwise it waits until the day is over. */
export async function bookBulk(
  context: BankContext,
  transaction: BankTransaction,
  bulk: Payment,
  at: Temporal.Instant,
): Promise<readonly Notice[]> {
  const bank = bankOfRow(context.world, bulk.bank)
  const elements = await elementsOf(transaction, bulk.id)
  const turns = elements.flatMap((element) =>
    element.status === null ? (nextTurn(bank, bulk.currency, element, at) ?? []) : bookedAfterAll(element),
  )
  const paid = turns.filter(({ money }) => money === 'out').map(({ element }) => element)
  if (paid.length > 0 && !(await postBulk(context, transaction, { bulk, elements: paid, money: 'out', at }))) {
    return await waitForFunds(context, transaction, bulk, at)
  }
  await changeElements(
    transaction,
    bulk.id,
    turns.map(({ change }) => change),
  )
  const status = await drawnStatus(transaction, bulk)
  const booked = { status, funds_available: true, due_at: null, closes_at: null } as const
  return await changePayment(transaction, bulk, booked, at)
}

/** Whoever settles a bulk by hand that was carried out means what is still on its way. */
function bookedAfterAll(element: Element): readonly Turn[] {
  const { position, status, script_step: step } = element
  return status === null || isOver(status)
    ? []
    : [{ element, money: 'out', change: { position, step, status: 'ACSC', text: null, dueAt: null } }]
}

/** Books back everything of it that was booked. */
export async function returnBulk(
  context: BankContext,
  transaction: BankTransaction,
  bulk: Payment,
  at: Temporal.Instant,
): Promise<void> {
  const booked = (await elementsOf(transaction, bulk.id)).filter(({ status }) => status === 'ACSC')
  await postBulk(context, transaction, { bulk, elements: booked, money: 'back', at })
  await changeElements(
    transaction,
    bulk.id,
    booked.map(({ position, script_step: step }) => ({
      position,
      step,
      dueAt: null,
      status: 'RJCT',
      text: RETURNED_TEXT,
    })),
  )
}
