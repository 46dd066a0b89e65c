/** Builds the ledger lines of each FX event, in minor units; they sum up to zero in every currency. */
import type { Money } from '../../platform/money.ts'
import type { Deal } from '../store/deal.ts'

/**
 * Debits are positive, credits negative. `payer`: what the payer owes. `provider`: what the provider holds for us or
 * owes us. `receiver`: what is owed to the beneficiary. `refund`: what was returned and is owed to the payer. `held`:
 * what arrived and is owed to its sender until it funds a deal. `house`, `margin` and `loss` are our own.
 */
export const LEDGER_ACCOUNTS = ['payer', 'provider', 'receiver', 'refund', 'held', 'house', 'margin', 'loss'] as const

export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number]

/** Accounts that are at zero once the deal or the receipt is closed. */
export const TRANSIENT_ACCOUNTS = [
  'payer',
  'provider',
  'receiver',
  'refund',
  'held',
] as const satisfies readonly LedgerAccount[]

/** One line; the subject is the deal or the receipt whose account it is. */
export type LedgerLine = { readonly subjectId: string; readonly account: LedgerAccount } & Money

/** Each event is posted at most once per subject. */
export type LedgerEvent =
  | 'booked'
  | 'cancelled'
  | 'funded'
  | 'paid'
  | 'came-back'
  | 'refunded'
  | 'arrived'
  | 'sent-back'

/** Money that arrived at the provider. */
type Arrived = { readonly id: string; readonly amount: Money }

type DealAmounts = Pick<Deal, 'id' | 'cost' | 'quote'>

/** The payer owes the cost, the provider the bought amount; we owe the sold amount and, to the receiver, the bought. */
export function bookedLines({ id, cost, quote: { buy, sell } }: DealAmounts): readonly LedgerLine[] {
  return [
    line(id, 'payer', cost),
    line(id, 'provider', minus(sell)),
    line(id, 'margin', minus(marginOf(cost, sell))),
    line(id, 'provider', buy),
    line(id, 'receiver', minus(buy)),
  ]
}

/** Reverses the booking; the loss of the cancelled conversion is ours. */
export function cancelledLines(deal: DealAmounts, loss: Money): readonly LedgerLine[] {
  const undone = bookedLines(deal).map((each) => ({ ...each, minor: -each.minor }))
  return [...undone, line(deal.id, 'loss', loss), line(deal.id, 'house', minus(loss))]
}

/** The held funds settle the payer's debt and pay the provider; our margin stays on our account there. */
export function fundedLines(
  { id, cost, quote: { sell } }: DealAmounts,
  used: readonly Arrived[],
): readonly LedgerLine[] {
  const margin = marginOf(cost, sell)
  return [
    ...used.flatMap((receipt) => [
      line(receipt.id, 'held', receipt.amount),
      line(receipt.id, 'provider', minus(receipt.amount)),
      line(id, 'provider', receipt.amount),
    ]),
    line(id, 'payer', minus(cost)),
    line(id, 'house', margin),
    line(id, 'provider', minus(margin)),
  ]
}

export function paidLines({ id, quote: { buy } }: DealAmounts): readonly LedgerLine[] {
  return [line(id, 'receiver', buy), line(id, 'provider', minus(buy))]
}

/** The returned amount is owed to the payer; banks on the way may have deducted charges. */
export function returnedLines(
  deal: DealAmounts,
  { wasPaid, returned }: { readonly wasPaid: boolean; readonly returned: Money },
): readonly LedgerLine[] {
  const { buy } = deal.quote
  const deducted = { minor: buy.minor - returned.minor, currency: buy.currency }
  return [
    ...(wasPaid ? paidLines(deal).map((each) => ({ ...each, minor: -each.minor })) : []),
    line(deal.id, 'receiver', buy),
    line(deal.id, 'refund', minus(returned)),
    line(deal.id, 'provider', minus(deducted)),
  ]
}

export function refundedLines({ id }: Pick<Deal, 'id'>, returned: Money): readonly LedgerLine[] {
  return [line(id, 'refund', returned), line(id, 'provider', minus(returned))]
}

/** The funds are owed to their sender until they fund a deal. */
export function arrivedLines({ id, amount }: Arrived): readonly LedgerLine[] {
  return [line(id, 'provider', amount), line(id, 'held', minus(amount))]
}

export function fundsReturnedLines({ id, amount }: Arrived): readonly LedgerLine[] {
  return [line(id, 'held', amount), line(id, 'provider', minus(amount))]
}

/** The funds are our own deposit, which covers the cost of cancelled conversions. */
export function ownFundsLines({ id, amount }: Arrived): readonly LedgerLine[] {
  return [
    line(id, 'held', amount),
    line(id, 'provider', minus(amount)),
    line(id, 'house', amount),
    line(id, 'margin', minus(amount)),
  ]
}

/** One line per account and currency, without lines of zero. */
export function netLines(lines: readonly LedgerLine[]): readonly LedgerLine[] {
  const byAccount = new Map<string, LedgerLine>()
  for (const each of lines) {
    const key = `${each.subjectId} ${each.account} ${each.currency}`
    byAccount.set(key, { ...each, minor: each.minor + (byAccount.get(key)?.minor ?? 0n) })
  }
  return [...byAccount.values()].filter(({ minor }) => minor !== 0n)
}

/** The currencies in which lines do not sum up to zero. */
export function unbalancedCurrencies(lines: readonly LedgerLine[]): readonly string[] {
  const sums = new Map<string, bigint>()
  for (const { currency, minor } of lines) {
    sums.set(currency, (sums.get(currency) ?? 0n) + minor)
  }
  return [...sums].filter(([, sum]) => sum !== 0n).map(([currency]) => currency)
}

function line(subjectId: string, account: LedgerAccount, { minor, currency }: Money): LedgerLine {
  return { subjectId, account, minor, currency }
}

function minus({ minor, currency }: Money): Money {
  return { minor: -minor, currency }
}

function marginOf(cost: Money, sell: Money): Money {
  return { minor: cost.minor - sell.minor, currency: cost.currency }
}

/** An inconsistency in the ledger; `what` describes it for operators. */
export type LedgerDiscrepancy = {
  readonly partnerId: string
  /** The entry, the deal or the receipt. */
  readonly id: string
  readonly what: string
  readonly currency: string
  /** By how much, in minor units. */
  readonly minor: bigint
}
