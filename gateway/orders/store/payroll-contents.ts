/** Stores the contents and terms of a payroll, sealed, and decrypts the chunks that are needed. */
import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Seal } from '../../platform/crypto/envelope-encryption.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { type Payroll, type PayrollTerms, payrollPurpose } from '../payroll.ts'
import {
  type PayrollContents,
  type PayrollKey,
  TRANSACTIONS_PER_CHUNK,
  type TransactionRange,
  transactionChunkPurpose,
} from '../payroll-order.ts'
import { findPayrollTerms } from './payroll-store.ts'
import { deletePayrollTransactions, insertPayrollTransactions } from './payroll-transaction-store.ts'

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
  for (const { number, sealed } of slices) {
    await sql`
      insert into payroll_transaction_chunks (partner_id, payroll_id, number, content_sealed)
      values (${key.partnerId}, ${key.payrollId}, ${number}, ${sealed})`.execute(transaction.query)
  }
  await insertPayrollTransactions(transaction, key, endToEndIds)
}

/** Deletes contents and transactions. */
export async function deletePayrollContents(transaction: Queryable, key: PayrollKey): Promise<void> {
  await deletePayrollTransactions(transaction, key)
  await sql`
    delete from payroll_transaction_chunks
    where partner_id = ${key.partnerId} and payroll_id = ${key.payrollId}`.execute(transaction.query)
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

/** A stored chunk. */
type SealedTransactionChunk = { readonly number: number; readonly sealed: Buffer }

/** Returns the chunks from one number to another, both inclusive, in ascending order. */
async function listTransactionChunks(
  { query }: Queryable,
  { partnerId, payrollId }: PayrollKey,
  numbers: { readonly from: number; readonly to: number },
): Promise<readonly SealedTransactionChunk[]> {
  const { rows } = await sql<SealedTransactionChunk>`
    select number, content_sealed as sealed from payroll_transaction_chunks
    where partner_id = ${partnerId} and payroll_id = ${payrollId} and number between ${numbers.from} and ${numbers.to}
    order by number`.execute(query)
  return rows
}

type Key = Pick<Payroll, 'partnerId' | 'id'>

export function sealPayrollTerms(
  seal: Seal,
  payroll: Key,
  { total: { minor, currency }, ...terms }: PayrollTerms,
): Buffer {
  const plain = { ...terms, total: { minor: minor.toString(), currency } }
  return seal.seal(JSON.stringify(plain), payrollPurpose(payroll))
}

export function openPayrollTerms(seal: Seal, payroll: Key, sealed: Buffer): PayrollTerms {
  const { total, ...terms } = JSON.parse(seal.open(sealed, payrollPurpose(payroll)))
  return { ...terms, total: { minor: BigInt(total.minor), currency: total.currency } }
}

/** Throws when the payroll does not exist. */
export async function readPayrollTerms({ database, seal }: Context, payroll: Key): Promise<PayrollTerms> {
  const sealed = await findPayrollTerms(database, payroll)
  if (sealed === undefined) {
    throw new Error(`Payroll ${payroll.id} has no terms`)
  }
  return openPayrollTerms(seal, payroll, sealed)
}
