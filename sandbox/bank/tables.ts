/** The row types of the sandbox bank's tables. */
import type { ColumnType, Generated } from 'kysely'
import type { AuthorisationTable } from './authorisations/authorisation.ts'
import type { Day, OptionalTimestamp, Timestamp } from './column-types.ts'
import type { ConsentTable } from './consents/consent.ts'
import type { EntryPart } from './fixture.ts'
import type { OauthTables } from './oauth/oauth-tables.ts'
import type { BasketTable } from './payments/basket.ts'
import type { BulkTransactionTable } from './payments/bulk-transaction.ts'
import type { PaymentTable } from './payments/payment.ts'

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
  bulk_transactions: BulkTransactionTable
  netbank_signatures: NetbankSignatureTable
  fx_provider_notifications: { payment_id: string; due_at: OptionalTimestamp }
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
  /** The id that it has from before it is booked. */
  persistent_id: string
  value_on: Day
  /** The transactions of a batch; null for a single entry, and for a batch that only has their number. */
  parts: ColumnType<readonly EntryPart[] | null, string | null, string | null>
  /** The number of payments booked as this one entry; null for any other entry. */
  batch_size: number | null
}

/** Pending transfers that are not payments of this bank. */
export type PendingEntryTable = Omit<
  EntryTable,
  'booked_on' | 'booked_at' | 'balance_after_minor' | 'payment_id' | 'persistent_id' | 'batch_size'
> & { due_at: Timestamp }

export type NetbankSignatureTable = { payment_id: string; signer_id: string; signed_at: Timestamp }
