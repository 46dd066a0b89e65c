/** The row types of the FX provider's database schema. */
import type { ColumnType, Generated } from 'kysely'

type Timestamp = ColumnType<Temporal.Instant, string, string>
type OptionalTimestamp = ColumnType<Temporal.Instant | null, string | null, string | null>
type Day = ColumnType<Temporal.PlainDate, string, string>
type Json<Value> = ColumnType<Value, string, string>

export type Tables = {
  clock: { id: number; offset_milliseconds: bigint }
  quotes: QuoteTable
  conversions: ConversionTable
  beneficiaries: BeneficiaryTable
  payments: PaymentTable
  arrivals: InboundFundsTable
  transactions: TransactionTable
  notices: NotificationTable
}

export type FixedSide = 'buy' | 'sell'

/** The price of an exchange, and its time. */
type ExchangeColumns = {
  buy_currency: string
  sell_currency: string
  fixed_side: FixedSide
  buy_minor: bigint
  sell_minor: bigint
  /** In market order of the pair, with the margin. */
  client_rate: string
  mid_rate: string
  conversion_on: Day
  /** Until when the sold money must have arrived. */
  settles_at: Timestamp
}

export type QuoteTable = ExchangeColumns & {
  id: string
  created_at: Timestamp
  expires_at: Timestamp
  used: boolean
}

export type ConversionStatus = 'awaiting_funds' | 'funds_arrived' | 'trade_settled' | 'closed'

export type ConversionTable = ExchangeColumns & {
  position: Generated<bigint>
  id: string
  request_id: string | null
  short_reference: string
  reason: string
  /** The references by which inbound funds may name it. */
  names: readonly string[]
  status: ConversionStatus
  created_at: Timestamp
  updated_at: Timestamp
  /** The cost of cancelling; null unless cancelled. */
  loss_minor: bigint | null
  cancel_notes: string | null
  due_at: OptionalTimestamp
}

export type BeneficiaryTable = {
  position: Generated<bigint>
  id: string
  details: Json<Readonly<Record<string, string | readonly string[]>>>
  created_at: Timestamp
}

export type PaymentStatus = 'ready_to_send' | 'submitted' | 'completed' | 'failed' | 'suspended'
export type PaymentOutcome = 'suspended' | 'failed' | 'returned'

export type PaymentTable = {
  position: Generated<bigint>
  id: string
  request_id: string
  short_reference: string
  beneficiary_id: string
  conversion_id: string | null
  currency: string
  amount_minor: bigint
  reference: string
  reason: string
  payment_type: string
  payment_on: Day
  details: Json<Readonly<Record<string, string>>>
  status: PaymentStatus
  failure_reason: string
  returned_minor: bigint
  outcome: PaymentOutcome | null
  transferred_at: OptionalTimestamp
  created_at: Timestamp
  updated_at: Timestamp
  due_at: OptionalTimestamp
}

/** The sender of funds, as far as the sending bank reported it. */
export type Sender = {
  readonly name: string
  readonly address: string
  readonly country: string
  readonly iban: string | null
  readonly accountNumber: string | null
  readonly bic: string | null
}

export type InboundFundsTable = {
  position: Generated<bigint>
  id: string
  origin: string
  short_reference: string
  receiver_iban: string
  currency: string
  amount_minor: bigint
  reference: string
  sender: Json<Sender>
  conversion_id: string | null
  status: 'pending' | 'completed'
  created_at: Timestamp
  completed_at: OptionalTimestamp
  due_at: OptionalTimestamp
}

export type TransactionTable = {
  position: Generated<bigint>
  id: string
  currency: string
  /** Negative for a debit. */
  amount_minor: bigint
  balance_minor: bigint
  entity_type: 'inbound_funds' | 'conversion' | 'payment'
  entity_id: string
  entity_reference: string
  action: 'funding' | 'conversion' | 'payment' | 'payment_failure'
  created_at: Timestamp
}

export type NotificationTable = {
  position: Generated<bigint>
  id: string
  type: string
  body: string
  attempts: number
  status: 'waiting' | 'delivered' | 'failed'
  created_at: Timestamp
  due_at: OptionalTimestamp
}
