/** Keeps what a payroll orders, sealed slice by slice, and opens as much of it as is needed. */
import { setImmediate as breathe } from 'node:timers/promises'
import type { PayrollTransactionAsked } from '../../../contract/payrolls/payroll-request.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import {
  type PayoutRange,
  type PayrollContents,
  type PayrollKey,
  SLICE_PAYOUTS,
  slicePurpose,
} from './payroll-order.ts'
import { deleteElements, insertElements } from './payroll-transaction-store.ts'
import { deleteSlices, insertSlice, listSlices, type SealedSlice } from './transaction-chunk-store.ts'

/** Seals the contents; others are let in between slices. Nothing is kept yet. */
export async function sealContents(
  { seal }: Pick<Context, 'seal'>,
  key: PayrollKey,
  { from, purposeCode, transactions }: PayrollContents,
): Promise<readonly SealedSlice[]> {
  const slices: SealedSlice[] = []
  for (let first = 0; first < transactions.length; first += SLICE_PAYOUTS) {
    const content: PayrollContents = {
      from,
      purposeCode,
      transactions: transactions.slice(first, first + SLICE_PAYOUTS),
    }
    const number = slices.length
    slices.push({ number, sealed: seal.seal(JSON.stringify(content), slicePurpose(key, number)) })
    await breathe()
  }
  return slices
}

/** Keeps sealed contents, slice by slice, and the payouts that they hold by their ids. */
export async function keepContents(
  transaction: Queryable,
  key: PayrollKey,
  { slices, endToEndIds }: { readonly slices: readonly SealedSlice[]; readonly endToEndIds: readonly string[] },
): Promise<void> {
  for (const slice of slices) {
    await insertSlice(transaction, key, slice)
  }
  await insertElements(transaction, key, endToEndIds)
}

/** Forgets contents and payouts. */
export async function forgetContents(transaction: Queryable, key: PayrollKey): Promise<void> {
  await deleteElements(transaction, key)
  await deleteSlices(transaction, key)
}

/** Who pays, and a run of the payouts as they were ordered. */
export async function payrollContents(
  { database, seal }: Pick<Context, 'database' | 'seal'>,
  key: PayrollKey,
  { first, count }: PayoutRange,
): Promise<PayrollContents> {
  const from = Math.floor(first / SLICE_PAYOUTS)
  const slices = await listSlices(database, key, { from, to: Math.floor((first + count - 1) / SLICE_PAYOUTS) })
  const opened: PayrollContents[] = []
  for (const { number, sealed } of slices) {
    // What the seal opens was written above.
    opened.push(JSON.parse(seal.open(sealed, slicePurpose(key, number))))
    await breathe()
  }
  const skipped = from * SLICE_PAYOUTS
  const transactions = opened.flatMap((slice) => slice.transactions).slice(first - skipped, first - skipped + count)
  const [head] = opened
  if (head === undefined || transactions.length !== count) {
    throw new Error(`Payroll ${key.payrollId} does not hold ${count} payouts from ${first} on`)
  }
  return { from: head.from, purposeCode: head.purposeCode, transactions }
}

/** A run of the payouts as they were ordered. */
export async function payrollTransactions(
  context: Pick<Context, 'database' | 'seal'>,
  key: PayrollKey,
  range: PayoutRange,
): Promise<readonly PayrollTransactionAsked[]> {
  return (await payrollContents(context, key, range)).transactions
}
