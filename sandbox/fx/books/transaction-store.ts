/** Every query on the transactions of balances. */
import { sql } from 'kysely'
import type { BooksTransaction } from '../context.ts'
import { parseInstant } from '../protocol/format-time.ts'
import type { Parameters } from '../protocol/operation-call.ts'
import type { Page } from '../protocol/pagination.ts'
import type { Transaction } from './balance-store.ts'

/** Filters by equality, and their columns. */
const EQUAL = {
  currency: 'currency',
  related_entity_type: 'entity_type',
  related_entity_id: 'entity_id',
  related_entity_short_reference: 'entity_reference',
  action: 'action',
} as const
/** Transactions are completed in the instant in which they are created. */
const FROM = ['created_at_from', 'completed_at_from', 'updated_at_from', 'settles_at_from']
const TO = ['created_at_to', 'completed_at_to', 'updated_at_to', 'settles_at_to']

export async function findTransactions(
  books: BooksTransaction,
  parameters: Parameters,
  { number, size, isDescending }: Page,
): Promise<{ readonly rows: readonly Transaction[]; readonly total: number }> {
  let matching = books.selectFrom('transactions')
  for (const [parameter, column] of Object.entries(EQUAL)) {
    const value = parameters[parameter]
    if (value !== undefined) {
      matching = matching.where(column, '=', value)
    }
  }
  for (const name of FROM) {
    const from = parseInstant(parameters[name])
    matching = from === undefined ? matching : matching.where(sql<boolean>`created_at >= ${from}::timestamptz`)
  }
  for (const name of TO) {
    const to = parseInstant(parameters[name])
    matching = to === undefined ? matching : matching.where(sql<boolean>`created_at <= ${to}::timestamptz`)
  }
  const { type, status } = parameters
  if (type !== undefined) {
    matching = matching.where('amount_minor', type === 'debit' ? '<' : '>=', 0n)
  }
  if (status !== undefined && status !== 'completed') {
    return { rows: [], total: 0 }
  }
  const { count } = await matching.select(({ fn }) => fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy('created_at', isDescending ? 'desc' : 'asc')
    .orderBy('position', isDescending ? 'desc' : 'asc')
    .offset((number - 1) * size)
    .limit(size)
    .execute()
  return { rows, total: Number(count) }
}
