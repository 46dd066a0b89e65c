/** Writes one entry as a statement in camt.053.001.08 has it; elements are in the order of the message definition. */

import { escapeXml, truncateCharacters, xmlElement, xmlTextElement } from '../platform/xml-writer.ts'
import type { ApiEntry, Entry, EntryTransaction, ExactAmount } from './entry.ts'

/** Maximum lengths by the types of the message definition. */
const ID = 35
const NAME = 140
const ACCOUNT = 34
const LONG_TEXT = 500
const PURPOSE = 4

const IBAN = /^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}$/
const ISO_CODE = /^([A-Z]{4})-([A-Z]{4})-([A-Z]{4})$/
const REFERENCE_CODES: ReadonlySet<string> = new Set(['RADM', 'RPIN', 'FXDR', 'DISP', 'PUOR', 'SCOR'])
/** The code list's values for a transaction of unknown type. */
const UNKNOWN_TRANSACTION_CODE = ['PMNT', 'NTAV', 'NTAV'] as const

/** `Ntry`. The reference is the entry's stable id; the bank's own id is that of the account servicer. */
export function camtEntry({ reported, shown }: Entry): string {
  const { postedAmount, type, status, elements = [], paymentId } = shown
  const isBatch = reported.batch !== null || elements.length > 0
  const count = reported.batch?.count ?? (elements.length > 0 ? elements.length : null)
  const single: EntryTransaction = shown
  const transactions = elements.length === 0 ? [single] : elements
  return xmlElement(
    'Ntry',
    xmlTextElement('NtryRef', shown.stableEntryId, ID) +
      amount(postedAmount) +
      xmlElement('CdtDbtInd', indicator(type)) +
      xmlElement('Sts', xmlElement('Cd', status === 'BOOKED' ? 'BOOK' : 'PDNG')) +
      xmlElement('BookgDt', xmlElement('Dt', reported.bookedOn?.toString() ?? '')) +
      xmlElement('ValDt', xmlElement('Dt', reported.valueOn?.toString() ?? '')) +
      (isId(shown.transactionId) ? xmlTextElement('AcctSvcrRef', shown.transactionId, ID) : '') +
      xmlElement('BkTxCd', transactionCode(reported.transactionCode, reported.ownTransactionCode)) +
      xmlElement(
        'NtryDtls',
        (isBatch ? xmlElement('Btch', xmlTextElement('NbOfTxs', count?.toString(), ID)) : '') +
          transactions.map((one) => transaction(one, { shown, paymentId, purposeCode: reported.purposeCode })).join(''),
      ) +
      xmlTextElement('AddtlNtryInf', shown.purposeText, LONG_TEXT),
  )
}

type EntryContext = {
  readonly shown: ApiEntry
  readonly paymentId: string | undefined
  readonly purposeCode: string | null
}

/** `TxDtls`; ids of ours are written without hyphens, because they would be too long with them. */
function transaction(one: EntryTransaction, { shown, paymentId, purposeCode }: EntryContext): string {
  const { endToEndId = '' } = one
  const tooLong = [shown.transactionId, endToEndId].filter((id) => !isId(id))
  return xmlElement(
    'TxDtls',
    xmlElement(
      'Refs',
      (isId(endToEndId) ? xmlTextElement('EndToEndId', endToEndId, ID) : '') +
        xmlTextElement('AcctOwnrTxId', paymentId?.replaceAll('-', ''), ID),
    ) +
      (one.postedAmount === undefined ? '' : amount(one.postedAmount) + xmlElement('CdtDbtInd', indicator(one.type))) +
      xmlElement(
        'RltdPties',
        party('Dbtr', one.debtor) +
          account('DbtrAcct', one.debtor) +
          party('Cdtr', one.creditor) +
          account('CdtrAcct', one.creditor),
      ) +
      xmlElement('Purp', xmlTextElement((purposeCode ?? '').length > PURPOSE ? 'Prtry' : 'Cd', purposeCode, ID)) +
      xmlElement('RmtInf', remittance(one.remittanceInformation)) +
      xmlTextElement('AddtlTxInf', tooLong.join(' '), LONG_TEXT),
  )
}

function isId(text: string): boolean {
  return [...text].length <= ID
}

/** `Amt`. */
export function amount({ amount: decimal, currency }: ExactAmount): string {
  return `<Amt Ccy="${escapeXml(currency)}">${decimal}</Amt>`
}

function indicator(type: ApiEntry['type']): string {
  return type === 'CREDIT' ? 'CRDT' : 'DBIT'
}

function transactionCode(code: string | null, own: string | null): string {
  const [, domain, family, subFamily] = ISO_CODE.exec(code ?? '') ?? []
  const known = domain === undefined ? undefined : ([domain, family ?? '', subFamily ?? ''] as const)
  const proprietary = own ?? (known === undefined ? code : null)
  const stated = known ?? (proprietary === null ? UNKNOWN_TRANSACTION_CODE : undefined)
  return domainOf(stated) + xmlElement('Prtry', xmlTextElement('Cd', proprietary, ID))
}

function domainOf(codes: readonly [string, string, string] | undefined): string {
  if (codes === undefined) {
    return ''
  }
  const [domain, family, subFamily] = codes
  return xmlElement(
    'Domn',
    xmlElement('Cd', domain) + xmlElement('Fmly', xmlElement('Cd', family) + xmlElement('SubFmlyCd', subFamily)),
  )
}

function party(name: string, { name: holder }: ApiEntry['creditor']): string {
  return xmlElement(name, xmlElement('Pty', xmlTextElement('Nm', holder, NAME)))
}

function account(name: string, numbers: ApiEntry['creditor']): string {
  return xmlElement(name, accountId(numbers))
}

/** `Id` of an account: its IBAN, or its domestic number with the scheme `BBAN`. */
export function accountId({ iban, bban }: Pick<ApiEntry['creditor'], 'iban' | 'bban'>): string {
  const domestic = bban ?? iban
  const inner =
    iban !== undefined && IBAN.test(iban)
      ? xmlElement('IBAN', iban)
      : domestic === undefined
        ? ''
        : xmlElement('Othr', xmlTextElement('Id', domestic, ACCOUNT) + xmlElement('SchmeNm', xmlElement('Cd', 'BBAN')))
  return xmlElement('Id', inner)
}

/**
 * Messages are split into lines of the maximum length; structured references are separate elements, where one that is too
 * long is a text, because a part of it may be another one.
 */
function remittance({ unstructured, references = [] }: ApiEntry['remittanceInformation']): string {
  const lines = linesOf(unstructured ?? '').map((line) => xmlTextElement('Ustrd', line, NAME))
  const structured = references.map(({ reference, type }) =>
    xmlElement(
      'Strd',
      isId(reference)
        ? xmlElement('CdtrRefInf', referenceType(type) + xmlTextElement('Ref', reference, ID))
        : xmlTextElement('AddtlRmtInf', reference, NAME),
    ),
  )
  return lines.join('') + structured.join('')
}

function referenceType(type: string | undefined): string {
  const coded = type !== undefined && REFERENCE_CODES.has(type)
  return xmlElement('Tp', xmlElement('CdOrPrtry', coded ? xmlElement('Cd', type) : xmlTextElement('Prtry', type, ID)))
}

function linesOf(text: string): readonly string[] {
  const characters = [...text]
  const starts = Array.from({ length: Math.ceil(characters.length / NAME) }, (_, n) => n * NAME)
  return starts.map((start) => truncateCharacters(characters.slice(start, start + NAME).join(''), NAME))
}
