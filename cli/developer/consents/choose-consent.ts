/** Chooses the consent of a command: the named one, the only one that fits, or the one that the user chooses. */

import type { Account } from '../../../contract/accounts.ts'
import type { Consent } from '../../../contract/consents.ts'
import { parseDebtorAccountNumber } from '../../../gateway/countries/account-number.ts'
import { spellingsOfBic } from '../../../gateway/countries/bic.ts'
import { CommandError } from '../command-error.ts'
import type { Connection, Context } from '../context.ts'
import { chooseOne } from '../output/questions.ts'

/** What limits the choice. */
export type ConsentOptions = { readonly consent?: string; readonly bank?: string; readonly company?: string }

/** An accepted consent. Throws when there is none, or when several fit and there is no terminal to choose on. */
export async function chooseConsent(
  context: Context,
  connection: Connection,
  options: ConsentOptions,
): Promise<Consent> {
  if (options.consent !== undefined) {
    return requireAccepted(await connection.havn.getConsent({ consentId: options.consent }))
  }
  return await chooseOne(context, {
    noun: 'consent',
    option: '--consent, --bank or --company',
    values: await acceptedConsents(connection, options),
    label: describeConsent,
    whenEmpty: () => noConsent(options),
  })
}

/** Newest first. */
export async function acceptedConsents(
  connection: Pick<Connection, 'havn'>,
  options: ConsentOptions,
): Promise<readonly Consent[]> {
  return (await matchingConsents(connection, options)).filter(({ status }) => status === 'ACCEPTED')
}

/** Those at the bank and of the company, whatever their status; newest first. */
export async function matchingConsents(
  { havn }: Pick<Connection, 'havn'>,
  { bank, company }: ConsentOptions,
): Promise<readonly Consent[]> {
  const consents = await havn.listConsents({ query: company === undefined ? {} : { organizationNumber: company } })
  return consents.filter(({ bic }) => bank === undefined || spellingsOfBic(bank).includes(bic))
}

/** Whether a text is the number or the IBAN of an account, in any of their printed forms. */
export function hasNumber({ bban, iban, country }: Account, text: string): boolean {
  const number = parseDebtorAccountNumber(country, text)
  return number.bban === bban || (number.iban !== null && number.iban === iban)
}

export function describeConsent({ id, bic, organizationNumber, userIdMasked, validUntil }: Consent): string {
  const user = userIdMasked === undefined ? '' : `, user ${userIdMasked}`
  return `${id}  ${bic}, company ${organizationNumber}${user}, valid until ${validUntil.slice(0, 10)}`
}

function requireAccepted(consent: Consent): Consent {
  if (consent.status !== 'ACCEPTED') {
    const message = `Consent ${consent.id} is ${consent.status}, not ACCEPTED`
    throw new CommandError('invalid', message, { next: 'havn consent list' })
  }
  return consent
}

export function noConsent({ bank, company }: ConsentOptions): CommandError {
  const which = [bank === undefined ? '' : ` at ${bank}`, company === undefined ? '' : ` of company ${company}`].join(
    '',
  )
  return new CommandError('invalid', `There is no accepted consent${which}`, {
    next: `havn consent create${bank === undefined ? '' : ` --bank ${bank}`}`,
  })
}
