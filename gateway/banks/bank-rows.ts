/** Parts of statements of other modules: the BICs of all banks, and the version of the calls for a payment. */
import { sql } from 'kysely'

/** The banks, called `b`, with their BICs. */
export const BANKS = sql`(select bic from banks) b`

/** The version of the calls for the payment `p`. */
export const BANK_CALLS_VERSION = sql`(
  select c.id from bank_calls c
  where c.partner_id = p.partner_id and c.payment_id = p.id order by c.id desc limit 1)`
