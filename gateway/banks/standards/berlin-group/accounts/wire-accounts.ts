/** Schemas of the answers of NextGenPSD2 banks about accounts, balances and entries. */
import { type Static, Type } from 'typebox'
import { tolerantResponseParser, tolerantValueParser } from '../../../../platform/http/response-parser.ts'
import { AccountReference, Amount, Link, Text, TextOrNumber } from '../wire.ts'

/** One account; without `resourceId` the user gave no access to it. */
const AccountDetails = Type.Object({
  resourceId: Type.Optional(TextOrNumber),
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

const Balance = Type.Object({
  balanceType: Text,
  balanceAmount: Amount,
  creditLimitIncluded: Type.Optional(Type.Union([Type.Boolean(), Text])),
  lastChangeDateTime: Type.Optional(Text),
  referenceDate: Type.Optional(Text),
})

const StructuredReference = Type.Object({ reference: Type.Optional(Text), referenceType: Type.Optional(Text) })

/** Remittance information of an entry. */
const Remittance = {
  remittanceInformationUnstructured: Type.Optional(Text),
  remittanceInformationUnstructuredArray: Type.Optional(Type.Array(Text)),
  // An object in the standard's text, a string in its OpenAPI file and in older versions.
  remittanceInformationStructured: Type.Optional(Type.Union([StructuredReference, Text])),
  remittanceInformationStructuredArray: Type.Optional(Type.Array(Type.Union([StructuredReference, Text]))),
}

const Parties = {
  creditorName: Type.Optional(Text),
  creditorAccount: Type.Optional(AccountReference),
  debtorName: Type.Optional(Text),
  debtorAccount: Type.Optional(AccountReference),
}

/** One transaction of a batch. */
const EntryPart = Type.Object({
  endToEndId: Type.Optional(TextOrNumber),
  transactionAmount: Type.Optional(Amount),
  ...Parties,
  ...Remittance,
})

const Exchange = Type.Object({
  sourceCurrency: Text,
  targetCurrency: Text,
  exchangeRate: TextOrNumber,
  unitCurrency: Type.Optional(Text),
  quotationDate: Type.Optional(Text),
  contractIdentification: Type.Optional(Text),
})

/** One entry; an entry without a valid amount is invalid. */
const Entry = Type.Object({
  transactionId: Type.Optional(TextOrNumber),
  entryReference: Type.Optional(TextOrNumber),
  endToEndId: Type.Optional(TextOrNumber),
  bookingDate: Type.Optional(Text),
  valueDate: Type.Optional(Text),
  transactionAmount: Amount,
  ...Parties,
  ...Remittance,
  // Some banks send booleans as texts, and numbers as texts.
  batchIndicator: Type.Optional(Type.Union([Type.Boolean(), Text])),
  batchNumberOfTransactions: Type.Optional(TextOrNumber),
  entryDetails: Type.Optional(Type.Array(EntryPart)),
  // Some banks send a single exchange instead of a list.
  currencyExchange: Type.Optional(Type.Union([Type.Array(Exchange), Exchange])),
  balanceAfterTransaction: Type.Optional(Type.Object({ balanceAmount: Amount })),
  purposeCode: Type.Optional(Text),
  bankTransactionCode: Type.Optional(Text),
  proprietaryBankTransactionCode: Type.Optional(Text),
  additionalInformation: Type.Optional(Text),
})

/** A list of another shape has entries that cannot be read. */
const ListShell = Type.Array(Type.Unknown(), { maxItems: 0, readable: true })

/** Some JSON writers make an empty list of an object without members. */
const NoLinks = Type.Array(Type.Never(), { maxItems: 0 })

/** Answer to `GET /accounts/{resourceId}/transactions`, one page of it, without its entries. */
const ReportShell = Type.Object({
  transactions: Type.Optional(
    Type.Object({
      booked: Type.Optional(ListShell),
      pending: Type.Optional(ListShell),
      _links: Type.Optional(Type.Union([Type.Object({ next: Type.Optional(Link) }), NoLinks])),
    }),
  ),
  _links: Type.Optional(
    Type.Union([Type.Object({ download: Type.Optional(Link), next: Type.Optional(Link) }), NoLinks]),
  ),
})

/** Answer to `GET …/transactions/{transactionId}`: the standard and its OpenAPI file wrap it differently. */
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

export const parseAccounts = tolerantResponseParser(Type.Object({ accounts: Type.Array(AccountDetails) }))
/** Answer to `GET /accounts/{resourceId}/balances`. */
export const parseBalances = tolerantResponseParser(Type.Object({ balances: Type.Array(Balance) }))
export const parseEntryDetails = tolerantResponseParser(Details)
export const parseEntry = tolerantValueParser(Entry)
export const parseReportShell = tolerantValueParser(ReportShell)
