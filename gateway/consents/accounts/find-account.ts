/** Finds the accounts of consents, for which concurrent requests share one statement, and replaces them. */

import type { Kysely } from 'kysely'
import type { Context } from '../../context.ts'
import { parseDebtorAccountNumber } from '../../countries/account-number.ts'
import { coalesceBySource, rowQuery, rowStatement } from '../../platform/database/coalesce.ts'
import { columnsOf, rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { prefixedColumns } from '../../platform/database/sql-fragments.ts'
import type { Consent } from '../consent.ts'
import { type ConsentKey, storeExcludedAccounts } from '../consent-store.ts'
import type { CompanyAccounts, ConsentAccount } from './consent-account.ts'

type Owner = { readonly partnerId: string; readonly consentId: string }

type Tables = {
  consent_accounts: TableOf<Owner & Omit<ConsentAccount, 'resourceId'>> & {
    /** Blank where the account has none of its own: the release before cannot read null, and makes no call with this. */
    resource_id: string
  }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

const ACCOUNT = columnsOf(
  'id',
  'resourceId',
  'stableId',
  'bban',
  'iban',
  'bic',
  'name',
  'ownerName',
  'currency',
  'type',
  'payable',
)

/** Replaces the accounts of a consent, in a transaction that has locked the consent. */
export async function replaceAccounts(
  database: Queryable,
  consent: ConsentKey,
  { accounts, excluded }: CompanyAccounts,
): Promise<void> {
  await storeExcludedAccounts(database, consent, excluded.length)
  const owner = { partnerId: consent.partnerId, consentId: consent.id }
  const within = tables(database)
  await within
    .deleteFrom('consent_accounts')
    .where('partner_id', '=', owner.partnerId)
    .where('consent_id', '=', owner.consentId)
    .execute()
  if (accounts.length > 0) {
    await within
      .insertInto('consent_accounts')
      .values(accounts.map((account) => rowOf({ ...owner, ...account, resourceId: account.resourceId ?? '' })))
      .execute()
  }
}

/** The accounts of a consent, as last read at the bank, by number. */
export async function listAccountsOfConsent(
  { database }: { readonly database: Queryable },
  { partnerId, id }: ConsentKey,
): Promise<readonly ConsentAccount[]> {
  const rows = await tables(database)
    .selectFrom('consent_accounts')
    .select(ACCOUNT)
    .where('partner_id', '=', partnerId)
    .where('consent_id', '=', id)
    .orderBy('bban')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, resourceId: row.resourceId || null }))
}

/**
 * A domestic account number on a consent, with its IBAN where that is certain. Accounts in several currencies may share
 * a number.
 */
type AccountNumberQuery = Owner & {
  readonly bban: string
  readonly iban: string | null
  /** Any currency if absent. */
  readonly currency?: string
}

/** An account, and whether it has its number in other currencies too, so that its orders name theirs. */
export type DebtorAccount = ConsentAccount & { readonly sharesNumber: boolean }

/** The accounts with these numbers in the order of the queries; null where the consent does not include one. */
export async function findConsentAccounts(
  { pool }: Database<unknown>,
  queries: readonly AccountNumberQuery[],
): Promise<readonly (DebtorAccount | null)[]> {
  const { rows } = await pool.query<DebtorAccount & { position: number }>(
    rowQuery(
      FIND_BY_NUMBERS,
      queries.map(({ partnerId, consentId, bban, iban, currency }, position) => ({
        position,
        partner_id: partnerId,
        consent_id: consentId,
        // JSON does not accept lone surrogates, which a partner may send.
        bban: bban.toWellFormed(),
        iban,
        currency,
      })),
    ),
  )
  const byPosition = new Map(rows.map((row) => [row.position, { ...row, resourceId: row.resourceId || null }]))
  return queries.map((_, position) => byPosition.get(position) ?? null)
}

/** Of an account in several currencies that its bank lists as one (ISO 4217, and the standard's `accountDetails`). */
export const SEVERAL_CURRENCIES = 'XXX'

const FIND_BY_NUMBERS = rowStatement(
  'consent-accounts-by-number',
  { position: 'int', partner_id: 'uuid', consent_id: 'uuid', bban: 'text', iban: 'text', currency: 'text' },
  (numbers) => `with k ${numbers}
    select k.position, ${prefixedColumns('a', ACCOUNT)}, a."sharesNumber"
    from k cross join lateral (
      select *, count(*) over () > 1 or c.currency = '${SEVERAL_CURRENCIES}' as "sharesNumber" from consent_accounts c
      where c.partner_id = k.partner_id and c.consent_id = k.consent_id
        and (c.bban = k.bban or (c.bban is null and c.iban = k.iban))
      order by (c.currency = k.currency) desc nulls last, (c.currency = '${SEVERAL_CURRENCIES}') desc, c.currency
      limit 1) a`,
)

/**
 * Finds an account by its domestic number, or by its IBAN where the bank returns only that; null when the consent does
 * not include it.
 */
export const findAccount = coalesceBySource({
  // The IBAN is not part of the key, because it is derived from the number.
  keyOf: ({ consentId, bban, currency }: AccountNumberQuery) => `${consentId} ${bban} ${currency ?? ''}`,
  run: findConsentAccounts,
})

/**
 * The account with this number and currency, also where the bank returns only the IBAN. Another one that shares the
 * number is another account.
 */
export async function findAccountByBban(
  context: Context,
  { partnerId, id: consentId, countryCode }: Pick<Consent, 'partnerId' | 'id' | 'countryCode'>,
  { bban, currency }: Pick<ConsentAccount, 'currency'> & { readonly bban: string },
): Promise<DebtorAccount | undefined> {
  const number = parseDebtorAccountNumber(countryCode, bban)
  const account = await findAccount(context.database, { partnerId, consentId, ...number, currency })
  return account?.currency === currency || account?.currency === SEVERAL_CURRENCIES ? account : undefined
}
