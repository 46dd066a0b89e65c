/** Inserts orders without related rows, batching concurrent ones into one statement. */
import type { Insertable } from 'kysely'
import { coalesce } from '../../../gateway/platform/database/coalesce.ts'
import type { Database } from '../../../gateway/platform/database/database.ts'
import type { Tables } from '../tables.ts'
import type { PaymentTable } from './payment.ts'

/** Resolves when the order is committed. */
export type InsertOrder = (row: Insertable<PaymentTable>) => Promise<void>

/** The columns that are set on insertion. */
const COLUMNS = [
  'id',
  'bank',
  'service',
  'product',
  'debtor',
  'rail',
  'creditor',
  'creditor_name',
  'amount_minor',
  'currency',
  'message',
  'reference',
  'requested_on',
  'execution_on',
  'status',
  'last_visible',
  'lapsed',
  'request_id',
  'psu_id',
  'corporate_id',
  'redirect_uri',
  'nok_redirect_uri',
  'notification_uri',
  'notification_content',
  'created_at',
  'changed_at',
  'due_at',
  'script_step',
] as const satisfies readonly (keyof PaymentTable)[]

/** The body is inserted as text and stored as JSON. */
const INSERT_ORDERS = `
  insert into payments (body, ${COLUMNS.join(', ')})
  select (body #>> '{}')::jsonb, ${COLUMNS.join(', ')} from jsonb_populate_recordset(null::payments, $1::jsonb)`

export function createOrderInserter({ pool }: Pick<Database<Tables>, 'pool'>): InsertOrder {
  const insert = coalesce<Insertable<PaymentTable>, true>({
    keyOf: ({ id }) => id,
    run: async (rows) => {
      const values = [JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))]
      await pool.query({ name: 'sandbox-bank-insert-orders', text: INSERT_ORDERS, values })
      return rows.map(() => true)
    },
  })
  return async (row) => {
    await insert(row)
  }
}
