/** Schemas of Currencycloud's responses; every response is parsed with one of them before use. */

import { type Static, Type } from 'typebox'
import { responseParser, tolerantResponseParser } from '../../../platform/http/response-parser.ts'

const Text = Type.String({ maxLength: 10_000 })
const Identifier = Type.String({ minLength: 1, maxLength: 200 })
/** Absent, null and empty all mean no value. */
const Sometimes = Type.Optional(Type.Union([Text, Type.Null()]))
/** A string in most responses, a number in some. */
const Amount = Type.Union([Text, Type.Number()])

/** Answer to `POST /v2/authenticate/api`. */
const Login = Type.Object({ auth_token: Type.String({ minLength: 1, maxLength: 1000 }) })

const Priced = {
  client_buy_amount: Amount,
  client_sell_amount: Amount,
  fixed_side: Type.Union([Type.Literal('buy'), Type.Literal('sell')]),
}

/** Answer to `GET /v2/rates/detailed`. */
const DetailedRate = Type.Object({ client_buy_currency: Text, client_sell_currency: Text, ...Priced })

/** Answer to `POST /v2/quotes/create`. */
const HeldQuote = Type.Object({
  quote_id: Identifier,
  buy_currency: Text,
  sell_currency: Text,
  expires_at: Text,
  ...Priced,
})

/** A conversion, in all responses. */
const Conversion = Type.Object({
  id: Identifier,
  status: Text,
  buy_currency: Text,
  sell_currency: Text,
  client_buy_amount: Amount,
  client_sell_amount: Amount,
  settlement_date: Sometimes,
  unique_request_id: Sometimes,
})

const Conversions = Type.Object({ conversions: Type.Array(Conversion) })

const Pagination = Type.Object({ next_page: Type.Integer() })
const ConversionPage = Type.Object({
  conversions: Type.Array(Type.Intersect([Conversion, Type.Object({ created_at: Sometimes })])),
  pagination: Pagination,
})

/** Profit or loss of changing or cancelling a conversion; a loss is negative. */
const ProfitAndLoss = Type.Object({ event_type: Text, amount: Amount, currency: Text })

const ProfitAndLosses = Type.Object({ conversion_profit_and_losses: Type.Array(ProfitAndLoss) })

const FundingAccount = Type.Object({
  account_number: Text,
  account_number_type: Text,
  account_holder_name: Text,
  bank_address: Sometimes,
  bank_country: Text,
  currency: Text,
  payment_type: Sometimes,
  routing_code: Sometimes,
  routing_code_type: Sometimes,
})

const FundingAccounts = Type.Object({ funding_accounts: Type.Array(FundingAccount) })

const Beneficiary = Type.Object({ id: Identifier, beneficiary_external_reference: Sometimes })
const Beneficiaries = Type.Object({ beneficiaries: Type.Array(Beneficiary) })
/** Answer to `POST /v2/beneficiaries/validate`: the completed request. */
const ValidBeneficiary = Type.Object({ currency: Text })

/** A payout, in all responses. */
const Payment = Type.Object({
  id: Identifier,
  status: Text,
  amount: Amount,
  currency: Text,
  unique_request_id: Sometimes,
  failure_reason: Sometimes,
  failure_returned_amount: Type.Optional(Type.Union([Amount, Type.Null()])),
})

const Payments = Type.Object({ payments: Type.Array(Payment) })

/** A movement on our account at the provider. */
const Transaction = Type.Object({ related_entity_id: Identifier, status: Text, completed_at: Sometimes })

const Transactions = Type.Object({ transactions: Type.Array(Transaction), pagination: Pagination })

/** Answer to `GET /v2/funding_transactions/{id}`. */
const FundingTransaction = Type.Object({
  id: Identifier,
  amount: Amount,
  currency: Text,
  additional_information: Sometimes,
  completed_at: Sometimes,
  created_at: Text,
  sender: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        sender_name: Sometimes,
        sender_address: Sometimes,
        sender_country: Sometimes,
        sender_bic: Sometimes,
        sender_iban: Sometimes,
        sender_account_number: Sometimes,
        sender_routing_code: Sometimes,
      }),
    ]),
  ),
})

const FieldError = Type.Object({ code: Text, message: Type.Optional(Text) })

/** The body of responses outside 2xx; errors by field. */
const Failure = Type.Object({
  error_code: Text,
  error_messages: Type.Optional(Type.Record(Type.String(), Type.Array(FieldError))),
})

/** A push notification. */
const Notification = Type.Object({
  header: Type.Object({ message_type: Text, notification_type: Text }),
  body: Type.Object({
    id: Identifier,
    unique_request_id: Sometimes,
    related_entity_type: Sometimes,
    related_entity_id: Sometimes,
  }),
})

export type DetailedRate = Static<typeof DetailedRate>
export type HeldQuote = Static<typeof HeldQuote>
export type Conversion = Static<typeof Conversion>
export type ProfitAndLoss = Static<typeof ProfitAndLoss>
export type FundingAccount = Static<typeof FundingAccount>
export type Payment = Static<typeof Payment>
export type FundingTransaction = Static<typeof FundingTransaction>
export type Failure = Static<typeof Failure>
export type Notification = Static<typeof Notification>

/** Parses a body; undefined when it is not JSON or has another shape. */
export type Reader<Shape> = (body: string) => Shape | undefined

export const readLogin = responseParser(Login)
export const readDetailedRate = responseParser(DetailedRate)
export const readHeldQuote = responseParser(HeldQuote)
export const readConversion = responseParser(Conversion)
export const readConversions = responseParser(Conversions)
export const readConversionPage = responseParser(ConversionPage)
export const readProfitAndLoss = responseParser(ProfitAndLoss)
export const readProfitAndLosses = responseParser(ProfitAndLosses)
export const readFundingAccounts = responseParser(FundingAccounts)
export const readBeneficiary = responseParser(Beneficiary)
export const readBeneficiaries = responseParser(Beneficiaries)
export const readValidBeneficiary = responseParser(ValidBeneficiary)
export const readPayment = responseParser(Payment)
export const readPayments = responseParser(Payments)
export const readTransactions = responseParser(Transactions)
export const readFundingTransaction = responseParser(FundingTransaction)
// Only errors: of everything else the absence from an answer may be decisive.
export const readFailure = tolerantResponseParser(Failure)
export const readNotification = responseParser(Notification)
