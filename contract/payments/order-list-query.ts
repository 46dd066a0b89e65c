/** Describes the filters and paging of the lists of payments and payrolls. */
import { Type } from 'typebox'
import { cursorParameter, day, dayOrInstant, text } from '../shapes.ts'
import { PaymentStatusValue } from './payment-status.ts'

/** The noun of the listed orders, and the page sizes. */
export type OrderListTexts = {
  /** Capitalised, e.g. `Payments`. */
  readonly orders: string
  readonly endToEndId: string
  readonly perPage: { readonly max: number; readonly default: number }
}

export function orderListQuery({ orders, endToEndId, perPage }: OrderListTexts) {
  return Type.Object({
    endToEndId: Type.Optional(text(endToEndId)),
    status: Type.Optional(PaymentStatusValue),
    fromDate: Type.Optional(day(`${orders} ordered on this day or later, in UTC.`)),
    toDate: Type.Optional(day(`${orders} ordered on this day or earlier, in UTC.`)),
    updatedSince: Type.Optional(dayOrInstant(`${orders} that changed at this time or later.`)),
    organizationNumber: Type.Optional(
      text(`${orders} of the company with this organisation number, in any format used in its country.`),
    ),
    cursor: Type.Optional(cursorParameter('The nextCursor of the previous page; the other filters must be the same.')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: perPage.max,
        default: perPage.default,
        quotable: true,
        description: `The maximum number of ${orders.toLowerCase()} on the page.`,
      }),
    ),
  })
}
