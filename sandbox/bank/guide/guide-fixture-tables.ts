/** Renders the tables of banks, users, accounts and receivers for the sandbox guide, and the parts of every table in it. */

import { groupDigits } from '../../../gateway/platform/money.ts'
import type { Account, BankFixture, BankProfile } from '../fixture.ts'

const COUNTRIES = { NO: 'Norway', SE: 'Sweden', DK: 'Denmark', FI: 'Finland' } as const

/** Describes where a bank differs from most banks. */
const deviationTexts: readonly ((bank: BankProfile) => string | undefined)[] = [
  ({ initialStatus }) => (initialStatus === 'RCVD' ? undefined : `first status \`${initialStatus}\``),
  ({ lastVisible }) => (lastVisible === 'settled' ? undefined : `no status after \`${lastVisible}\``),
  ({ message }) => (message.member === 'text' ? undefined : 'messages as a list'),
  ({ message }) => (message.max === 140 ? undefined : `messages of up to ${message.max} characters`),
  ({ message: { toOthersMax } }) => (toOthersMax === null ? undefined : `${toOthersMax} to other banks`),
  ({ errorFormat }) => (errorFormat === 'A' ? undefined : 'errors as problem details'),
  ({ links }) => (links === 'absolute' ? undefined : 'relative links'),
  ({ accountForms }) => (accountForms.includes('bban') ? undefined : 'accounts by IBAN only'),
  ({ endedSca }) => (endedSca === 'reported' ? undefined : 'does not report how an authorisation ended'),
  ({ duplicates }) => (duplicates === 'accepted' ? undefined : 'rejects equal orders on one day'),
  ({ cancelAfterSigning }) => cancellingTexts[cancelAfterSigning],
  ({ basketMax }) => (basketMax === null ? undefined : `baskets of ${basketMax}`),
  ({ bulk }) => (bulk === null ? undefined : bulkText(bulk)),
  ({ notifies }) => (notifies ? undefined : 'no notifications'),
  ({ authorisationMinutes }) =>
    authorisationMinutes === 10 ? undefined : `signing within ${authorisationMinutes} minutes`,
  ({ consent }) => (consent.daysMax === 180 ? undefined : `consents for up to ${consent.daysMax} days`),
  ({ entries }) => pagingTexts[entries.paging],
  ({ entries }) => pendingTexts[entries.pending],
  ({ entries }) => persistenceTexts[entries.keeps],
  ({ entries }) => (entries.details ? undefined : 'entries in lists only'),
  ({ entries }) => (entries.lists === 'full' ? undefined : 'messages of entries in their details only'),
  ({ entries }) =>
    entries.shownTwiceMinutes === 0
      ? undefined
      : `entries both booked and pending for ${entries.shownTwiceMinutes} minutes`,
  ({ closedDays }) => (closedDays === 'rejected' ? 'rejects due dates on which banks are closed' : undefined),
]

const cancellingTexts = {
  authorisation: undefined,
  direct: 'cancels without a signature',
  rejected: 'no cancellations',
} as const

const pagingTexts = {
  links: undefined,
  whole: 'all entries in one response',
  download: 'long lists of entries as a download',
} as const

const pendingTexts = {
  together: undefined,
  apart: 'pending entries in a separate list',
  none: 'no pending entries',
} as const

const persistenceTexts = {
  id: undefined,
  reference: 'entries keep their reference, not their id',
  'reference-alone': 'entries have a reference, and no id',
  'end-to-end-id': 'entries keep only the end-to-end id',
  nothing: undefined,
} as const

const elementTexts = {
  'own-ids': 'with an id for each payment',
  listed: 'with the status of each payment',
  none: 'without statuses of single payments',
} as const

function bulkText({ max, elements, inBaskets }: NonNullable<BankProfile['bulk']>): string {
  return `bulks of ${max}, ${elementTexts[elements]}${inBaskets ? ', in baskets too' : ''}`
}

