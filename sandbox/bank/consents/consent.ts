/** What a consent is at the bank: its statuses, and the access it asks for. */
import type { Selectable } from 'kysely'
import type { Day, Json, OptionalTimestamp, Timestamp } from '../column-types.ts'

export type ConsentStatus = 'received' | 'rejected' | 'valid' | 'revokedByPsu' | 'expired' | 'terminatedByTpp'

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

export type Consent = Selectable<ConsentTable>

/** A reference to one account, as a third party writes it. */
export type AccessReference = { readonly bban?: string; readonly iban?: string; readonly currency?: string }

/** What a consent asks for: listed accounts, all of them, or (empty lists) whatever the bank offers the user. */
export type ConsentAccess = {
  readonly accounts?: readonly AccessReference[]
  readonly balances?: readonly AccessReference[]
  readonly transactions?: readonly AccessReference[]
  readonly availableAccounts?: string
  readonly availableAccountsWithBalance?: string
  readonly allPsd2?: string
}

/** The three ways to ask. */
export function modelOf(access: ConsentAccess): 'global' | 'bank-offered' | 'detailed' {
  if (access.availableAccounts ?? access.availableAccountsWithBalance ?? access.allPsd2) {
    return 'global'
  }
  return listedReferences(access).length === 0 ? 'bank-offered' : 'detailed'
}

/** Every reference of the three lists, with the place it stands at. */
export function listedReferences(
  access: ConsentAccess,
): readonly { readonly path: string; readonly reference: AccessReference }[] {
  return (['accounts', 'balances', 'transactions'] as const).flatMap((list) =>
    (access[list] ?? []).map((reference, index) => ({ path: `access.${list}.${index}`, reference })),
  )
}
