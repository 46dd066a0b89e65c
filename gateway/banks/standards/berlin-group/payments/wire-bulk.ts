/** The shapes in which banks answer about bulks; what they tell of single payments in them no standard says. */
import { type Static, Type } from 'typebox'
import { reader, valueReader } from '../../../../platform/http/response-parser.ts'
import { AccountReference, Identifier, PaymentCreated, PaymentHeld, PaymentStatus, Text } from '../wire.ts'

/** Answer to `POST /bulk-payments/{product}`. Whatever `payments` holds, the bulk was taken. */
const BulkCreated = Type.Object({ ...PaymentCreated.properties, payments: Type.Optional(Type.Unknown()) })

/** One payment as the bank lists it in the bulk; its id and its status are extensions of some banks. */
const ListedElement = Type.Object({
  ...PaymentHeld.properties,
  ...PaymentStatus.properties,
  transactionStatus: Type.Optional(Text),
  paymentId: Type.Optional(Identifier),
  endToEndIdentification: Type.Optional(Text),
})

/** Answer to `GET /bulk-payments/{product}/{paymentId}`. */
const BulkHeld = Type.Object({
  debtorAccount: Type.Optional(AccountReference),
  paymentInformationId: Type.Optional(Text),
  payments: Type.Optional(Type.Array(ListedElement)),
})

export type BulkCreated = Static<typeof BulkCreated>
export type ListedElement = Static<typeof ListedElement>
export type BulkHeld = Static<typeof BulkHeld>

export const readBulkCreated = reader(BulkCreated)
export const readBulkHeld = reader(BulkHeld)
/** The ids in the answer to an order; undefined where it tells them for none, or not in this shape. */
export const readElementIds = valueReader(Type.Array(Type.Object({ paymentId: Type.Optional(Identifier) })))
