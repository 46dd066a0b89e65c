/** Keeps a payroll: what was ordered sealed, its payouts, and whatever else must be kept with it or not at all. */
import type { PayrollAsked } from '../../contract/payrolls/payroll-request.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { senderNumber } from '../countries/debtor-account-number.ts'
import { totalOf } from '../orders/payroll/build-payroll-orders.ts'
import { keepContents, sealContents } from '../orders/payroll/payroll-contents.ts'
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/ids.ts'
import { requireOrdering } from './bulks/keep-bulk.ts'
import { endOfDueDay } from './look-after-payroll.ts'
import type { Payroll, Way } from './payroll.ts'
import { insertPayroll } from './payroll-store.ts'
import { sealTerms } from './payroll-terms.ts'

/** How a payroll is kept; `within` is kept in the same transaction. */
export type Keeping<Kept> = {
  readonly bank: Bank
  readonly way: Way
  /** The bulk that it came in. */
  readonly bulkId?: string | undefined
  readonly within: (transaction: Queryable, payroll: Payroll) => Promise<Kept>
}

/** Nothing is asked of a bank here. A bulk or a file is one order, kept with it, so that nothing is left to be placed. */
export async function keepPayroll<Kept>(
  context: Context,
  caller: ConsentCaller,
  ordered: PayrollAsked,
  { bank, way, bulkId, within }: Keeping<Kept>,
): Promise<{ readonly payroll: Payroll; readonly kept: Kept }> {
  const payroll = await newPayroll(context, caller, ordered, { bank, way, bulkId: bulkId ?? null })
  const { partnerId, id, currency } = payroll
  const { from, purposeCode, transactions } = ordered
  const total = await totalOf(transactions, currency)
  const terms = sealTerms(context.seal, payroll, { from, purposeCode, total })
  const slices = await sealContents(context, { partnerId, payrollId: id }, ordered)
  const endToEndIds = transactions.map(({ metadata }) => metadata.endToEndId)
  const kept = await atomically(context.database, async (transaction) => {
    await (bulkId !== undefined && requireOrdering(transaction, { partnerId, id: bulkId }))
    await insertPayroll(transaction, payroll, terms)
    await keepContents(transaction, { partnerId, payrollId: id }, { slices, endToEndIds })
    return await within(transaction, payroll)
  })
  return { payroll, kept }
}

async function newPayroll(
  context: Context,
  { partnerId, consent }: ConsentCaller,
  { from, transactions, dueDate: day }: PayrollAsked,
  { bank, way, bulkId }: { readonly bank: Bank; readonly way: Way; readonly bulkId: string | null },
): Promise<Payroll> {
  const dueDate = Temporal.PlainDate.from(day)
  const now = context.clock.now()
  const isPlacedLater = way === 'baskets' || way === 'chain'
  return {
    partnerId,
    id: newId(),
    bulkId,
    consentId: consent.id,
    bic: bank.bic,
    countryCode: bank.countryCode,
    organisationNumber: consent.organisationNumber,
    debtorBban: senderNumber(bank.countryCode, from.account.bban).bban,
    currency: currencyOf(transactions),
    dueDate,
    way,
    transactionCount: transactions.length,
    state: isPlacedLater ? 'placing' : 'placed',
    stateText: null,
    status: 'Unsigned',
    createdAt: now,
    changedAt: now,
    workAt: isPlacedLater ? await endOfDueDay(context, { bic: bank.bic, dueDate }) : null,
  }
}

/** Payouts have one currency, which the rules make sure of. */
export function currencyOf([first]: PayrollAsked['transactions']): string {
  return first?.amount.currency ?? ''
}
