/** The append-only ledger of exchanges: posts entries, lists them, and checks that it balances. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { columnsOf, rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { CLOSED_STATES } from '../store/deal.ts'
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

type PageKey = { readonly partnerId: string; readonly id: string }

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
/** So few that no statement takes long, however large the ledger is. */
const ROWS_PER_PAGE = 10_000

/** The discrepancies; empty when the ledger is consistent. What is compared with each other is read by one statement. */
export async function checkLedger(
  { query }: Queryable,
  rowsPerPage = ROWS_PER_PAGE,
): Promise<readonly LedgerDiscrepancy[]> {
  const found: LedgerDiscrepancy[] = []
  for (const { table, key, find } of CHECKS) {
    const columns = sql`partner_id, ${sql.ref(key)}`
    let after: PageKey | undefined = { partnerId: BEFORE_ALL, id: BEFORE_ALL }
    while (after !== undefined) {
      const isAfter: RawBuilder<boolean> = sql`(${columns}) > (${after.partnerId}::uuid, ${after.id}::uuid)`
      const last: PageKey | undefined = (
        await sql<PageKey>`
          select partner_id as "partnerId", ${sql.ref(key)} as id from ${sql.table(table)} where ${isAfter}
          order by ${columns} offset ${rowsPerPage - 1} limit 1`.execute(query)
      ).rows[0]
      const isWithin: RawBuilder<boolean> =
        last === undefined ? isAfter : sql`${isAfter} and (${columns}) <= (${last.partnerId}::uuid, ${last.id}::uuid)`
      found.push(...(await find(isWithin).execute(query)).rows)
      after = last
    }
  }
  return found
}

/** A check of whole entries, deals or receipts, in pages of the rows of a table by their key. */
type LedgerCheck = {
  readonly table: 'fx_ledger_lines' | 'fx_deals' | 'fx_inbound_funds'
  readonly key: 'entry_id' | 'subject_id' | 'id'
  readonly find: (isWithin: RawBuilder<boolean>) => RawBuilder<LedgerDiscrepancy>
}

const CHECKS: readonly LedgerCheck[] = [
  {
    // Entries whose lines do not sum up to zero in a currency.
    table: 'fx_ledger_lines',
    key: 'entry_id',
    find: (isWithin) => sql<LedgerDiscrepancy>`
      select partner_id as "partnerId", entry_id as id, 'the entry does not balance' as what, currency,
        sum(minor)::bigint as minor
      from fx_ledger_lines where ${isWithin} group by partner_id, entry_id, currency having sum(minor) <> 0
      order by entry_id, currency`,
  },
  {
    // Accounts of closed deals and receipts that are not at zero.
    table: 'fx_ledger_lines',
    key: 'subject_id',
    find: (isWithin) => sql<LedgerDiscrepancy>`
      select p.partner_id as "partnerId", p.subject_id as id, 'closed, and ' || p.account || ' is not at zero' as what,
        p.currency, p.minor
      from (select partner_id, subject_id, account, currency, sum(minor)::bigint as minor from fx_ledger_lines
        where ${isWithin} and account = any(${TRANSIENT_ACCOUNTS}::text[])
        group by partner_id, subject_id, account, currency having sum(minor) <> 0) p
      where exists (select from fx_deals d where d.partner_id = p.partner_id and d.id = p.subject_id
          and d.state = any(${CLOSED_STATES}::text[]))
        or exists (select from fx_inbound_funds r where r.partner_id = p.partner_id and r.id = p.subject_id
          and r.state in ('used', 'returned'))
      order by p.subject_id, p.account, p.currency`,
  },
  {
    table: 'fx_deals',
    key: 'id',
    find: (isWithin) =>
      findStateDiscrepancies(sql`
        select partner_id, id, 'deal' as kind, state, cost_currency as currency, cost_minor as minor from fx_deals
        where ${isWithin}`),
  },
  {
    table: 'fx_inbound_funds',
    key: 'id',
    find: (isWithin) =>
      findStateDiscrepancies(sql`
        select partner_id, id, 'receipt' as kind, state, currency, minor from fx_inbound_funds where ${isWithin}`),
  },
  {
    // Lines without a deal or receipt.
    table: 'fx_ledger_lines',
    key: 'subject_id',
    find: (isWithin) => sql<LedgerDiscrepancy>`
      select p.partner_id as "partnerId", p.subject_id as id, 'there is no such deal or receipt' as what, p.currency,
        p.minor
      from (select partner_id, subject_id, currency, sum(minor)::bigint as minor from fx_ledger_lines
        where ${isWithin} group by partner_id, subject_id, currency) p
      where not exists (select from fx_deals d where d.partner_id = p.partner_id and d.id = p.subject_id)
        and not exists (select from fx_inbound_funds r where r.partner_id = p.partner_id and r.id = p.subject_id)
      order by p.subject_id`,
  },
]

/** Deals or receipts whose postings do not match their state. */
function findStateDiscrepancies(stated: RawBuilder<unknown>): RawBuilder<LedgerDiscrepancy> {
  return sql<LedgerDiscrepancy>`
    select stated.partner_id as "partnerId", id, kind || ' is ' || state || ', and the ledger says ' ||
      coalesce(array_to_string(events, ', '), 'nothing') as what, currency, minor
    from (${stated}) stated cross join lateral (
      select array_agg(distinct event order by event) as events from fx_ledger_lines l
      where l.partner_id = stated.partner_id and l.subject_id = stated.id) posted
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
    order by id`
}
