/** The shapes in which NextGenPSD2 banks tell of accounts, balances and what was booked. */
import { type Static, Type } from 'typebox'
import { AccountReference, Identifier, Link, reader, Text } from './wire.ts'

/** One account; without `resourceId` it was named but not opened by the user. */
const AccountDetails = Type.Object({
  resourceId: Type.Optional(Identifier),
  iban: Type.Optional(Text),
  bban: Type.Optional(Text),
  bic: Type.Optional(Text),
  currency: Text,
  name: Type.Optional(Text),
  displayName: Type.Optional(Text),
  product: Type.Optional(Text),
  ownerName: Type.Optional(Text),
  cashAccountType: Type.Optional(Text),
  status: Type.Optional(Text),
})

/** Answer to `GET /accounts`. */
const Accounts = Type.Object({ accounts: Type.Array(AccountDetails) })

const Balance = Type.Object({
  balanceType: Text,
  balanceAmount: Type.Object({ currency: Text, amount: Text }),
})

/** Answer to `GET /accounts/{resourceId}/balances`. */
const Balances = Type.Object({ balances: Type.Array(Balance) })

const StructuredReference = Type.Object({ reference: Type.Optional(Text), referenceType: Type.Optional(Text) })

/** One booked entry; without an amount that can be read it is none. */
const Entry = Type.Object({
  transactionId: Type.Optional(Text),
  entryReference: Type.Optional(Text),
  endToEndId: Type.Optional(Text),
  bookingDate: Type.Optional(Text),
  transactionAmount: Type.Object({ currency: Text, amount: Text }),
  creditorName: Type.Optional(Text),
  creditorAccount: Type.Optional(AccountReference),
  debtorName: Type.Optional(Text),
  debtorAccount: Type.Optional(AccountReference),
  remittanceInformationUnstructured: Type.Optional(Text),
  remittanceInformationUnstructuredArray: Type.Optional(Type.Array(Text)),
  // The standard's text makes it an object, older versions a plain text.
  remittanceInformationStructured: Type.Optional(Type.Union([StructuredReference, Text])),
  remittanceInformationStructuredArray: Type.Optional(Type.Array(StructuredReference)),
})

/** Answer to `GET /accounts/{resourceId}/transactions`: one page of it. */
const Transactions = Type.Object({
  transactions: Type.Object({
    booked: Type.Optional(Type.Array(Entry)),
    _links: Type.Optional(Type.Object({ next: Type.Optional(Link) })),
  }),
})

export type AccountDetails = Static<typeof AccountDetails>
export type Balance = Static<typeof Balance>
export type Entry = Static<typeof Entry>

export const readAccounts = reader(Accounts)
export const readBalances = reader(Balances)
export const readTransactions = reader(Transactions)
