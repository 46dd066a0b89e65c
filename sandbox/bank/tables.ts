/** The rows of the sandbox bank's tables, as Kysely reads and writes them. */
import type { ColumnType, Generated } from 'kysely'
import type { ScaOutcome, ScaStatus, ScaSubject } from './authorisations/authorisation.ts'
import type { Approach, CodeForm } from './authorisations/way-of-signing.ts'
import type { BasketStatus } from './baskets/basket.ts'
import type { ConsentAccess, ConsentStatus } from './consents/consent.ts'
import type { OauthTables } from './oauth/oauth-tables.ts'
import type { TransactionStatus } from './payments/payment.ts'
import type { BankProfile, EntryPart, Rail } from './world-shape.ts'

export type Timestamp = ColumnType<Temporal.Instant, string, string>
export type OptionalTimestamp = ColumnType<Temporal.Instant | null, string | null, string | null>
type Day = ColumnType<Temporal.PlainDate, string, string>
type Json<Value> = ColumnType<Value, string, string>

export type Tables = {
  clock: { id: number; offset_milliseconds: bigint }
  accounts: { bank: string; bban: string; currency: string; balance_minor: bigint }
  entries: EntryTable
  pending_entries: PendingEntryTable
  consents: ConsentTable
  consent_accounts: {
    consent_id: string
    resource_id: string
    bban: string
    balances: boolean
    transactions: boolean
  }
  consent_reads: { consent_id: string; read_on: Day; subject: string; count: number }
  payments: PaymentTable
  bulk_elements: BulkElementTable
  netbank_signatures: NetbankSignatureTable
  sent_to_provider: { payment_id: string; due_at: OptionalTimestamp }
  baskets: BasketTable
  authorisations: AuthorisationTable
} & OauthTables

export type EntryTable = {
  position: Generated<bigint>
  id: string
  bank: string
  bban: string
  booked_on: Day
  booked_at: Timestamp
  amount_minor: bigint
  currency: string
  balance_after_minor: bigint
  counterparty: string
  counterparty_account: string | null
  message: string | null
  reference: string | null
  end_to_end_id: string | null
  payment_id: string | null
  /** What it is known by from before it is booked. */
  lasting_id: string
  value_on: Day
  /** What a batch is made of; null for a single entry, and for a batch that tells nothing but how many there are. */
  parts: ColumnType<readonly EntryPart[] | null, string | null, string | null>
  /** How many payments were booked as this one line; null for any other entry. */
  batch_size: number | null
}

/** Money on its way that is no payment of this bank's. */
export type PendingEntryTable = Omit<
  EntryTable,
  'booked_on' | 'booked_at' | 'balance_after_minor' | 'payment_id' | 'lasting_id' | 'batch_size'
> & { due_at: Timestamp }

export type ConsentTable = {
  id: string
  bank: string
  psu_id: string | null
  corporate_id: string | null
  access: Json<ConsentAccess>
  recurring: boolean
  valid_until: Day
  frequency_per_day: number
  status: ConsentStatus
  signer_id: string | null
  last_action_on: Day
  redirect_uri: string | null
  nok_redirect_uri: string | null
  notification_uri: string | null
  notification_content: string | null
  created_at: Timestamp
  due_at: OptionalTimestamp
}

export type PaymentTable = {
  position: Generated<bigint>
  id: string
  bank: string
  service: string
  product: string
  body: Json<Record<string, unknown>>
  debtor: string
  /** How the money travels, and so what kind of number `creditor` is. */
  rail: Rail
  creditor: string
  creditor_name: string
  amount_minor: bigint
  currency: string
  message: string | null
  reference: string | null
  /** The day asked for; null in rows from before the bank kept it. */
  requested_on: ColumnType<Temporal.PlainDate | null, string | null, string | null>
  execution_on: Day
  status: TransactionStatus
  /** The last status that third parties see of what goes well. */
  last_visible: BankProfile['lastVisible']
  status_text: string | null
  funds_available: boolean | null
  /** Whether nobody signed it in time. */
  lapsed: boolean
  request_id: string
  psu_id: string | null
  corporate_id: string | null
  redirect_uri: string | null
  nok_redirect_uri: string | null
  notification_uri: string | null
  notification_content: string | null
  created_at: Timestamp
  changed_at: Timestamp
  /** When the last signature it takes was given. */
  signed_at: OptionalTimestamp
  /** When a payment without funds is given up. */
  closes_at: OptionalTimestamp
  due_at: OptionalTimestamp
  /** Steps taken of a scripted outcome; null without. */
  script_step: number | null
  /** When signatures were taken back; those given before count no more. */
  unsigned_at: OptionalTimestamp
  /** The basket it is signed with; null when it is signed by itself. */
  basket_id: string | null
  /** How many payments it is that are signed as one; then `creditor` is a digest of them. Null for a single payment. */
  bulk_size: number | null
}

/** One payment in a bulk. */
export type BulkElementTable = {
  bulk_id: string
  /** From zero, in the order of the bulk. */
  position: number
  id: string
  body: Json<Record<string, unknown>>
  rail: Rail
  creditor: string
  creditor_name: string
  amount_minor: bigint
  message: string | null
  reference: string | null
  /** Null while it shares the bulk's. */
  status: TransactionStatus | null
  status_text: string | null
  /** Steps taken of what happens to it once the bulk is carried out. */
  script_step: number
  due_at: OptionalTimestamp
}

export type NetbankSignatureTable = { payment_id: string; signer_id: string; signed_at: Timestamp }

export type BasketTable = {
  position: Generated<bigint>
  id: string
  bank: string
  status: BasketStatus
  psu_id: string | null
  corporate_id: string | null
  redirect_uri: string | null
  nok_redirect_uri: string | null
  notification_uri: string | null
  notification_content: string | null
  created_at: Timestamp
  /** Until when it waits for its first signature; null when it waits no more. */
  due_at: OptionalTimestamp
}

export type AuthorisationTable = {
  position: Generated<bigint>
  id: string
  bank: string
  subject: ScaSubject
  resource_id: string
  token_hash: string
  sca_status: ScaStatus
  outcome: ScaOutcome | null
  psu_message: string | null
  psu_id: string | null
  signer_id: string | null
  /** Null only where no browser is sent here. */
  redirect_uri: string | null
  nok_redirect_uri: string | null
  created_at: Timestamp
  opened_at: OptionalTimestamp
  due_at: OptionalTimestamp
  approach: Approach
  /** The browser's link, where the third party may ask for it again; null elsewhere. */
  link_token: string | null
  /** How the user's app learns of it, when by a code; the token is in the code, the secret proves it. */
  code_form: CodeForm | null
  code_token: string | null
  code_secret: string | null
  /** Wall time: when the code was first shown, and when nobody may scan it any more; null once somebody has. */
  code_begun_at: OptionalTimestamp
  code_lapses_at: OptionalTimestamp
  /** What the browser takes back to the third party, which has to bring it here; null until the user has signed. */
  confirmation_code: string | null
  confirmation_failures: Generated<number>
}
