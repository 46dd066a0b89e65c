/** Lists the calls to banks for a payment, and computes the figures of all calls to a bank. */
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import {
  type BankCallCount,
  selectBankCallCounts,
  selectBankCalls,
  selectCallCountsOfAllBanks,
} from './bank-call-store.ts'
import { type BankCallFigures, type LoggedBankCall, percentileOf } from './logged-bank-call.ts'

/** A payment that is polled for weeks has many more, and the latest ones matter. */
const CALLS_MAX = 100

/** From the oldest. */
export async function listBankCallsFor(
  database: Queryable,
  payment: { readonly partnerId: string; readonly id: string },
): Promise<readonly LoggedBankCall[]> {
  return await selectBankCalls(database, payment, CALLS_MAX)
}

/** Of the current hour and the 24 before it. */
export async function readBankCallFigures(
  { database, clock }: { readonly database: Queryable; readonly clock: Pick<Clock, 'real'> },
  bic: string,
): Promise<BankCallFigures> {
  return figuresOf(await selectBankCallCounts(database, bic, clock.real().subtract({ hours: 25 })))
}

/** Of the current hour and the one before it: all calls, and those of each bank that was called, by BIC. */
export async function readRecentBankCallFigures({
  database,
  clock,
}: {
  readonly database: Queryable
  readonly clock: Pick<Clock, 'real'>
}): Promise<{ readonly all: BankCallFigures; readonly byBank: ReadonlyMap<string, BankCallFigures> }> {
  const counts = await selectCallCountsOfAllBanks(database, clock.real().subtract({ hours: 2 }))
  const byBank = Map.groupBy(counts, ({ bic }) => bic)
  return { all: figuresOf(counts), byBank: new Map([...byBank].map(([bic, of]) => [bic, figuresOf(of)])) }
}

function figuresOf(counts: readonly Pick<BankCallCount, 'outcome' | 'bucket' | 'calls'>[]): BankCallFigures {
  const answered = counts.filter(({ outcome }) => outcome === 'answered')
  const sum = (of: typeof counts) => of.reduce((total, { calls }) => total + calls, 0)
  return {
    calls: sum(counts),
    answered: sum(answered),
    p50Milliseconds: percentileOf(answered, 0.5),
    p95Milliseconds: percentileOf(answered, 0.95),
  }
}
