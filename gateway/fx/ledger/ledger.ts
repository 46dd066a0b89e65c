/** The append-only ledger of exchanges: posts entries, lists them, and checks that it balances. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { columnsOf, rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import {
  type LedgerDiscrepancy,
  type LedgerEvent,
  type LedgerLine,
  netLines,
  TRANSIENT_ACCOUNTS,
  unbalancedCurrencies,
} from './ledger-lines.ts'

/** A line of an event that was posted. */
export type PostedLine = LedgerLine & { readonly event: LedgerEvent; readonly at: Temporal.Instant }

type Tables = { fx_ledger_lines: TableOf<PostedLine & { readonly partnerId: string; readonly entryId: string }> }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** The lines of one event; written all or none. */
export type LedgerEntry = {
  readonly partnerId: string
  readonly event: LedgerEvent
  readonly at: Temporal.Instant
  readonly lines: readonly LedgerLine[]
}

/**
 * Nets the lines and stores them. Throws when they do not balance, which is a bug of ours, and when the event was posted to
 * one of the subjects before.
 */
export async function postLedgerEntry(database: Queryable, { lines, ...entry }: LedgerEntry): Promise<void> {
  const posted = netLines(lines)
  const unbalanced = unbalancedCurrencies(posted)
  if (unbalanced.length > 0) {
    throw new Error(`The ledger entry for "${entry.event}" does not balance in ${unbalanced.join(', ')}`)
  }
  if (posted.length > 0) {
    const entryId = newId()
    await tables(database)
      .insertInto('fx_ledger_lines')
      .values(posted.map((line) => rowOf({ ...line, ...entry, entryId })))
      .execute()
  }
}

/** The lines of a deal or receipt, in order of posting. */
export async function listLedgerLines(
  database: Queryable,
  { partnerId, subjectId }: { readonly partnerId: string; readonly subjectId: string },
): Promise<readonly PostedLine[]> {
  return await tables(database)
    .selectFrom('fx_ledger_lines')
    .select(columnsOf('subjectId', 'event', 'account', 'currency', 'minor', 'at'))
    .where('partner_id', '=', partnerId)
    .where('subject_id', '=', subjectId)
    .orderBy('at')
    .orderBy('entry_id')
    .orderBy('account')
    .execute()
}

/** The discrepancies; empty when the ledger is consistent. Each check scans whole tables, so they follow each other. */
export async function checkLedger({ query }: Queryable): Promise<readonly LedgerDiscrepancy[]> {
  const found: LedgerDiscrepancy[] = []
  for (const check of CHECKS) {
    found.push(...(await check.execute(query)).rows)
  }
  return found
}

const CHECKS: readonly RawBuilder<LedgerDiscrepancy>[] = [
  // Entries whose lines do not sum up to zero in a currency.
  sql<LedgerDiscrepancy>`
    select partner_id as "partnerId", entry_id as id, 'the entry does not balance' as what, currency,
      sum(minor)::bigint as minor
    from fx_ledger_lines group by partner_id, entry_id, currency having sum(minor) <> 0
    order by entry_id, currency`,
  // Accounts of closed deals and receipts that are not at zero.
  sql<LedgerDiscrepancy>`
    select p.partner_id as "partnerId", p.subject_id as id, 'closed, and ' || p.account || ' is not at zero' as what,
      p.currency, sum(p.minor)::bigint as minor
    from fx_ledger_lines p
    where p.account = any(${TRANSIENT_ACCOUNTS}::text[]) and (
      exists (select from fx_deals d where d.partner_id = p.partner_id and d.id = p.subject_id
        and d.state in ('failed', 'cancelled', 'paid', 'refunded'))
      or exists (select from fx_inbound_funds r where r.partner_id = p.partner_id and r.id = p.subject_id
        and r.state in ('used', 'returned')))
    group by p.partner_id, p.subject_id, p.account, p.currency having sum(p.minor) <> 0
    order by p.subject_id, p.account, p.currency`,
  // Deals and receipts whose postings do not match their state.
  sql<LedgerDiscrepancy>`
    with said as (
      select partner_id, subject_id, array_agg(distinct event order by event) as events
      from fx_ledger_lines group by partner_id, subject_id),
    stated as (
      select partner_id, id, 'deal' as kind, state, cost_currency as currency, cost_minor as minor from fx_deals
      union all
      select partner_id, id, 'receipt', state, currency, minor from fx_inbound_funds)
    select stated.partner_id as "partnerId", id, kind || ' is ' || state || ', and the ledger says ' ||
      coalesce(array_to_string(events, ', '), 'nothing') as what, currency, minor
    from stated left join said on said.subject_id = stated.id and said.partner_id = stated.partner_id
    where coalesce(array_to_string(events, ','), '') <> all (case kind || ' ' || state
      when 'deal booking' then array[''] when 'deal failed' then array['']
      when 'deal booked' then array['booked'] when 'deal confirmed' then array['booked']
      when 'deal cancelling' then array['booked'] when 'deal cancelled' then array['booked,cancelled']
      when 'deal funded' then array['booked,funded'] when 'deal paying' then array['booked,funded']
      when 'deal paid' then array['booked,funded,paid']
      when 'deal returned' then array['booked,came-back,funded', 'booked,came-back,funded,paid']
      -- Of what did not come back at all, nothing is given back.
      when 'deal refunded' then array['booked,came-back,funded,refunded', 'booked,came-back,funded,paid,refunded',
        'booked,came-back,funded', 'booked,came-back,funded,paid']
      when 'receipt arrived' then array['arrived'] when 'receipt held' then array['arrived']
      when 'receipt returning' then array['arrived'] when 'receipt used' then array['arrived,funded']
      else array['arrived,sent-back'] end)
    order by id`,
  // Lines without a deal or receipt.
  sql<LedgerDiscrepancy>`
    select p.partner_id as "partnerId", p.subject_id as id, 'there is no such deal or receipt' as what, p.currency,
      sum(p.minor)::bigint as minor
    from fx_ledger_lines p
    where not exists (select from fx_deals d where d.partner_id = p.partner_id and d.id = p.subject_id)
      and not exists (select from fx_inbound_funds r where r.partner_id = p.partner_id and r.id = p.subject_id)
    group by p.partner_id, p.subject_id, p.currency
    order by p.subject_id`,
]
