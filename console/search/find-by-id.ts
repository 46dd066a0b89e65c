/** Finds by an exact id what a user may see, of every kind: each kind is one step in an index. */
import { type RawBuilder, sql } from 'kysely'
import { findPartnerById } from '../../gateway/auth/list-partners.ts'
import { listCallsOfRequest } from '../../gateway/banks/calls/list-bank-calls.ts'
import type { Context } from '../../gateway/context.ts'
import { TASK_ROWS } from '../../gateway/operators/tasks-of-subject.ts'
import { PAYMENT_ROWS, paymentReferences, payrollReferences } from '../../gateway/orders/views/order-rows.ts'
import { PARTNERS, type PartnerRows, partnerListFilter, rowWithId } from '../../gateway/partners/partner-rows.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { requestRows } from '../../gateway/request-log/request-figures.ts'
import { deliveryWithId, EVENT_ROWS, SUBSCRIPTION_ROWS } from '../../gateway/webhooks/webhook-rows.ts'
import type { ConsolePermission } from '../access/console-role.ts'
import { RECORD_LISTS, type RecordListName } from '../records/record-lists.ts'

/** The kinds of what is found. A reference is an id that a bank or a partner has given to a payment or payroll. */
export type HitKind =
  | RecordListName
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

type IdSearch = {
  /** Null for operators. */
  readonly partnerId: string | null
  readonly permits: (permission: ConsolePermission) => boolean
  /** The text is looked up as it was entered where ids have any form, and as a UUID where it is one. */
  readonly text: string
  readonly id: string | undefined
}

/** Of each kind and partner. */
const HITS_MAX = 10

/** A kind, the right to see it, and the query of its `id` and `label` in the rows of a partner. */
type Searched = readonly [HitKind, ConsolePermission, RawBuilder<unknown>]

export async function findById({ query }: Queryable, search: IdSearch): Promise<readonly IdHit[]> {
  const searched = [...searchedByText(search), ...(search.id === undefined ? [] : searchedById(search, search.id))]
  const kinds = searched.filter(([, permission]) => search.permits(permission))
  if (kinds.length === 0) {
    return []
  }
  const hits = kinds.map(
    ([kind, , found]) => sql`
      (select ${kind}::text as kind, f.id::text as id, ${kind === 'deliveries' ? sql`f.parent` : sql`null`}::text as parent,
        f.label::text as detail from (${found}) f limit ${HITS_MAX})`,
  )
  const { rows } = await sql<IdHit>`
    select o.name as "partnerName", f.* from ${PARTNERS}, lateral (${sql.join(hits, sql` union all `)}) f
    where ${partnerListFilter(search.partnerId)} limit ${kinds.length * HITS_MAX}`.execute(query)
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

/** Ids of any form: of payments those of the partner and of the bank, of payrolls those of its transactions. */
function searchedByText({ text }: IdSearch): readonly Searched[] {
  return [
    ['references', 'payments.read', paymentReferences(text, HITS_MAX)],
    ['payrollReferences', 'payroll.read', payrollReferences(text, HITS_MAX)],
  ]
}

function searchedById({ permits }: IdSearch, id: string): readonly Searched[] {
  const own = (rows: PartnerRows) => sql`select id, ${rows.label ?? sql`''`} as label ${rowWithId(rows, id)}`
  const payrolls = permits('payroll.read')
  return [
    ...RECORD_LISTS.map(({ name, permission, source }): Searched => [name, permission, own(source)]),
    ['payments', 'payments.read', own(PAYMENT_ROWS)],
    ['requests', 'developer.read', own(requestRows({ payrolls }))],
    ['events', 'developer.read', own(EVENT_ROWS)],
    ['subscriptions', 'developer.read', own(SUBSCRIPTION_ROWS)],
    ['deliveries', 'developer.read', deliveryWithId(id)],
    ['tasks', 'operations.read', own(TASK_ROWS)],
  ]
}
