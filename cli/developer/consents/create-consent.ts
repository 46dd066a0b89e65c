/** `havn consent create`: starts a consent and prints the link for its user, or lets the sandbox's user accept it. */

import type { Bank } from '../../../contract/banks.ts'
import type { Consent, ConsentCreated } from '../../../contract/consents.ts'
import { spellingsOfBic } from '../../../gateway/countries/bic.ts'
import { bicCountryOf } from '../../../gateway/countries/destinations/account-validation.ts'
import { organisationNumberVariants } from '../../../gateway/countries/served-countries.ts'
import { plainCode } from '../../../gateway/platform/copied-text.ts'
import { CommandError } from '../command-error.ts'
import type { Connection, Context } from '../context.ts'
import { scaLink } from '../output/output.ts'
import { chooseOne, listOf } from '../output/questions.ts'
import { waitUntil } from '../output/wait-until.ts'

export type ConsentCreation = {
  readonly bank?: string
  readonly company?: string
  readonly user?: string
  readonly callbackUrl?: string
  readonly simulate?: 'sign' | 'reject'
  readonly follow?: boolean
}

type Company = { readonly organizationNumber: string; readonly country: string; readonly name: string }

export async function createConsentCommand(context: Context, options: ConsentCreation): Promise<void> {
  const connection = await context.connect()
  const { output } = context
  const created = await startConsent(context, connection, options)
  const { id } = created
  if (options.simulate !== undefined) {
    const consent = await simulateConsent(connection, id, options.simulate)
    const next = consent.status === 'ACCEPTED' ? `\nNext: havn pay --consent ${id} --help` : ''
    output.result(consent, `Consent ${id} is ${consent.status}.${next}`)
    requireOutcome(consent, options.simulate)
    return
  }
  output.result(created, `Consent ${id}\n${scaLink(created.sca)}\nNext: havn status ${id} --follow`)
  if (options.follow === true) {
    const consent = await followConsent(context, connection, id)
    output.result(consent, `Consent ${id} is ${consent.status}.`)
    requireOutcome(consent, 'sign')
  }
}

/** A consent that its user has yet to accept. */
export async function startConsent(
  context: Context,
  connection: Connection,
  options: ConsentCreation,
): Promise<ConsentCreated> {
  const { havn, psu } = connection
  const { bank, user, callbackUrl } = options
  const owner = await chooseCompany(context, connection, options)
  const { bic, userId } = await chooseBank(context, connection, owner.country, bank)
  const needsUser = userId.required || connection.profile.environment === 'sandbox'
  const chosenUser = user ?? (needsUser ? await userOf(context, connection, userId) : undefined)
  return await havn.createConsent({
    psu,
    body: {
      bic,
      organizationNumber: owner.organizationNumber,
      country: owner.country,
      callbackUrl: callbackUrl ?? connection.callbackUrl,
      ...(chosenUser === undefined ? {} : { userId: chosenUser }),
    },
  })
}

/** The sandbox's user decides without a browser. */
export async function simulateConsent(
  connection: Connection,
  consentId: string,
  decision: 'sign' | 'reject',
): Promise<Consent> {
  await connection.havn.decideSandboxConsent({ params: { consentId, decision }, body: {} })
  return await connection.havn.getConsent({ consentId })
}

/** Waits until the user has decided. */
export async function followConsent(context: Context, { havn }: Connection, consentId: string): Promise<Consent> {
  context.output.progress('Waiting for the user …')
  return await waitUntil(
    () => havn.getConsent({ consentId }),
    ({ status }) => status !== 'AUTHORIZATION_REQUIRED',
    context.signal,
  )
}

async function chooseCompany(
  context: Context,
  { havn }: Connection,
  { company, bank }: ConsentCreation,
): Promise<Company> {
  const all = await havn.listCompanies()
  const label = ({ organizationNumber, country, name }: Company) => `${organizationNumber}  ${country}, ${name}`
  const ofBank = bank === undefined ? undefined : countryOfBic(bank)
  const numbers = company === undefined ? [] : organisationNumberVariants(company)
  return await chooseOne(context, {
    noun: 'company',
    option: '--company, or a bank of its country by --bank',
    values: all.filter(({ organizationNumber, country }) =>
      company === undefined ? ofBank === undefined || country === ofBank : numbers.includes(organizationNumber),
    ),
    label,
    whenEmpty: () => {
      const which = company ?? (ofBank === undefined ? '' : `in ${ofBank}`)
      return new CommandError('invalid', `You act for no company ${which}. There are:${listOf(all.map(label))}`)
    },
  })
}

async function chooseBank(
  context: Context,
  { havn }: Connection,
  countryCode: string,
  bic: string | undefined,
): Promise<Bank> {
  const banks = await havn.listBanks({ params: { countryCode } })
  const label = (bank: Bank) => `${bank.bic}  ${bank.name}`
  return await chooseOne(context, {
    noun: 'bank',
    option: '--bank',
    values: bic === undefined ? banks : banks.filter((bank) => spellingsOfBic(bic).includes(bank.bic)),
    label,
    whenEmpty: () => {
      const which = bic === undefined ? 'no bank' : `no bank ${bic}`
      return new CommandError('invalid', `There is ${which} in ${countryCode}. There are:${listOf(banks.map(label))}`)
    },
  })
}

/** A BIC has its country after the four characters of the bank. */
function countryOfBic(bic: string): string {
  const country = bicCountryOf(plainCode(bic))
  if (country === undefined) {
    throw new CommandError('invalid', `--bank must be a BIC, for example FJORNO22, not "${bic}"`)
  }
  return country
}

/** In a sandbox the example of the bank is a user of it. */
async function userOf(
  { questions }: Context,
  { profile }: Connection,
  { label, example }: { readonly label: string; readonly example: string },
): Promise<string> {
  if (profile.environment === 'sandbox') {
    return example
  }
  if (!questions.isInteractive) {
    throw new CommandError('invalid', `This bank needs --user: the ${label} of the user, for example ${example}`)
  }
  return await questions.ask(`${label} of the user, for example ${example}`)
}

function requireOutcome({ id, status }: Consent, decision: 'sign' | 'reject'): void {
  if (decision === 'sign' && status !== 'ACCEPTED') {
    throw new CommandError('unsuccessful', `Consent ${id} is ${status}`, { next: 'havn consent create' })
  }
}
