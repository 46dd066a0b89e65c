/** Describes what a list of orders may be narrowed to; payments and payrolls are listed alike. */
import { Type } from 'typebox'
import { cursorAsked, day, dayOrInstant, PaymentStatusValue, text } from '../shapes.ts'

/** How a list speaks of what is in it, and how much of it a page holds. */
export type OrderListWords = {
  /** As a sentence begins, e.g. `Payments`. */
  readonly orders: string
  readonly endToEndId: string
  readonly perPage: { readonly max: number; readonly default: number }
}

/** The query of such a list. */
export function orderListQuery({ orders, endToEndId, perPage }: OrderListWords) {
  return Type.Object({
    endToEndId: Type.Optional(text(endToEndId)),
    status: Type.Optional(PaymentStatusValue),
    fromDate: Type.Optional(day(`${orders} ordered on this day or later, in UTC.`)),
    toDate: Type.Optional(day(`${orders} ordered on this day or earlier, in UTC.`)),
    updatedSince: Type.Optional(dayOrInstant(`${orders} that changed at this time or later.`)),
    organizationNumber: Type.Optional(
      text(`${orders} of the company with this organisation number, in any form that its country writes it in.`),
    ),
    cursor: Type.Optional(
      cursorAsked('The nextCursor of the page before; the other filters must be the same as there.'),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: perPage.max,
        default: perPage.default,
        description: `How many ${orders.toLowerCase()} the page holds at most.`,
      }),
    ),
  })
}
