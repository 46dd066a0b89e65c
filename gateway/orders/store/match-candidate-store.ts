/** Holds the queries for payments to which entries on an account may belong. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { isPartnerPayment, type PartnerPayment, type Payment } from '../payment.ts'
import { PAYMENT_COLUMNS, paymentOf, paymentTables } from './payment-store.ts'

/** More candidates than some hundred entries can have. */
const ROWS_MAX = 5_000

/** An account at a bank with all numbers under which payments from it are stored. */
export type DebtorAccountNumbers = Pick<Payment, 'partnerId' | 'bic'> & { readonly numbers: readonly string[] }

/** Returns live payments from an account with one of these amounts, in minor units, and a due date in the range. */
export async function listMatchCandidates(
  database: Database<unknown>,
  account: DebtorAccountNumbers,
  criteria: { readonly amounts: readonly bigint[]; readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate },
): Promise<readonly PartnerPayment[]> {
  const rows = await paymentTables(database)
    .selectFrom('payments')
    .select(PAYMENT_COLUMNS)
    .where('partner_id', '=', account.partnerId)
    .where('bic', '=', account.bic)
    .where('debtor_bban', 'in', [...account.numbers])
    .where(sql<boolean>`amount_minor = any(${criteria.amounts.map(String)}::bigint[])`)
    .where(sql<boolean>`due_date between ${criteria.from.toString()}::date and ${criteria.to.toString()}::date`)
    .where('status', 'not in', ['Rejected', 'Cancelled'])
    .where('outcome', '<>', 'void')
    .where('payroll_id', 'is', null)
    .orderBy('due_date')
    .orderBy('id')
    .limit(ROWS_MAX)
    .execute()
  return rows.map(paymentOf).filter(isPartnerPayment)
}

/** Returns the debtor numbers of a partner's payments at a bank, with one index lookup for each. */
export async function listDebtorNumbers(
  database: Database<unknown>,
  { partnerId, bic }: Pick<Payment, 'partnerId' | 'bic'>,
): Promise<readonly string[]> {
  const { rows } = await sql<{ number: string }>`
    with recursive numbers(number) as (
      (select min(debtor_bban) from payments where partner_id = ${partnerId} and bic = ${bic})
      union all
      select (select min(debtor_bban) from payments
              where partner_id = ${partnerId} and bic = ${bic} and debtor_bban > number)
      from numbers where number is not null)
    select number from numbers where number is not null`.execute(database.query)
  return rows.map(({ number }) => number)
}
