/** A consent at the bank: its statuses, and the requested access. */
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

/** An account reference of the third party. */
export type AccessReference = { readonly bban?: string; readonly iban?: string; readonly currency?: string }

/** The requested access: listed accounts, all accounts, or (empty lists) those that the bank offers the user. */
export type ConsentAccess = {
  readonly accounts?: readonly AccessReference[]
  readonly balances?: readonly AccessReference[]
  readonly transactions?: readonly AccessReference[]
  readonly availableAccounts?: string
  readonly availableAccountsWithBalance?: string
  readonly allPsd2?: string
}

/** The consent models of the standard. */
export function modelOf(access: ConsentAccess): 'global' | 'bank-offered' | 'detailed' {
  if (access.availableAccounts ?? access.availableAccountsWithBalance ?? access.allPsd2) {
    return 'global'
  }
  return listedReferences(access).length === 0 ? 'bank-offered' : 'detailed'
}

export const ACCESS_LISTS = ['accounts', 'balances', 'transactions'] as const

/** Whether there are lists, of which all are empty or none is; with a global form there need be none. */
export function hasEqualLists(access: ConsentAccess): boolean {
  const lists = ACCESS_LISTS.flatMap((list) => (access[list] === undefined ? [] : [access[list].length > 0]))
  return new Set(lists).size === 1 || (lists.length === 0 && modelOf(access) === 'global')
}

/** Every reference of the three lists, with its path. */
export function listedReferences(
  access: ConsentAccess,
): readonly { readonly path: string; readonly reference: AccessReference }[] {
  return ACCESS_LISTS.flatMap((list) =>
    (access[list] ?? []).map((reference, index) => ({ path: `access.${list}.${index}`, reference })),
  )
}
