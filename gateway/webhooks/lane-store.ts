/** The statements that find where there is work: whose deliveries are ready, and for which origins. */
import type { Database } from '../foundation/database/database.ts'

// Statements here have no names: a plan that was made while the table was nearly empty would be kept while it fills.

/** What waits for one origin on behalf of one partner. */
export type Lane = { readonly partnerId: string; readonly origin: string }

/** Whatever is leased is passed over: no more than workers hold. */
const IS_FREE = 'ready and (lease_until is null or lease_until < statement_timestamp())'

/**
 * Partners behind one, in order, of whom something waits for a worker. Each costs one step down the index of what is
 * ready; only that index has the order asked for here, lest another be taken that holds what is done, too.
 */
export async function partnersWithWork(
  { pool }: Database<unknown>,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ partnerId: string }>({
    text: `
      with recursive partners as (
        (select partner_id from webhook_deliveries where ${IS_FREE} and partner_id > $1::uuid
         order by partner_id, origin limit 1)
        union all
        select next.partner_id from partners p, lateral (
          select partner_id from webhook_deliveries where ${IS_FREE} and partner_id > p.partner_id
          order by partner_id, origin limit 1) next)
      select partner_id as "partnerId" from partners limit $2`,
    values: [after, limit],
  })
  return rows.map(({ partnerId }) => partnerId)
}

/** Each partner's lanes behind an origin of its own in which something waits for a worker, in order, `limit` of each. */
export async function lanesWithWork(
  { pool }: Database<unknown>,
  behind: readonly Lane[],
  limit: number,
): Promise<readonly Lane[]> {
  const { rows } = await pool.query<Lane>({
    text: `
      select p.partner_id as "partnerId", l.origin
      from unnest($1::uuid[], $2::text[]) as p(partner_id, after), lateral (
        with recursive lanes as (
          (select origin from webhook_deliveries
           where ${IS_FREE} and partner_id = p.partner_id and origin > p.after order by origin limit 1)
          union all
          select next.origin from lanes l, lateral (
            select origin from webhook_deliveries
            where ${IS_FREE} and partner_id = p.partner_id and origin > l.origin order by origin limit 1) next)
        select origin from lanes limit $3) l`,
    values: [behind.map(({ partnerId }) => partnerId), behind.map(({ origin }) => origin), limit],
  })
  return rows
}
