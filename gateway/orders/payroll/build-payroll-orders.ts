/** Writes payouts as banks are given them: alone as a domestic payment each, or all in one order. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { PayrollTransactionAsked } from '../../../contract/payrolls/payroll-request.ts'
import type { BulkElement, BulkOrder } from '../../banks/bulk-order.ts'
import type { DomesticOrder } from '../../banks/connector/domestic-order.ts'
import { type Money, parseMoney } from '../../platform/money.ts'
import { mapLettingOthersIn } from '../../platform/yield-to-event-loop.ts'
import { bankOrderOf } from '../instructions/build-domestic-payment-order.ts'
import type { PayrollContents } from './payroll-order.ts'

/** What besides the contents goes into an order. */
export type PayoutTerms = {
  readonly countryCode: string
  readonly currency: string
  readonly dueDate: Temporal.PlainDate
  /** The debtor's as the bank shows it; null where it shows none. */
  readonly debtorIban: string | null
}

/** A payout in the words of a domestic payment, by whose rules it goes. */
export function asDomestic(
  { from, purposeCode }: Pick<PayrollContents, 'from' | 'purposeCode'>,
  { metadata, name, account, amount, remittanceInformation }: PayrollTransactionAsked,
  { currency, dueDate }: Pick<PayoutTerms, 'currency' | 'dueDate'>,
): DomesticPayment {
  return {
    metadata,
    from: { account: { type: 'bban', bban: from.account.bban }, contactInformation: { name: from.name }, currency },
    to: { account: { type: 'bban', bban: account.bban }, contactInformation: { name } },
    amount,
    dueDate: dueDate.toString(),
    purposeCode,
    remittanceInformation,
  }
}

/** The first payout as an order of its own. */
export function singleOrderOf(contents: PayrollContents, terms: PayoutTerms): DomesticOrder {
  const [first] = contents.transactions
  if (first === undefined) {
    throw new Error('An order needs a payout')
  }
  return orderOf(contents, first, terms)
}

/** Every payout as an order of its own; others are let in between. */
export async function singleOrdersOf(contents: PayrollContents, terms: PayoutTerms): Promise<readonly DomesticOrder[]> {
  return await mapLettingOthersIn(contents.transactions, (payout) => orderOf(contents, payout, terms))
}

/** All payouts as one order; `bulkId` is what the bank knows it by. */
export async function bulkOrderOf(
  contents: PayrollContents,
  terms: PayoutTerms,
  bulk: Pick<BulkOrder, 'bulkId' | 'batchBooking'>,
): Promise<BulkOrder> {
  const { debtor, dueDate } = singleOrderOf(contents, terms)
  const payments = await mapLettingOthersIn(contents.transactions, (payout) =>
    asElement(orderOf(contents, payout, terms)),
  )
  return { ...bulk, debtor, dueDate, payments }
}

function asElement({ endToEndId, creditor, amount, remittance, purposeCode }: DomesticOrder): BulkElement {
  return { endToEndId, creditor, amount, remittance, purposeCode }
}

/** What payouts come to; others are let in between. Throws for an amount that got past the rules. */
export async function totalOf(
  transactions: readonly Pick<PayrollTransactionAsked, 'amount'>[],
  currency: string,
): Promise<Money> {
  let minor = 0n
  await mapLettingOthersIn(transactions, ({ amount }) => {
    const money = parseMoney(amount.amount, amount.currency)
    if (money === undefined || money.currency !== currency) {
      throw new Error('An amount got past the rules')
    }
    minor += money.minor
  })
  return { minor, currency }
}

function orderOf(
  contents: Pick<PayrollContents, 'from' | 'purposeCode'>,
  payout: PayrollTransactionAsked,
  terms: PayoutTerms,
): DomesticOrder {
  return bankOrderOf(asDomestic(contents, payout, terms), terms.countryCode, terms.debtorIban)
}
