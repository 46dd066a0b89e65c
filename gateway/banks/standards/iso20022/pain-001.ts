/** Writes orders as ISO 20022 pain.001, slice by slice, in the structure that Nordic banks ask for. */
import { printAmount } from '../../../platform/money.ts'
import { element, textElement } from '../../../platform/xml-writer.ts'
import type { BulkElement } from '../../bulk-order.ts'
import type { CreditorAccount, Remittance } from '../../connector/domestic-order.ts'
import type { Bank } from '../../directory/bank.ts'
import type { OrderFile } from '../../file-product.ts'
import type { FileDialect } from './file-dialect.ts'

/** Lengths of the schemas: `Max140Text` and `Max35Text`. */
const NAME = 140
const MESSAGE = 140
const ID = 35

/** Clearing numbers by which Swedish banks know the giros: Bankgirot, and Plusgirot at Nordea. */
const BANKGIRO_CLEARING = '9900'
const PLUSGIRO_CLEARING = '9960'
const CLEARING_DIGITS = 4

/**
 * The whole message, some hundred payments at a time. Throws when the payments are not as many, or do not come to as
 * much, as its head says: what has been written by then is no message.
 */
export async function* writePain001(bank: Bank, dialect: FileDialect, file: OrderFile): AsyncIterable<string> {
  yield head(bank, dialect, file)
  let [count, minor] = [0, 0n]
  for await (const slice of file.payments) {
    yield slice.map((payment, index) => transaction(bank, dialect, payment, count + index)).join('')
    count += slice.length
    minor = slice.reduce((sum, { amount }) => sum + amountIn(file, amount), minor)
  }
  if (count !== file.count || minor !== file.total.minor) {
    throw new Error(`File ${file.messageId} does not hold what it says: ${count} payments of ${file.count}`)
  }
  yield '</PmtInf></CstmrCdtTrfInitn></Document>\n'
}

/** The number of a payment in its file, counted from 1, as `InstrId` tells it. */
export function instructionIdAt(position: number): string {
  return String(position + 1)
}

function head(bank: Bank, { message, initiatingParty, accounts }: FileDialect, file: OrderFile): string {
  const { agreement, debtor, messageId, organisationNumber } = file
  const sums = element('NbOfTxs', String(file.count)) + element('CtrlSum', printAmount(file.total))
  const id = textElement('Id', initiatingParty === 'agreement' ? agreement : organisationNumber, ID)
  const day = file.dueDate.toString()
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}">${'<CstmrCdtTrfInitn>'}${element(
    'GrpHdr',
    textElement('MsgId', messageId, ID) +
      element('CreDtTm', createdAt(bank, file)) +
      sums +
      element(
        'InitgPty',
        textElement('Nm', debtor.name, NAME) +
          element('Id', element('OrgId', element('Othr', id + element('SchmeNm', element('Cd', 'CUST'))))),
      ),
  )}<PmtInf>${
    textElement('PmtInfId', messageId, ID) +
    element('PmtMtd', 'TRF') +
    element('BtchBookg', String(file.batchBooking)) +
    sums +
    element(
      'PmtTpInf',
      element('InstrPrty', 'NORM') +
        element('SvcLvl', element('Cd', 'NURG')) +
        element('CtgyPurp', element('Cd', 'SALA')),
    ) +
    element('ReqdExctnDt', isNewer(message) ? element('Dt', day) : day) +
    element('Dbtr', textElement('Nm', debtor.name, NAME)) +
    element('DbtrAcct', accountId(debtor, accounts) + element('Ccy', debtor.currency)) +
    element('DbtrAgt', element('FinInstnId', element(isNewer(message) ? 'BICFI' : 'BIC', bank.bic))) +
    element('ChrgBr', 'SLEV')
  }`
}

/** By the bank's clock, without an offset, as banks write it themselves. */
function createdAt({ profile }: Bank, file: OrderFile): string {
  return file.createdAt.toZonedDateTimeISO(profile.timeZone).toPlainDateTime().toString({ smallestUnit: 'second' })
}

function transaction(bank: Bank, { accounts }: FileDialect, payment: BulkElement, position: number): string {
  const { amount, creditor, endToEndId, remittance } = payment
  const instructed = `<InstdAmt Ccy="${amount.currency}">${printAmount(amount)}</InstdAmt>`
  return element(
    'CdtTrfTxInf',
    element('PmtId', element('InstrId', instructionIdAt(position)) + textElement('EndToEndId', endToEndId, ID)) +
      element('Amt', instructed) +
      creditorAgent(bank, creditor.account) +
      element('Cdtr', textElement('Nm', creditor.name, NAME)) +
      element('CdtrAcct', creditorId(creditor.account, accounts)) +
      (remittance === null ? '' : element('RmtInf', said(remittance))),
  )
}

/** In Sweden the number of an account does not say whose it is by itself; elsewhere the bank follows from it. */
function creditorAgent({ countryCode }: Bank, account: CreditorAccount): string {
  return countryCode === 'SE'
    ? element(
        'CdtrAgt',
        element(
          'FinInstnId',
          element(
            'ClrSysMmbId',
            element('ClrSysId', element('Cd', 'SESBA')) + element('MmbId', swedishClearing(account)),
          ),
        ),
      )
    : ''
}

function swedishClearing(account: CreditorAccount): string {
  if (account.type === 'account') {
    return account.bban.slice(0, CLEARING_DIGITS)
  }
  return account.type === 'plusgiro' ? PLUSGIRO_CLEARING : BANKGIRO_CLEARING
}

function creditorId(account: CreditorAccount, accounts: FileDialect['accounts']): string {
  if (account.type === 'account') {
    return accountId(account, accounts)
  }
  const number = account.number.replace('-', '')
  switch (account.type) {
    case 'bankgiro':
      return otherId(number, element('Prtry', 'BGNR'))
    case 'plusgiro':
      return otherId(number, BBAN)
    case 'payment-form':
      return otherId(number, element('Prtry', 'OCR'))
  }
}

const BBAN = element('Cd', 'BBAN')

function accountId(
  { bban, iban }: { readonly bban: string; readonly iban: string | null },
  accounts: FileDialect['accounts'],
): string {
  return accounts === 'iban' && iban !== null ? element('Id', element('IBAN', iban)) : otherId(bban, BBAN)
}

function otherId(number: string, scheme: string): string {
  return element('Id', element('Othr', textElement('Id', number, 34) + element('SchmeNm', scheme)))
}

function said(remittance: Remittance): string {
  switch (remittance.type) {
    case 'message':
      return textElement('Ustrd', remittance.value, MESSAGE)
    case 'ocr':
      return reference(remittance.value)
    case 'fik':
      return reference(`${remittance.cardType}/${remittance.paymentId ?? ''}`)
  }
}

/** A reference of ISO 11649 names whose form it has; national ones do not. */
function reference(value: string): string {
  const issuer = /^RF\d{2}/.test(value) ? element('Issr', 'ISO') : ''
  const type = element('Tp', element('CdOrPrtry', element('Cd', 'SCOR')) + issuer)
  return element('Strd', element('CdtrRefInf', type + textElement('Ref', value, ID)))
}

function isNewer(message: FileDialect['message']): boolean {
  return message === 'pain.001.001.09'
}

function amountIn({ total, messageId }: OrderFile, { currency, minor }: BulkElement['amount']): bigint {
  if (currency !== total.currency) {
    throw new Error(`File ${messageId} mixes ${currency} with ${total.currency}`)
  }
  return minor
}
