/** What the ledger of the exchange says of each event: lines in minor units whose sum is zero in every currency. */
import type { Money } from '../../platform/money.ts'
import type { Deal } from '../deals/deal.ts'

/**
 * Debits are positive, credits negative. `payer`: what the payer owes. `provider`: what the provider holds for us or owes
 * us. `receiver`: what is owed to the receiver. `refund`: what came back and is owed to the payer. `held`: what arrived
 * and is owed to whoever sent it, until it funds a deal. `house`, `margin` and `loss` are our own and stay.
 */
export const LEDGER_ACCOUNTS = ['payer', 'provider', 'receiver', 'refund', 'held', 'house', 'margin', 'loss'] as const

export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number]

/** Accounts that are at zero once the deal or the receipt is closed. */
export const PASSING_ACCOUNTS = [
  'payer',
  'provider',
  'receiver',
  'refund',
  'held',
] as const satisfies readonly LedgerAccount[]

/** One line; the subject is the deal or the receipt whose account it is. */
export type Line = { readonly subjectId: string; readonly account: LedgerAccount } & Money

/** What happened; each at most once to a subject. */
export type LedgerEvent = 'booked' | 'broken' | 'funded' | 'paid' | 'came-back' | 'refunded' | 'arrived' | 'sent-back'

/** Money that arrived at the provider. */
type Arrived = { readonly id: string; readonly amount: Money }

type DealAmounts = Pick<Deal, 'id' | 'cost' | 'quote'>

/** The payer owes the cost, the provider the bought amount; we owe the provider the sold amount, the receiver the bought one. */
export function bookedLines({ id, cost, quote: { buy, sell } }: DealAmounts): readonly Line[] {
  return [
    line(id, 'payer', cost),
    line(id, 'provider', minus(sell)),
    line(id, 'margin', minus(marginOf(cost, sell))),
    line(id, 'provider', buy),
    line(id, 'receiver', minus(buy)),
  ]
}

/** Nobody owes anything any more but what undoing it has cost us. */
export function brokenLines(deal: DealAmounts, loss: Money | null): readonly Line[] {
  const undone = bookedLines(deal).map((each) => ({ ...each, minor: -each.minor }))
  return loss === null ? undone : [...undone, line(deal.id, 'loss', loss), line(deal.id, 'house', minus(loss))]
}

/** What was held is the payer's, and pays the provider; our margin stays on our account there. */
export function fundedLines({ id, cost, quote: { sell } }: DealAmounts, used: readonly Arrived[]): readonly Line[] {
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

/** The receiver has it. */
export function paidLines({ id, quote: { buy } }: DealAmounts): readonly Line[] {
  return [line(id, 'receiver', buy), line(id, 'provider', minus(buy))]
}

/** What came back is owed to the payer; banks on the way may have kept a part. */
export function cameBackLines(
  deal: DealAmounts,
  { wasPaid, returned }: { readonly wasPaid: boolean; readonly returned: Money },
): readonly Line[] {
  const { buy } = deal.quote
  const kept = { minor: buy.minor - returned.minor, currency: buy.currency }
  return [
    ...(wasPaid ? paidLines(deal).map((each) => ({ ...each, minor: -each.minor })) : []),
    line(deal.id, 'receiver', buy),
    line(deal.id, 'refund', minus(returned)),
    line(deal.id, 'provider', minus(kept)),
  ]
}

/** People gave it back to the payer. */
export function refundedLines({ id }: Pick<Deal, 'id'>, returned: Money): readonly Line[] {
  return [line(id, 'refund', returned), line(id, 'provider', minus(returned))]
}

/** It is the sender's until it funds a deal. */
export function arrivedLines({ id, amount }: Arrived): readonly Line[] {
  return [line(id, 'provider', amount), line(id, 'held', minus(amount))]
}

/** The sender has it again. */
export function sentBackLines({ id, amount }: Arrived): readonly Line[] {
  return [line(id, 'held', amount), line(id, 'provider', minus(amount))]
}

/** It was our own: put there for what undoing deals costs. */
export function ownLines({ id, amount }: Arrived): readonly Line[] {
  return [
    line(id, 'held', amount),
    line(id, 'provider', minus(amount)),
    line(id, 'house', amount),
    line(id, 'margin', minus(amount)),
  ]
}

/** What it says of nothing is not kept, and of one account it says one thing. */
export function netOf(lines: readonly Line[]): readonly Line[] {
  const byAccount = new Map<string, Line>()
  for (const each of lines) {
    const key = `${each.subjectId} ${each.account} ${each.currency}`
    byAccount.set(key, { ...each, minor: each.minor + (byAccount.get(key)?.minor ?? 0n) })
  }
  return [...byAccount.values()].filter(({ minor }) => minor !== 0n)
}

/** The currencies in which lines do not sum up to zero. */
export function unbalancedIn(lines: readonly Line[]): readonly string[] {
  const sums = new Map<string, bigint>()
  for (const { currency, minor } of lines) {
    sums.set(currency, (sums.get(currency) ?? 0n) + minor)
  }
  return [...sums].filter(([, sum]) => sum !== 0n).map(([currency]) => currency)
}

function line(subjectId: string, account: LedgerAccount, { minor, currency }: Money): Line {
  return { subjectId, account, minor, currency }
}

function minus({ minor, currency }: Money): Money {
  return { minor: -minor, currency }
}

function marginOf(cost: Money, sell: Money): Money {
  return { minor: cost.minor - sell.minor, currency: cost.currency }
}
