/** Chooses the account of a command: the named one, the only one that fits, or the one that the user chooses. */
import type { Account } from '../../../contract/accounts.ts'
import type { BankProduct } from '../../../contract/banks.ts'
import type { Consent } from '../../../contract/consents.ts'
import { CommandError } from '../command-error.ts'
import type { Connection, DeveloperContext } from '../developer-context.ts'
import { chooseOne, listOf } from '../output/choose-one.ts'
import { hasNumber } from './choose-consent.ts'

/** An account of the consent that the bank offers a product for; `account` names it by number, IBAN or id. */
export async function chooseAccount(
  context: DeveloperContext,
  { havn, psu }: Connection,
  consent: Pick<Consent, 'id'>,
  { account: named, product }: { readonly account?: string | undefined; readonly product: BankProduct },
): Promise<Account> {
  const { accounts } = await havn.listAccounts({ consentId: consent.id, psu })
  const usable = accounts.filter(({ products }) => products.includes(product))
  if (named === undefined) {
    return await chooseOne(context, {
      noun: 'account',
      option: '--account',
      values: usable,
      label: describeAccount,
      whenEmpty: () => new CommandError('invalid', `No account on consent ${consent.id} offers ${product}`),
    })
  }
  const isNamed = (account: Account) => hasNumber(account, named) || account.id === named
  const found = usable.find(isNamed)
  if (found === undefined) {
    const reason = accounts.some(isNamed) ? `does not offer ${product}` : `is not on consent ${consent.id}`
    const listed = listOf(usable.map(describeAccount))
    throw new CommandError('invalid', `Account ${named} ${reason}. There are:${listed}`)
  }
  return found
}

function describeAccount({ bban, name, currency, type }: Account): string {
  return `${bban}  ${currency}, ${name ?? type}`
}
