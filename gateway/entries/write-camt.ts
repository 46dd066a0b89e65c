/** Writes entries as a statement in ISO 20022 camt.053.001.08. */

import type { BankBalance, DayRange } from '../banks/connector/bank-account.ts'
import type { BankProfile } from '../banks/connector/bank-profile.ts'
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import { newId } from '../platform/ids.ts'
import { formatMoney, type Money } from '../platform/money.ts'
import { xmlElement, xmlTextElement } from '../platform/xml-writer.ts'
import { accountId, amount, camtEntry } from './camt-entry.ts'
import type { EntryPages } from './entry.ts'

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08'
const NAME = 140
const ACCOUNT = 34
const CURRENCY = 3
const BIC = 11
const END_OF_DAY = Temporal.PlainTime.from('23:59:59')

/** The statement's data apart from the entries. */
export type Statement = {
  readonly reading: {
    readonly account: ConsentAccount
    readonly bank: { readonly profile: Pick<BankProfile, 'timeZone'> }
  }
  readonly days: DayRange
  readonly now: Temporal.Instant
  /** The current balances; read once the first entries have arrived. */
  readonly balances: () => Promise<BankBalance>
}

/** The message, page by page; it is closed only after all pages. */
export async function* writeCamt(pages: EntryPages, statement: Statement): AsyncGenerator<string> {
  let head: string | undefined
  for await (const page of pages) {
    const opening = head === undefined ? await headOf(statement) : ''
    head ??= opening
    yield opening + page.map(camtEntry).join('')
  }
  yield `${head === undefined ? await headOf(statement) : ''}</Stmt></BkToCstmrStmt></Document>`
}

async function headOf({ reading: { account, bank }, days, now, balances }: Statement): Promise<string> {
  const id = newId().replaceAll('-', '')
  const { timeZone } = bank.profile
  const createdAt = xmlElement('CreDtTm', formatTime(now.toZonedDateTimeISO(timeZone).round('second')))
  const first = days.from.toZonedDateTime(timeZone)
  const last = days.to.toZonedDateTime({ timeZone, plainTime: END_OF_DAY })
  const { bban, iban, stableId, currency, ownerName, bic } = account
  const numbers = { ...(iban === null ? {} : { iban }), ...(bban === null ? {} : { bban }) }
  const { booked, available } = await balances()
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}"><BkToCstmrStmt>${xmlElement(
    'GrpHdr',
    xmlElement('MsgId', id) + createdAt,
  )}<Stmt>${
    xmlElement('Id', id) +
    createdAt +
    xmlElement('FrToDt', xmlElement('FrDtTm', formatTime(first)) + xmlElement('ToDtTm', formatTime(last))) +
    xmlElement(
      'Acct',
      // The message requires an id, also of an account that its bank lists without a number.
      (accountId(numbers) || xmlElement('Id', xmlElement('Othr', xmlTextElement('Id', stableId, ACCOUNT)))) +
        xmlTextElement('Ccy', currency, CURRENCY) +
        xmlElement('Ownr', xmlTextElement('Nm', ownerName, NAME)) +
        xmlElement('Svcr', xmlElement('FinInstnId', xmlTextElement('BICFI', bic, BIC))),
    ) +
    balance('ITBD', booked, today) +
    balance('ITAV', available, today)
  }`
}

/** `Bal`: the current booked or available balance, not that at the end of the last day. */
function balance(code: 'ITBD' | 'ITAV', money: Money | null, day: Temporal.PlainDate): string {
  if (money === null) {
    return ''
  }
  const isOverdrawn = money.minor < 0n
  return xmlElement(
    'Bal',
    xmlElement('Tp', xmlElement('CdOrPrtry', xmlElement('Cd', code))) +
      amount(formatMoney({ ...money, minor: isOverdrawn ? -money.minor : money.minor })) +
      xmlElement('CdtDbtInd', isOverdrawn ? 'DBIT' : 'CRDT') +
      xmlElement('Dt', xmlElement('Dt', day.toString())),
  )
}

function formatTime(time: Temporal.ZonedDateTime): string {
  return time.toString({ timeZoneName: 'never' })
}
