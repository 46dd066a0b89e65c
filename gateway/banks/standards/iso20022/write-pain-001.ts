/** Writes orders as ISO 20022 pain.001 in chunks, in the structure that Nordic banks require. */
import { countryRules } from '../../../countries/served-countries.ts'
import { formatAmount } from '../../../platform/money.ts'
import { xmlElement, xmlTextElement } from '../../../platform/xml-writer.ts'
import type { Bank } from '../../connector/bank.ts'
import type { BulkTransaction, Remittance } from '../../connector/bank-order.ts'
import type { OrderFile } from '../../connector/file-product.ts'
import { shortenEndToEndId } from '../../connector/shorten-end-to-end-id.ts'
import type { FileDialect } from './file-dialect.ts'

/** Maximum lengths of the schema: `Max140Text` and `Max35Text`. */
const NAME = 140
const MESSAGE = 140
const ID = 35
export const END_TO_END_ID_MAX = ID

/**
 * The message in chunks of some hundred payments. Throws when number or total of the payments differ from the header;
 * the chunks so far are then not a valid message.
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
    throw new Error(`File ${file.messageId} is inconsistent with its header: ${count} payments of ${file.count}`)
  }
  yield '</PmtInf></CstmrCdtTrfInitn></Document>\n'
}

/** The number of a payment in its file, from 1, as in `InstrId`. */
export function instructionIdAt(position: number): string {
  return String(position + 1)
}

function head(bank: Bank, { message, initiatingParty, accounts }: FileDialect, file: OrderFile): string {
  const { agreement, debtor, messageId, organisationNumber } = file
  const sums = xmlElement('NbOfTxs', String(file.count)) + xmlElement('CtrlSum', formatAmount(file.total))
  const id = xmlTextElement('Id', initiatingParty === 'agreement' ? agreement : organisationNumber, ID)
  const day = file.dueDate.toString()
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}">${'<CstmrCdtTrfInitn>'}${xmlElement(
    'GrpHdr',
    xmlTextElement('MsgId', messageId, ID) +
      xmlElement('CreDtTm', createdAt(bank, file)) +
      sums +
      xmlElement(
        'InitgPty',
        xmlTextElement('Nm', debtor.name, NAME) +
          xmlElement(
            'Id',
            xmlElement('OrgId', xmlElement('Othr', id + xmlElement('SchmeNm', xmlElement('Cd', 'CUST')))),
          ),
      ),
  )}<PmtInf>${
    xmlTextElement('PmtInfId', messageId, ID) +
    xmlElement('PmtMtd', 'TRF') +
    xmlElement('BtchBookg', String(file.batchBooking)) +
    sums +
    xmlElement(
      'PmtTpInf',
      xmlElement('InstrPrty', 'NORM') +
        xmlElement('SvcLvl', xmlElement('Cd', 'NURG')) +
        xmlElement('CtgyPurp', xmlElement('Cd', 'SALA')),
    ) +
    xmlElement('ReqdExctnDt', isNewer(message) ? xmlElement('Dt', day) : day) +
    xmlElement('Dbtr', xmlTextElement('Nm', debtor.name, NAME)) +
    xmlElement('DbtrAcct', accountId(debtor, accounts) + xmlElement('Ccy', debtor.currency)) +
    xmlElement('DbtrAgt', xmlElement('FinInstnId', xmlElement(isNewer(message) ? 'BICFI' : 'BIC', bank.bic))) +
    xmlElement('ChrgBr', 'SLEV')
  }`
}

/** In the bank's time zone without offset, as banks write it. */
function createdAt({ profile }: Bank, file: OrderFile): string {
  return file.createdAt.toZonedDateTimeISO(profile.timeZone).toPlainDateTime().toString({ smallestUnit: 'second' })
}

function transaction(bank: Bank, { accounts }: FileDialect, payment: BulkTransaction, position: number): string {
  const { amount, creditor, endToEndId, remittance } = payment
  if (creditor.account.type !== 'account' || remittance?.type === 'fik') {
    throw new Error('Files pay to bank accounts only, as payrolls do (decision 0075)')
  }
  const instructed = `<InstdAmt Ccy="${amount.currency}">${formatAmount(amount)}</InstdAmt>`
  return xmlElement(
    'CdtTrfTxInf',
    xmlElement(
      'PmtId',
      xmlElement('InstrId', instructionIdAt(position)) +
        xmlTextElement('EndToEndId', shortenEndToEndId(endToEndId, END_TO_END_ID_MAX), ID),
    ) +
      xmlElement('Amt', instructed) +
      creditorAgent(bank, creditor.account) +
      xmlElement('Cdtr', xmlTextElement('Nm', creditor.name, NAME)) +
      xmlElement('CdtrAcct', accountId(creditor.account, accounts)) +
      (remittance === null ? '' : xmlElement('RmtInf', remittanceInformation(remittance))),
  )
}

/** Where the account number alone does not identify the bank, as in Sweden. */
function creditorAgent({ countryCode }: Bank, { bban }: { readonly bban: string }): string {
  const rules = countryRules(countryCode)
  return rules === undefined || rules.clearingSystem === null
    ? ''
    : xmlElement(
        'CdtrAgt',
        xmlElement(
          'FinInstnId',
          xmlElement(
            'ClrSysMmbId',
            xmlElement('ClrSysId', xmlElement('Cd', rules.clearingSystem)) +
              xmlElement('MmbId', rules.bankCodeOf(bban)),
          ),
        ),
      )
}

function accountId(
  { bban, iban }: { readonly bban: string; readonly iban: string | null },
  accounts: FileDialect['accounts'],
): string {
  // An account whose number cannot be derived from its IBAN has the IBAN as number, too.
  const isNamedByIban = accounts === 'iban' || bban === iban
  if (isNamedByIban && iban !== null) {
    return xmlElement('Id', xmlElement('IBAN', iban))
  }
  const scheme = xmlElement('SchmeNm', xmlElement('Cd', 'BBAN'))
  return xmlElement('Id', xmlElement('Othr', xmlTextElement('Id', bban, 34) + scheme))
}

/** An ISO 11649 reference has an issuer; national ones have none. */
function remittanceInformation({ type: kind, value }: Exclude<Remittance, { readonly type: 'fik' }>): string {
  if (kind === 'message') {
    return xmlTextElement('Ustrd', value, MESSAGE)
  }
  const issuer = /^RF\d{2}/.test(value) ? xmlElement('Issr', 'ISO') : ''
  const type = xmlElement('Tp', xmlElement('CdOrPrtry', xmlElement('Cd', 'SCOR')) + issuer)
  return xmlElement('Strd', xmlElement('CdtrRefInf', type + xmlTextElement('Ref', value, ID)))
}

function isNewer(message: FileDialect['message']): boolean {
  return message === 'pain.001.001.09'
}

function amountIn({ total, messageId }: OrderFile, { currency, minor }: BulkTransaction['amount']): bigint {
  if (currency !== total.currency) {
    throw new Error(`File ${messageId} mixes ${currency} with ${total.currency}`)
  }
  return minor
}
