/** Schemas of banks' answers about bulks; the fields of single payments are not standardised. */
import { type Static, Type } from 'typebox'
import { tolerantResponseParser, tolerantValueParser } from '../../../../platform/http/response-parser.ts'
import { AccountReference, Identifier, PaymentCreated, PaymentDetails, PaymentStatus, Text } from '../wire.ts'

/** Answer to `POST /bulk-payments/{product}`. The bulk is accepted whatever `payments` contains. */
const BulkCreated = Type.Object({ ...PaymentCreated.properties, payments: Type.Optional(Type.Unknown()) })

/** One payment listed in a bulk; id and status are extensions of some banks. */
const ListedTransaction = Type.Object({
  ...PaymentDetails.properties,
  ...PaymentStatus.properties,
  transactionStatus: Type.Optional(Text),
  paymentId: Type.Optional(Text),
  endToEndIdentification: Type.Optional(Text),
})

/** Answer to `GET /bulk-payments/{product}/{paymentId}`. */
const BulkDetails = Type.Object({
  debtorAccount: Type.Optional(AccountReference),
  paymentInformationId: Type.Optional(Text),
  payments: Type.Optional(Type.Array(ListedTransaction, { readable: true })),
})

export type BulkCreated = Static<typeof BulkCreated>
export type ListedTransaction = Static<typeof ListedTransaction>
export type BulkDetails = Static<typeof BulkDetails>

export const parseBulkCreated = tolerantResponseParser(BulkCreated)
export const parseBulkDetails = tolerantResponseParser(BulkDetails)
/** The payment ids in the answer to an initiation, by position; undefined where they are absent or one is damaged. */
export const parseTransactionIds = tolerantValueParser(
  Type.Array(Type.Object({ paymentId: Type.Optional(Identifier) }), { complete: true }),
)
