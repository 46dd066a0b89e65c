/** Lists the accounts on a consent as the bank reports them now. */
import type { AccountList, Account as AccountShown } from '../../contract/accounts.ts'
import type { Bank } from '../banks/connector/bank.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import { refreshAccounts } from '../consents/accounts/refresh-accounts.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'

/** The company's accounts; those of other owners are omitted. Without PSU headers the bank counts the read. */
export async function listAccounts(context: Context, caller: ConsentCaller): Promise<AccountList> {
  const bank = await requireBank(context.banks, caller.consent.bic)
  const accounts = await refreshAccounts(context, bank, caller)
  return { accounts: accounts.map((account) => formatAccount(bank, caller, account)) }
}

function formatAccount(bank: Bank, { consent }: ConsentCaller, account: ConsentAccount): AccountShown {
  const { iban, name, ownerName, payable } = account
  const isProduct = (product: string) => payable !== false || !product.startsWith('PAY')
  return {
    id: account.id,
    // Every listed account can pay: where no domestic number can be derived from its IBAN, the IBAN is used.
    bban: account.bban ?? iban ?? '',
    ...(iban === null ? {} : { iban }),
    bic: account.bic,
    ...(name === null ? {} : { name }),
    ...(ownerName === null ? {} : { ownerName }),
    currency: account.currency,
    country: consent.countryCode,
    organizationNumber: consent.organisationNumber,
    type: account.type,
    products: bank.profile.products.filter(isProduct),
    stableId: account.stableId,
  }
}