export function bankTable({ banks }: BankFixture): string {
  const rows = banks.map((bank) => [
    `\`${bank.bic}\``,
    bank.name,
    COUNTRIES[bank.country],
    `\`/${bank.basePath}/v1\``,
    deviationTexts.flatMap((tell) => tell(bank) ?? []).join(', ') || 'the standard without deviations',
  ])
  return table(['BIC', 'Name', 'Country', 'XS2A path', 'Deviations'], rows)
}

/** The users of the demo companies, by id. */
export function userTable({ access, users, companies, banks }: BankFixture): string {
  const rows = users.flatMap(({ id, name }) => {
    const rights = access.filter(({ userId }) => userId === id)
    const owners = [...new Set(rights.map(({ owner }) => owner))]
    const company = owners.map((owner) => companies.find((one) => one.organisationNumber === owner)?.name ?? owner)
    const at = banks.filter(({ bic }) => rights.some((right) => right.bic === bic)).map((bank) => bank.name)
    const mayPay = rights.some(({ may }) => may.includes('pay'))
    return rights.length === 0 ? [] : [[`\`${id}\``, name, company.join(', '), at.join(', '), mayPay ? 'pay' : 'read']]
  })
  return table(['User id', 'Name', 'Company', 'At', 'May'], rows)
}

export function accountTables(fixture: BankFixture): string {
  return fixture.banks
    .map((bank) => {
      const rows = fixture.accounts
        .filter(({ bic }) => bic === bank.bic)
        .map((account) => [
          `\`${account.bban}\``,
          account.ownerName,
          account.name,
          moneyText(account.currency, account.balance),
          describeAccount(account),
        ])
      return `### ${bank.name}\n\n${table(['Account', 'Owner', 'Name', 'Opening balance', 'Remarks'], rows)}`
    })
    .join('\n\n')
}

/** Giro numbers and numbers on payment forms. */
export function receiverTable({ receivers }: BankFixture): string {
  const rows = receivers.map(({ country, scheme, number, name, demand, cardTypes }) => [
    COUNTRIES[country],
    scheme,
    `\`${number}\``,
    name,
    [...cardTypes.map((type) => `card type ${type}`), ...demandText(demand)].join(', '),
  ])
  return table(['Country', 'Kind', 'Number', 'Creditor', 'Requirements'], rows)
}

/** The signatures and references that an account requires. */
export function describeAccount({ signatures, payable, demand }: Account): string {
  return [
    ...(signatures === 0 ? ['no signature'] : signatures === null ? [] : [`${signatures} signatures`]),
    ...(payable ? [] : ['read only']),
    ...demandText(demand),
  ].join(', ')
}

function demandText(demand: Account['demand']): readonly string[] {
  switch (demand?.level) {
    case undefined:
      return []
    case 'soft':
      return ['any reference']
    case 'hard':
      return ['a valid reference only']
    case 'length-digit':
      return ['a valid reference with its length digit only']
    case 'fixed-length':
      return [`a valid reference of ${demand.lengths.join(' or ')} digits only`]
  }
}

/** Columns are padded to their content, so that the source is readable too. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(widthOf)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell))).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** `NOK 1 000 000.00`. */
function moneyText(currency: string, amount: string): string {
  const [whole = '', fraction = '00'] = amount.split('.')
  return `${currency} ${groupDigits(whole, ' ')}.${fraction}`
}

/** `a minute later`, `6 days later`. */
export function durationText(duration: string): string {
  const { days, hours, minutes } = Temporal.Duration.from(duration)
  const [count, unit, article] =
    days > 0 ? [days, 'day', 'a'] : hours > 0 ? [hours, 'hour', 'an'] : [minutes, 'minute', 'a']
  return count === 1 ? `${article} ${unit} later` : `${count} ${unit}s later`
}

function widthOf(text: string): number {
  return [...text].length
}
