/** The row types of the FX provider's database schema. */
export type Tables = {
  clock: { id: number; offset_milliseconds: bigint }
  quotes: Quote
  conversions: Conversion
  beneficiaries: Beneficiary
  payments: Payment
  arrivals: InboundFunds
  transactions: Transaction
  notices: Notification
}

export type FixedSide = 'buy' | 'sell'

/** The price of an exchange, and its time. */
export type ExchangeColumns = {
  buy_currency: string
  sell_currency: string
  fixed_side: FixedSide
  buy_minor: bigint
  sell_minor: bigint
  /** In market order of the pair, with the margin. */
  client_rate: string
  mid_rate: string
  conversion_on: Temporal.PlainDate
  /** Until when the sold money must have arrived. */
  settles_at: Temporal.Instant
}

export type Quote = ExchangeColumns & {
  id: string
  created_at: Temporal.Instant
  expires_at: Temporal.Instant
  used: boolean
}

export type ConversionStatus = 'awaiting_funds' | 'funds_arrived' | 'trade_settled' | 'closed'

export type Conversion = ExchangeColumns & {
  position: bigint
  id: string
  request_id: string | null
  short_reference: string
  reason: string
  /** The references by which inbound funds may name it. */
  names: readonly string[]
  status: ConversionStatus
  created_at: Temporal.Instant
  updated_at: Temporal.Instant
  /** The cost of cancelling; null unless cancelled. */
  loss_minor: bigint | null
  cancel_notes: string | null
  due_at: Temporal.Instant | null
}

export type Beneficiary = {
  position: bigint
  id: string
  details: Readonly<Record<string, string | readonly string[]>>
  created_at: Temporal.Instant
}

export type PaymentStatus = 'ready_to_send' | 'submitted' | 'completed' | 'failed' | 'suspended'
export type PaymentOutcome = 'suspended' | 'failed' | 'returned'

export type Payment = {
  position: bigint
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
  payment_on: Temporal.PlainDate
  details: Readonly<Record<string, string>>
  status: PaymentStatus
  failure_reason: string
  returned_minor: bigint
  outcome: PaymentOutcome | null
  transferred_at: Temporal.Instant | null
  created_at: Temporal.Instant
  updated_at: Temporal.Instant
  due_at: Temporal.Instant | null
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

export type InboundFunds = {
  position: bigint
  id: string
  origin: string
  short_reference: string
  receiver_iban: string
  currency: string
  amount_minor: bigint
  reference: string
  sender: Sender
  conversion_id: string | null
  status: 'pending' | 'completed'
  created_at: Temporal.Instant
  completed_at: Temporal.Instant | null
  due_at: Temporal.Instant | null
}

export type Transaction = {
  position: bigint
  id: string
  currency: string
  /** Negative for a debit. */
  amount_minor: bigint
  balance_minor: bigint
  entity_type: 'inbound_funds' | 'conversion' | 'payment'
  entity_id: string
  entity_reference: string
  action: 'funding' | 'conversion' | 'payment' | 'payment_failure'
  created_at: Temporal.Instant
}

export type Notification = {
  position: bigint
  id: string
  type: string
  body: string
  attempts: number
  status: 'waiting' | 'delivered' | 'failed'
  created_at: Temporal.Instant
  due_at: Temporal.Instant | null
}
