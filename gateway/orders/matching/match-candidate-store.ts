/** The query that finds the payments which entries on an account may belong to. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { isPartners, type PartnersPayment, type Payment } from '../payment.ts'
import { PAYMENT, paymentOf, paymentTables } from '../payment-store.ts'

/** Of some hundred entries there are no more payments alike than this. */
const ROWS_MAX = 5_000

/** An account at a bank by every number under which payments from it are kept. */
export type Account = Pick<Payment, 'partnerId' | 'bic'> & { readonly numbers: readonly string[] }

/** Payments from an account of one of these amounts, in minor units, that are due between two days and may have been made. */
export async function listDebitable(
  database: Database<unknown>,
  account: Account,
  asked: { readonly amounts: readonly bigint[]; readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate },
): Promise<readonly PartnersPayment[]> {
  const rows = await paymentTables(database)
    .selectFrom('payments')
    .select(PAYMENT)
    .where('partner_id', '=', account.partnerId)
    .where('bic', '=', account.bic)
    .where('debtor_bban', 'in', [...account.numbers])
    .where(sql<boolean>`amount_minor = any(${asked.amounts.map(String)}::bigint[])`)
    .where(sql<boolean>`due_date between ${asked.from.toString()}::date and ${asked.to.toString()}::date`)
    .where('status', 'not in', ['Rejected', 'Cancelled'])
    .where('outcome', '<>', 'void')
    .where('payroll_id', 'is', null)
    .orderBy('due_date')
    .orderBy('id')
    .limit(ROWS_MAX)
    .execute()
  return rows.map(paymentOf).filter(isPartners)
}

/** The numbers from which a partner's payments at a bank are made: a step down the index for each. */
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
