/** Stores the contents of a payroll, sealed in chunks, and decrypts the chunks that are needed. */
import { setImmediate as breathe } from 'node:timers/promises'
import type { PayrollTransactionRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import {
  type PayrollContents,
  type PayrollKey,
  TRANSACTIONS_PER_CHUNK,
  type TransactionRange,
  transactionChunkPurpose,
} from '../payroll-order.ts'
import { deletePayrollTransactions, insertPayrollTransactions } from './payroll-transaction-store.ts'
import {
  deleteTransactionChunks,
  insertTransactionChunk,
  listTransactionChunks,
  type SealedTransactionChunk,
} from './transaction-chunk-store.ts'

/** Seals the contents without storing them; yields to the event loop between chunks. */
export async function sealPayrollContents(
  { seal }: Context,
  key: PayrollKey,
  { from, purposeCode, transactions }: PayrollContents,
): Promise<readonly SealedTransactionChunk[]> {
  const slices: SealedTransactionChunk[] = []
  for (let first = 0; first < transactions.length; first += TRANSACTIONS_PER_CHUNK) {
    const content: PayrollContents = {
      from,
      purposeCode,
      transactions: transactions.slice(first, first + TRANSACTIONS_PER_CHUNK),
    }
    const number = slices.length
    slices.push({ number, sealed: seal.seal(JSON.stringify(content), transactionChunkPurpose(key, number)) })
    await breathe()
  }
  return slices
}

/** Stores the sealed chunks and a row for each transaction. */
export async function insertPayrollContents(
  transaction: Queryable,
  key: PayrollKey,
  {
    slices,
    endToEndIds,
  }: { readonly slices: readonly SealedTransactionChunk[]; readonly endToEndIds: readonly string[] },
): Promise<void> {
  for (const slice of slices) {
    await insertTransactionChunk(transaction, key, slice)
  }
  await insertPayrollTransactions(transaction, key, endToEndIds)
}

/** Deletes contents and transactions. */
export async function deletePayrollContents(transaction: Queryable, key: PayrollKey): Promise<void> {
  await deletePayrollTransactions(transaction, key)
  await deleteTransactionChunks(transaction, key)
}

/** Returns the debtor and a range of the transactions as requested. Throws when the range is not stored. */
export async function readPayrollContents(
  { database, seal }: Context,
  key: PayrollKey,
  { first, count }: TransactionRange,
): Promise<PayrollContents> {
  const from = Math.floor(first / TRANSACTIONS_PER_CHUNK)
  const slices = await listTransactionChunks(database, key, {
    from,
    to: Math.floor((first + count - 1) / TRANSACTIONS_PER_CHUNK),
  })
  const opened: PayrollContents[] = []
  for (const { number, sealed } of slices) {
    // Whatever the seal opens was written by sealPayrollContents.
    opened.push(JSON.parse(seal.open(sealed, transactionChunkPurpose(key, number))))
    await breathe()
  }
  const skipped = from * TRANSACTIONS_PER_CHUNK
  const transactions = opened.flatMap((slice) => slice.transactions).slice(first - skipped, first - skipped + count)
  const [head] = opened
  if (head === undefined || transactions.length !== count) {
    throw new Error(`Payroll ${key.payrollId} does not hold ${count} transactions from position ${first}`)
  }
  return { from: head.from, purposeCode: head.purposeCode, transactions }
}

/** Returns a range of the transactions as requested. */
export async function readPayrollTransactions(
  context: Context,
  key: PayrollKey,
  range: TransactionRange,
): Promise<readonly PayrollTransactionRequest[]> {
  return (await readPayrollContents(context, key, range)).transactions
}
