/** Control of the payments in bulks: list them, and set the status of one as the bank's core might. */
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { printAmount } from '../../../gateway/platform/money.ts'
import type { BankContext } from '../bank-context.ts'
import { setElementStatus } from '../bulks/advance-element.ts'
import { type Element, shownElementStatus } from '../bulks/bulk-transaction.ts'
import { elementsOf } from '../bulks/bulk-transaction-store.ts'
import { type Payment, TRANSACTION_STATUSES } from '../payments/payment.ts'
import { paymentByIdAnywhere } from '../payments/payment-store.ts'
import type { Sweep } from '../sweep.ts'
import { ControlRefusal } from './control-error.ts'
import { withPayment } from './with-payment.ts'

const Id = Type.Object({ id: Type.String() })
const Place = Type.Object({ id: Type.String(), position: Type.String({ pattern: '^[0-9]{1,6}$' }) })
const StatusChange = Type.Object({
  transactionStatus: Type.Union(TRANSACTION_STATUSES.map((status) => Type.Literal(status))),
})

export function bulkControl(context: BankContext, sweep: Sweep, scope: FastifyInstance): void {
  scope.get<{ Params: Static<typeof Id> }>(
    '/payments/:id/elements',
    { schema: { params: Id } },
    async ({ params }) => await listElements(context, params.id),
  )
  scope.post<{ Params: Static<typeof Place>; Body: Static<typeof StatusChange> }>(
    '/payments/:id/elements/:position/status',
    { schema: { params: Place, body: StatusChange } },
    async ({ params, body }) => await setStatus(context, sweep, { ...params, status: body.transactionStatus }),
  )
}

async function listElements({ database }: BankContext, id: string): Promise<readonly object[]> {
  const bulk = await paymentByIdAnywhere(database.query, id)
  if (bulk === undefined) {
    throw new ControlRefusal(404, 'The bank holds no such payment')
  }
  return (await elementsOf(database.query, id)).map((element) => describe(bulk, element))
}

function describe(bulk: Payment, element: Element): object {
  return {
    position: element.position,
    paymentId: element.id,
    /** Null while it shares the bulk's. */
    transactionStatus: element.status,
    /** What third parties see of it, where they see anything. */
    shownStatus: shownElementStatus(bulk, element),
    creditorAccount: element.creditor,
    creditorName: element.creditor_name,
    amount: printAmount({ minor: element.amount_minor, currency: bulk.currency }),
    currency: bulk.currency,
    dueAt: element.due_at?.toString() ?? null,
    body: element.body,
  }
}

async function setStatus(
  context: BankContext,
  sweep: Sweep,
  { id, position, status }: Static<typeof Place> & { readonly status: (typeof TRANSACTION_STATUSES)[number] },
): Promise<object> {
  const at = context.clock.now()
  return await withPayment(context, sweep, id, async (transaction, bulk) => {
    const element = (await elementsOf(transaction, bulk.id))[Number(position)]
    if (element === undefined) {
      throw new ControlRefusal(404, 'The bulk has no payment at this place')
    }
    if (element.status === null) {
      throw new ControlRefusal(
        409,
        `The bulk is ${bulk.status}: its payments have a status of their own once it is booked`,
      )
    }
    return await setElementStatus(transaction, bulk, element, { status, at })
  })
}
