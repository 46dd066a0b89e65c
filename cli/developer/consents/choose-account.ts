/** Chooses the account of a command with the consent that covers it: the named one, the only one that fits, or the one that the user chooses. */
import type { Account } from '../../../contract/accounts.ts'
import type { BankProduct } from '../../../contract/banks.ts'
import type { Consent } from '../../../contract/consents.ts'
import { HavnError } from '../../../sdk/index.ts'
import { CommandError } from '../command-error.ts'
import type { Connection, Context } from '../context.ts'
import { chooseOne, listOf } from '../output/questions.ts'
import {
  acceptedConsents,
  type ConsentOptions,
  chooseConsent,
  describeConsent,
  hasNumber,
  noConsent,
} from './choose-consent.ts'

/** `account` names it by number, IBAN or id. */
export type AccountOptions = ConsentOptions & { readonly account?: string }
export type ConsentWithAccounts = { readonly consent: Consent; readonly accounts: readonly Account[] }

/** More are not read to find an account. */
const CONSENTS_SEARCHED_MAX = 50

/** An account for which the bank offers a product, and an accepted consent that has it. */
export async function chooseAccount(
  context: Context,
  connection: Connection,
  options: AccountOptions,
  product: BankProduct,
): Promise<{ readonly consent: Consent; readonly account: Account }> {
  const { account: named, consent: namedConsent } = options
  const { consent, accounts } =
    named === undefined || namedConsent !== undefined
      ? await withAccounts(connection, await chooseConsent(context, connection, options))
      : await findConsentOfAccount(context, connection, options, named)
  const usable = accounts.filter(({ products }) => products.includes(product))
  const noneUsable = () => {
    const where = `${consent.bic} does not, or not to its user. --bank or --consent names another one`
    return new CommandError('invalid', `No account on consent ${consent.id} offers ${product}: ${where}`)
  }
  if (named === undefined) {
    const account = await chooseOne(context, {
      noun: 'account',
      option: '--account',
      values: usable,
      label: describeAccount,
      whenEmpty: noneUsable,
    })
    return { consent, account }
  }
  if (usable.length === 0) {
    throw noneUsable()
  }
  const account = usable.find((each) => isNamed(each, named))
  if (account === undefined) {
    const reason = accounts.some((each) => isNamed(each, named))
      ? `does not offer ${product}`
      : `is not on consent ${consent.id}`
    throw notFound(named, reason, usable)
  }
  return { consent, account }
}

/** The newest accepted consent that has an account; says which one where there are others. */
export async function findConsentOfAccount(
  { output }: Pick<Context, 'output'>,
  connection: Connection,
  options: ConsentOptions,
  named: string,
): Promise<ConsentWithAccounts> {
  const accepted = (await acceptedConsents(connection, options)).slice(0, CONSENTS_SEARCHED_MAX)
  const [first] = accepted
  if (first === undefined) {
    throw noConsent(options)
  }
  if (accepted.length === 1) {
    return await withAccounts(connection, first)
  }
  const searched: Account[] = []
  let failure: HavnError | undefined
  for (const consent of accepted) {
    try {
      const found = await withAccounts(connection, consent)
      if (found.accounts.some((account) => isNamed(account, named))) {
        output.note(`Using the newest consent that has the account: ${describeConsent(consent)}`)
        return found
      }
      searched.push(...found.accounts)
    } catch (error) {
      // One bank that does not respond does not hide the accounts at others.
      if (!(error instanceof HavnError)) {
        throw error
      }
      failure ??= error
    }
  }
  throw failure ?? notFound(named, `is on none of ${accepted.length} accepted consents`, searched)
}

async function withAccounts({ havn, psu }: Connection, consent: Consent): Promise<ConsentWithAccounts> {
  return { consent, accounts: (await havn.listAccounts({ consentId: consent.id, psu })).accounts }
}

function isNamed(account: Account, named: string): boolean {
  return hasNumber(account, named) || account.id === named
}

function notFound(named: string, reason: string, usable: readonly Account[]): CommandError {
  const labels = [...new Set(usable.map(describeAccount))]
  return new CommandError('invalid', `Account ${named} ${reason}. There are:${listOf(labels)}`)
}

function describeAccount({ bban, name, currency, type }: Account): string {
  return `${bban}  ${currency}, ${name ?? type}`
}
