/** The shapes in which NextGenPSD2 banks tell of accounts, balances and what was booked. */
import { type Static, Type } from 'typebox'
import { reader, valueReader } from '../../../../platform/http/response-parser.ts'
import { AccountReference, Identifier, Link, Text } from '../wire.ts'

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

const Amount = Type.Object({ currency: Text, amount: Text })

const Balance = Type.Object({ balanceType: Text, balanceAmount: Amount })

/** Answer to `GET /accounts/{resourceId}/balances`. */
const Balances = Type.Object({ balances: Type.Array(Balance) })

const StructuredReference = Type.Object({ reference: Type.Optional(Text), referenceType: Type.Optional(Text) })

/** What an entry says to whoever receives the money. */
const Remittance = {
  remittanceInformationUnstructured: Type.Optional(Text),
  remittanceInformationUnstructuredArray: Type.Optional(Type.Array(Text)),
  // The standard's text makes it an object, its file and older versions a plain text.
  remittanceInformationStructured: Type.Optional(Type.Union([StructuredReference, Text])),
  remittanceInformationStructuredArray: Type.Optional(Type.Array(Type.Union([StructuredReference, Text]))),
}

const Parties = {
  creditorName: Type.Optional(Text),
  creditorAccount: Type.Optional(AccountReference),
  debtorName: Type.Optional(Text),
  debtorAccount: Type.Optional(AccountReference),
}

/** One entry; without an amount that can be read it is none. What is unknown here is read if it has the shape. */
const Entry = Type.Object({
  transactionId: Type.Optional(Text),
  entryReference: Type.Optional(Text),
  endToEndId: Type.Optional(Text),
  bookingDate: Type.Optional(Text),
  valueDate: Type.Optional(Text),
  transactionAmount: Amount,
  ...Parties,
  ...Remittance,
  batchIndicator: Type.Optional(Type.Unknown()),
  batchNumberOfTransactions: Type.Optional(Type.Unknown()),
  entryDetails: Type.Optional(Type.Unknown()),
  currencyExchange: Type.Optional(Type.Unknown()),
  balanceAfterTransaction: Type.Optional(Type.Unknown()),
  purposeCode: Type.Optional(Type.Unknown()),
  bankTransactionCode: Type.Optional(Type.Unknown()),
  proprietaryBankTransactionCode: Type.Optional(Type.Unknown()),
  additionalInformation: Type.Optional(Type.Unknown()),
})

/** One transaction of a batch. */
const EntryPart = Type.Object({
  endToEndId: Type.Optional(Text),
  transactionAmount: Type.Optional(Amount),
  ...Parties,
  ...Remittance,
})

const Exchange = Type.Object({
  sourceCurrency: Text,
  targetCurrency: Text,
  exchangeRate: Text,
  unitCurrency: Type.Optional(Text),
  quotationDate: Type.Optional(Text),
  contractIdentification: Type.Optional(Text),
})

/** Answer to `GET /accounts/{resourceId}/transactions`, one page of it, without its entries. */
const ReportShell = Type.Object({
  transactions: Type.Optional(
    Type.Object({
      booked: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 0 })),
      pending: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 0 })),
      _links: Type.Optional(Type.Object({ next: Type.Optional(Link) })),
    }),
  ),
  _links: Type.Optional(Type.Object({ download: Type.Optional(Link), next: Type.Optional(Link) })),
})

/** Answer to `GET /accounts/{resourceId}/transactions/{transactionId}`: the standard and its file wrap it differently. */
const Details = Type.Union([
  Type.Object({ transactionsDetails: Type.Object({ transactionDetails: Entry }) }),
  Type.Object({ transactionsDetails: Entry }),
  Type.Object({ transactionDetails: Entry }),
])

export type AccountDetails = Static<typeof AccountDetails>
export type Balance = Static<typeof Balance>
export type Entry = Static<typeof Entry>
export type EntryPart = Static<typeof EntryPart>
export type Exchange = Static<typeof Exchange>
export type Details = Static<typeof Details>

export const readAccounts = reader(Accounts)
export const readBalances = reader(Balances)
export const readDetails = reader(Details)
export const readEntry = valueReader(Entry)
export const readReportShell = valueReader(ReportShell)
export const readParts = valueReader(Type.Array(EntryPart))
// Of one exchange some banks make no list.
export const readExchanges = valueReader(Type.Union([Type.Array(Exchange), Exchange]))
export const readBalanceAfter = valueReader(Type.Object({ balanceAmount: Amount }))
