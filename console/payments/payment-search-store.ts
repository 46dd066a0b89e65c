/** Reads pages of the list of payments, also by what no index has: accounts, amounts, currencies and signatures. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { partnerListFilter } from '../../gateway/platform/database/sql-fragments.ts'
import { currenciesByScale } from '../../gateway/platform/money.ts'
import type { ListPosition } from '../markup/list-position.ts'
import type { PaymentFilter } from './payment-filter.ts'
import {
  indexedConditions,
  listPaymentsById,
  listPaymentsForConsole,
  type PaymentRow,
  UNINDEXED_STATUS,
} from './payment-list-store.ts'
import type { AmountRange } from './payment-search-terms.ts'

/**
 * How many payments a page may scan, those of all partners together; indexes would cost every initiation
 * (docs/decisions/0107-payment-search.md).
 */
export const SCANNED_MAX = 10_000
/** Of each of many partners. */
const SCANNED_MIN = 200

/** `next` is where the next page begins: after a full one, or where the scan of this one ended. */
export type PaymentPage = {
  readonly rows: readonly PaymentRow[]
  readonly next: { readonly after: ListPosition; readonly isFull: boolean } | undefined
}

export async function readPaymentPage(
  database: Queryable,
  partnerId: string | null,
  filter: PaymentFilter,
  limit: number,
): Promise<PaymentPage> {
  const conditions = unindexedConditions(filter)
  if (conditions.length > 0) {
    return await scanPage(database, partnerId, { filter, conditions, limit })
  }
  const found = await listPaymentsForConsole(database, partnerId, filter, limit + 1)
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, next: last && { after: last, isFull: true } }
}

type Scan = {
  readonly filter: PaymentFilter
  readonly conditions: readonly RawBuilder<SqlBool>[]
  readonly limit: number
}

/** A payment that matches, or the last one that was scanned of a partner who has more. */
type Scanned = ListPosition & { readonly matches: boolean; readonly isLast: boolean }

async function scanPage(database: Queryable, partnerId: string | null, scan: Scan): Promise<PaymentPage> {
  const partners = await sql<{ count: number }>`
    select count(*)::int as count from partners o where ${partnerListFilter(partnerId)}`.execute(database.query)
  const each = Math.max(SCANNED_MIN, Math.floor(SCANNED_MAX / Math.max(1, partners.rows[0]?.count ?? 1)))
  const { rows } = await paymentScanQuery(partnerId, scan, each).execute(database.query)
  // Older ones may follow payments of this partner that were not scanned.
  const end = rows.findIndex(({ isLast }) => isLast)
  const found = rows.slice(0, end < 0 ? rows.length : end + 1).filter(({ matches }) => matches)
  const shown = found.slice(0, scan.limit)
  const [last, ended] = [shown.at(-1), rows[end]]
  const isFull = found.length > scan.limit
  const after = isFull ? last : ended
  return {
    rows: shown.length === 0 ? [] : await listPaymentsById(database, partnerId, idsOf(shown)),
    next: after && { after: { createdAt: after.createdAt, id: after.id }, isFull },
  }
}

const idsOf = (rows: readonly ListPosition[]) => rows.map(({ id }) => id)

/** Exported for the test of its plan. */
export function paymentScanQuery(
  partnerId: string | null,
  { filter, conditions, limit }: Scan,
  each: number,
): RawBuilder<Scanned> {
  return sql<Scanned>`
    select w.id, w.created_at as "createdAt", w.matches, w.n = ${each} as "isLast"
    from partners o, lateral (
      select s.*, sum(s.matches::int) over (order by s.n) as found from (
        select id, created_at, coalesce(${sql.join(conditions, sql` and `)}, false) as matches,
          row_number() over (order by created_at desc, id desc) as n
        from (
          select * from payments where partner_id = o.id and ${sql.join(indexedConditions(filter), sql` and `)}
          order by created_at desc, id desc limit ${each}) p) s) w
    where ${partnerListFilter(partnerId)} and ((w.matches and w.found <= ${limit + 1}) or w.n = ${each})
    order by w.created_at desc, w.id desc`
}

/** The conditions that no index serves. */
export function unindexedConditions(filter: PaymentFilter): readonly RawBuilder<SqlBool>[] {
  const { status, signed, currency, accountEnding, amount, creditorName } = filter
  return [
    ...(status === UNINDEXED_STATUS ? [sql<SqlBool>`status = ${UNINDEXED_STATUS}`] : []),
    ...(signed === undefined ? [] : [sql<SqlBool>`signed = ${signed}`]),
    ...(accountEnding === undefined ? [] : [hasAccountEnding(accountEnding)]),
    ...(creditorName === undefined ? [] : [hasNamePart(creditorName)]),
    ...(amount === undefined
      ? currency === undefined
        ? []
        : [sql<SqlBool>`currency = ${currency}`]
      : [hasAmount(amount, currency)]),
  ]
}

/** Whatever the case, and with or without diacritics. */
function hasNamePart(part: string): RawBuilder<SqlBool> {
  const folded = (text: RawBuilder<unknown>) => sql`translate(lower(${text}), 'åäàáâæöøóèéêüñ', 'aaaaaaoooeeeun')`
  const name = sql`ordered::json #>> '{to,contactInformation,name}'`
  return sql<SqlBool>`position(${folded(sql`${part}::text`)} in ${folded(name)}) > 0`
}

/** Creditors abroad, and those of an exchange, are in the order only. */
function hasAccountEnding(ending: string): RawBuilder<SqlBool> {
  const ends = (account: RawBuilder<unknown>) => sql`right(${account}, ${ending.length}) = ${ending}`
  const ordered = (form: 'iban' | 'bban') => ends(sql`ordered::json #>> '{to,account,${sql.raw(form)}}'`)
  return sql<SqlBool>`(${ends(sql`debtor_bban`)} or ${ends(sql`creditor_bban`)}
    or (type = 'CrossBorder' and (${ordered('iban')} or ${ordered('bban')})))`
}

/** What the debtor pays or, of a payment with exchange, what the creditor receives. */
function hasAmount({ from, to }: AmountRange, currency: string | undefined): RawBuilder<SqlBool> {
  const scales = [...currenciesByScale()].map(
    ([scale, currencies]) => sql`when currency = any(${[...currencies]}::text[]) then ${10 ** scale}::numeric`,
  )
  const isIn = (value: RawBuilder<unknown>) => sql`${value} between ${from}::numeric and ${to}::numeric`
  const of = (column: RawBuilder<unknown>) => (currency === undefined ? sql`` : sql`and ${column} = ${currency}`)
  const paid = sql`amount_minor / case ${sql.join(scales, sql` `)} end`
  const received = sql`(ordered::json #>> '{amount,amount}')::numeric`
  return sql<SqlBool>`((${isIn(paid)} ${of(sql`currency`)})
    or (exchange is not null and ${isIn(received)} ${of(sql`ordered::json #>> '{amount,currency}'`)}))`
}
