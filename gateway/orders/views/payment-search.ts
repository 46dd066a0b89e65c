/** Searches payments for operators and partners' users, also by what no index has: accounts, amounts, names and signatures. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import {
  type CreatedFilter,
  isCreatedWithin,
  type ListPosition,
  newestFirst,
  newestRowsQuery,
  PARTNERS,
  partnerListFilter,
  readableOfEachPartner,
} from '../../partners/partner-rows.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { currenciesByScale } from '../../platform/money.ts'
import type { Payment } from '../payment.ts'
import { hasEndToEndIdOfPartner, PAYMENT_ROWS } from './order-rows.ts'

/** A payment as the list shows it. */
export type ListedPayment = Pick<
  Payment,
  'bic' | 'id' | 'createdAt' | 'organisationNumber' | 'endToEndId' | 'status'
> & {
  readonly partnerName: string
  readonly isOutcomeUnknown: boolean
  readonly dueDate: string
  readonly creditorName: string | null
  /** As the partner ordered it: of a payment with exchange, what the creditor receives. */
  readonly amount: string
  readonly currency: string
}

/** Both ends are included, as decimals such as `1250.00`. */
export type AmountRange = { readonly from: string; readonly to: string }

export type PaymentFilter = Partial<CreatedFilter> & {
  readonly search?: { readonly id: string } | { readonly endToEndId: string } | undefined
  readonly status?: PaymentStatusValue | undefined
  /** Whether all known signatures were given. */
  readonly signed?: boolean | undefined
  readonly organisationNumber?: string | undefined
  readonly currency?: string | undefined
  /** The last characters of the debtor's or the creditor's account number. */
  readonly accountEnding?: string | undefined
  readonly amount?: AmountRange | undefined
  /** A part of the creditor's name. */
  readonly creditorName?: string | undefined
}

/**
 * How many payments a page may scan, those of all partners together; indexes would cost every initiation
 * (docs/decisions/0107-payment-search.md).
 */
export const SCANNED_MAX = 10_000
/** Of each of many partners. */
const SCANNED_MIN = 200

/** `next` is where the next page begins: after a full one, or where the scan of this one ended. */
export type PaymentPage = {
  readonly rows: readonly ListedPayment[]
  readonly next: { readonly after: ListPosition; readonly isFull: boolean } | undefined
}

/** A page, newest first; null is every partner. */
export async function searchPayments(
  database: Queryable,
  partnerId: string | null,
  filter: PaymentFilter,
  limit: number,
): Promise<PaymentPage> {
  const conditions = unindexedConditions(filter)
  if (conditions.length > 0) {
    return await scanPage(database, partnerId, { filter, conditions, limit })
  }
  const query = paymentListQuery(partnerId, indexedConditions(filter), limit + 1)
  const found = (await query.execute(database.query)).rows
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
  const each = await readableOfEachPartner(database, partnerId, { max: SCANNED_MAX, min: SCANNED_MIN })
  const { rows } = await paymentScanQuery(partnerId, scan, each).execute(database.query)
  // Older ones may follow payments of this partner that were not scanned.
  const end = rows.findIndex(({ isLast }) => isLast)
  const found = rows.slice(0, end < 0 ? rows.length : end + 1).filter(({ matches }) => matches)
  const shown = found.slice(0, scan.limit)
  const isFull = found.length > scan.limit
  const after = isFull ? shown.at(-1) : rows[end]
  const isShown = sql<SqlBool>`id = any(${shown.map(({ id }) => id)}::uuid[])`
  return {
    rows:
      shown.length === 0
        ? []
        : (await paymentListQuery(partnerId, [isShown], shown.length).execute(database.query)).rows,
    next: after && { after: { createdAt: after.createdAt, id: after.id }, isFull },
  }
}

/** Exported for the test of its plan. */
export function paymentListQuery(
  partnerId: string | null,
  conditions: readonly RawBuilder<SqlBool>[],
  limit: number,
): RawBuilder<ListedPayment> {
  return newestRowsQuery<ListedPayment>(
    sql`o.name as "partnerName", t.bic, t.id, t.created_at as "createdAt",
      t.organisation_number as "organisationNumber", t.end_to_end_id as "endToEndId", t.status,
      t.outcome in ('in-flight', 'unknown') as "isOutcomeUnknown", t.due_date::text as "dueDate",
      t.ordered::json -> 'to' -> 'contactInformation' ->> 'name' as "creditorName",
      t.ordered::json -> 'amount' ->> 'amount' as amount, t.ordered::json -> 'amount' ->> 'currency' as currency`,
    newestPayments(conditions, limit),
    { partnerId, limit },
  )
}

const newestPayments = (conditions: readonly RawBuilder<SqlBool>[], limit: number) => sql`
  select * from payments where partner_id = o.id and ${sql.join(conditions, sql` and `)} ${newestFirst(limit)}`

/** Exported for the test of its plan. */
export function paymentScanQuery(
  partnerId: string | null,
  { filter, conditions, limit }: Scan,
  each: number,
): RawBuilder<Scanned> {
  return sql<Scanned>`
    select w.id, w.created_at as "createdAt", w.matches, w.n = ${each} as "isLast"
    from ${PARTNERS}, lateral (
      select s.*, sum(s.matches::int) over (order by s.n) as found from (
        select id, created_at, coalesce(${sql.join(conditions, sql` and `)}, false) as matches,
          row_number() over (order by created_at desc, id desc) as n
        from (${newestPayments(indexedConditions(filter), each)}) p) s) w
    where ${partnerListFilter(partnerId)} and ((w.matches and w.found <= ${limit + 1}) or w.n = ${each})
    order by w.created_at desc, w.id desc`
}

/** Most payments have it: the index of statuses leaves it out. */
const UNINDEXED_STATUS = 'Completed'

/** The conditions that an index serves, whatever is stored. */
export function indexedConditions(filter: PaymentFilter): readonly RawBuilder<SqlBool>[] {
  const { search, status, organisationNumber, createdFrom, createdBefore, after } = filter
  return [
    sql<SqlBool>`${PAYMENT_ROWS.where}`,
    ...(search === undefined
      ? []
      : ['id' in search ? sql<SqlBool>`id = ${search.id}::uuid` : hasEndToEndIdOfPartner(search.endToEndId)]),
    ...(status === undefined || status === UNINDEXED_STATUS ? [] : [sql<SqlBool>`status = ${sql.lit(status)}`]),
    ...(organisationNumber === undefined ? [] : [sql<SqlBool>`organisation_number = ${organisationNumber}`]),
    isCreatedWithin({ createdFrom, createdBefore, after }),
  ]
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

/** Creditors abroad, and those of an exchange, are in the order only: as the partner wrote them, often as printed. */
function hasAccountEnding(ending: string): RawBuilder<SqlBool> {
  const ends = (account: RawBuilder<unknown>) => sql`right(${account}, ${ending.length}) = ${ending}`
  const ordered = (form: 'iban' | 'bban') =>
    ends(sql`upper(regexp_replace(ordered::json #>> '{to,account,${sql.raw(form)}}', '[^[:alnum:]]', '', 'g'))`)
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
