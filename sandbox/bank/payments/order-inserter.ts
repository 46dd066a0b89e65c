/** Inserts orders without related rows, batching concurrent ones into one statement. */
import type { Insertable } from 'kysely'
import { coalesce } from '../../../gateway/platform/database/coalesce.ts'
import type { Database } from '../../../gateway/platform/database/database.ts'
import type { Tables } from '../tables.ts'
import type { PaymentTable } from './payment.ts'

/** Resolves when the order is committed. */
export type InsertOrder = (row: Insertable<PaymentTable>) => Promise<void>

/** The columns of a row, which are the same for every order. The body is inserted as text and stored as JSON. */
function insertionOf(row: object): string {
  const columns = Object.keys(row).filter((name) => name !== 'body')
  return `
    insert into payments (body, ${columns.join(', ')})
    select (body #>> '{}')::jsonb, ${columns.join(', ')} from jsonb_populate_recordset(null::payments, $1::jsonb)`
}

export function createOrderInserter({ pool }: Pick<Database<Tables>, 'pool'>): InsertOrder {
  const insert = coalesce<Insertable<PaymentTable>, true>({
    keyOf: ({ id }) => id,
    run: async (rows) => {
      const values = [JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))]
      await pool.query({ name: 'sandbox-bank-insert-orders', text: insertionOf({ ...rows[0] }), values })
      return rows.map(() => true)
    },
  })
  return async (row) => {
    await insert(row)
  }
}
