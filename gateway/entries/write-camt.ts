/** Writes entries as a statement in ISO 20022 camt.053.001.08. */

import type { BankBalance, DayRange } from '../banks/connector/bank-account.ts'
import type { BankProfile } from '../banks/directory/bank.ts'
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import { newId } from '../platform/ids.ts'
import { type Money, printMoney } from '../platform/money.ts'
import { element, textElement } from '../platform/xml-writer.ts'
import { accountId, amount, camtEntry } from './camt-entry.ts'
import type { EntryPages } from './entry.ts'

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08'
const NAME = 140
const CURRENCY = 3
const BIC = 11
const END_OF_DAY = Temporal.PlainTime.from('23:59:59')

/** What a statement says besides its entries. */
export type Statement = {
  readonly reading: {
    readonly account: ConsentAccount
    readonly bank: { readonly profile: Pick<BankProfile, 'timeZone'> }
  }
  readonly days: DayRange
  readonly now: Temporal.Instant
  /** As the bank tells them now; asked for once the first entries have come. */
  readonly balances: () => Promise<BankBalance>
}

/** The message, a page at a time. It is not closed before all pages have come. */
export async function* camtOf(pages: EntryPages, statement: Statement): AsyncGenerator<string> {
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
  const made = element('CreDtTm', printed(now.toZonedDateTimeISO(timeZone).round('second')))
  const first = days.from.toZonedDateTime(timeZone)
  const last = days.to.toZonedDateTime({ timeZone, plainTime: END_OF_DAY })
  const { bban, iban, currency, ownerName, bic } = account
  const numbers = { ...(iban === null ? {} : { iban }), ...(bban === null ? {} : { bban }) }
  const { booked, available } = await balances()
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}"><BkToCstmrStmt>${element(
    'GrpHdr',
    element('MsgId', id) + made,
  )}<Stmt>${
    element('Id', id) +
    made +
    element('FrToDt', element('FrDtTm', printed(first)) + element('ToDtTm', printed(last))) +
    element(
      'Acct',
      accountId(numbers) +
        textElement('Ccy', currency, CURRENCY) +
        element('Ownr', textElement('Nm', ownerName, NAME)) +
        element('Svcr', element('FinInstnId', textElement('BICFI', bic, BIC))),
    ) +
    balance('ITBD', booked, today) +
    balance('ITAV', available, today)
  }`
}

/** `Bal`: what is booked or available now, which is not what was on the account at the end of the last day. */
function balance(code: 'ITBD' | 'ITAV', money: Money | null, day: Temporal.PlainDate): string {
  if (money === null) {
    return ''
  }
  const isOverdrawn = money.minor < 0n
  return element(
    'Bal',
    element('Tp', element('CdOrPrtry', element('Cd', code))) +
      amount(printMoney({ ...money, minor: isOverdrawn ? -money.minor : money.minor })) +
      element('CdtDbtInd', isOverdrawn ? 'DBIT' : 'CRDT') +
      element('Dt', element('Dt', day.toString())),
  )
}

function printed(time: Temporal.ZonedDateTime): string {
  return time.toString({ timeZoneName: 'never' })
}
