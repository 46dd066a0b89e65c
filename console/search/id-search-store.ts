/** Finds by an exact id what a user may see, of every kind: each kind is one step in an index. */
import { type RawBuilder, sql } from 'kysely'
import { findPartnerById } from '../../gateway/auth/list-partners.ts'
import { listCallsOfRequest } from '../../gateway/banks/calls/list-bank-calls.ts'
import type { Context } from '../../gateway/context.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { partnerListFilter } from '../../gateway/platform/database/sql-fragments.ts'
import type { ConsolePermission } from '../access/console-role.ts'
import { RECORD_LISTS } from '../records/record-lists.ts'

/** The kinds of what is found. A reference is an id that a bank or a partner has given to a payment or payroll. */
export type HitKind =
  | (typeof RECORD_LISTS)[number]['name']
  | 'payments'
  | 'references'
  | 'payrollReferences'
  | 'bankCalls'
  | 'requests'
  | 'events'
  | 'deliveries'
  | 'subscriptions'
  | 'tasks'

/** `id` is that of the page; `parent` is the subscription of a delivery, or the request of a call; `detail` is what the id was found as. */
export type IdHit = {
  readonly kind: HitKind
  readonly id: string
  readonly parent: string | null
  readonly detail: string
  readonly partnerName: string
}

export type IdSearch = {
  /** Null for operators. */
  readonly partnerId: string | null
  readonly permits: (permission: ConsolePermission) => boolean
  /** The text is looked up as it was entered where ids have any form, and as a UUID where it is one. */
  readonly text: string
  readonly id: string | undefined
}

/** Of each kind and partner. */
const HITS_MAX = 10

export async function findById(database: Queryable, search: IdSearch): Promise<readonly IdHit[]> {
  const kinds = [...referenceQueries(search), ...(search.id === undefined ? [] : idQueries(search, search.id))]
  if (kinds.length === 0) {
    return []
  }
  const { rows } = await sql<IdHit>`
    select o.name as "partnerName", f.* from partners o, lateral (${sql.join(kinds, sql` union all `)}) f
    where ${partnerListFilter(search.partnerId)} limit ${kinds.length * HITS_MAX}`.execute(database.query)
  return rows
}

/** The payments of a call to a bank, by its `X-Request-ID`. */
export async function findByBankRequest(
  context: Context,
  { partnerId, permits, id }: IdSearch,
): Promise<readonly IdHit[]> {
  if (id === undefined || !permits('payments.read')) {
    return []
  }
  const calls = await listCallsOfRequest(context.database, { requestId: id, partnerId }, HITS_MAX)
  return await Promise.all(
    calls.map(async ({ partnerId: ofPartner, paymentId, operation }) => ({
      kind: 'bankCalls' as const,
      id: paymentId,
      parent: id,
      detail: operation,
      partnerName: (await findPartnerById(context, ofPartner))?.name ?? '',
    })),
  )
}

type Hit = { readonly kind: HitKind; readonly id?: RawBuilder<unknown>; readonly parent?: RawBuilder<unknown> }

/** One kind, as a part of the union. `from` is the table with its conditions. */
function hits({ kind, id = sql`id`, parent = sql`null` }: Hit, detail: RawBuilder<unknown>, from: RawBuilder<unknown>) {
  return sql`(select ${kind}::text as kind, ${id}::text as id, ${parent}::text as parent, ${detail}::text as detail
    ${from} limit ${HITS_MAX})`
}

/** Ids of any form: of payments those of the partner and of the bank, of payrolls those of its transactions. */
function referenceQueries({ permits, text }: IdSearch): readonly RawBuilder<unknown>[] {
  // The index on endToEndIds stores the partner's id as text (decision 0085).
  const byPartner = sql`from payments where end_to_end_id = ${text} and partner_id::text = o.id::text`
  const byBank = sql`from banks b join payments p
    on p.partner_id = o.id and p.bic = b.bic and p.bank_payment_id = ${text}`
  return [
    ...(permits('payments.read')
      ? [
          hits(
            { kind: 'references' },
            sql`end_to_end_id`,
            sql`${byPartner} and payroll_id is null order by created_at desc`,
          ),
          hits({ kind: 'references', id: sql`p.id` }, sql`p.end_to_end_id`, sql`${byBank} and p.payroll_id is null`),
        ]
      : []),
    ...(permits('payroll.read')
      ? [
          hits(
            { kind: 'payrollReferences', id: sql`payroll_id` },
            sql`''`,
            sql`from (select distinct payroll_id from (
              select payroll_id from payroll_transactions
              where partner_id = o.id and end_to_end_id = ${text} limit ${HITS_MAX}) t
            union select p.payroll_id ${byBank} and p.payroll_id is not null) r`,
          ),
        ]
      : []),
  ]
}

function idQueries({ permits }: IdSearch, uuid: string): readonly RawBuilder<unknown>[] {
  const own = (table: string) => sql`from ${sql.table(table)} where partner_id = o.id and id = ${uuid}::uuid`
  const lists = RECORD_LISTS.filter(({ permission }) => permits(permission)).map(({ name, table, where }) =>
    hits({ kind: name }, sql`''`, sql`${own(table)} and ${where}`),
  )
  return [
    ...lists,
    ...(permits('payments.read')
      ? [hits({ kind: 'payments' }, sql`end_to_end_id`, sql`${own('payments')} and payroll_id is null`)]
      : []),
    ...(permits('developer.read') ? developerQueries(own, permits('payroll.read'), uuid) : []),
    ...(permits('operations.read') ? [hits({ kind: 'tasks' }, sql`kind`, own('operator_tasks'))] : []),
  ]
}

/** Requests that held salaries are seen with the payroll right only. */
function developerQueries(
  own: (table: string) => RawBuilder<unknown>,
  payrolls: boolean,
  uuid: string,
): readonly RawBuilder<unknown>[] {
  return [
    hits(
      { kind: 'requests' },
      sql`method || ' ' || path`,
      sql`${own('request_log')} and (${payrolls} or not is_payroll)`,
    ),
    hits({ kind: 'events' }, sql`type`, own('events')),
    hits({ kind: 'subscriptions' }, sql`''`, own('webhook_subscriptions')),
    hits(
      { kind: 'deliveries', id: sql`d.id`, parent: sql`s.id` },
      sql`d.event_type`,
      sql`from webhook_subscriptions s join webhook_deliveries d
        on d.partner_id = s.partner_id and d.subscription_id = s.id and d.id = ${uuid}::uuid
      where s.partner_id = o.id`,
    ),
  ]
}
