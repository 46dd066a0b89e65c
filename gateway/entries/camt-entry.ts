/** Writes one entry as a statement in camt.053.001.08 has it; members stand in the order of the message definition. */

import { cut, element, escaped, textElement } from '../platform/xml-writer.ts'
import type { Entry, ExactAmount, ShownElement, ShownEntry } from './entry.ts'

/** How long texts may be, by the types of the message definition. */
const ID = 35
const NAME = 140
const ACCOUNT = 34
const LONG_TEXT = 500

const IBAN = /^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}$/
const ISO_CODE = /^([A-Z]{4})-([A-Z]{4})-([A-Z]{4})$/
const REFERENCE_CODES: ReadonlySet<string> = new Set(['RADM', 'RPIN', 'FXDR', 'DISP', 'PUOR', 'SCOR'])
/** What the code list has for a kind that is not told. */
const KIND_NOT_TOLD = ['PMNT', 'NTAV', 'NTAV'] as const

/** `Ntry`. What an entry is known by for good is its reference, the bank's own id is that of the account servicer. */
export function camtEntry({ told, shown }: Entry): string {
  const { postedAmount, type, status, elements = [], paymentId } = shown
  const isBatch = told.batch !== null || elements.length > 0
  const count = told.batch?.count ?? (elements.length > 0 ? elements.length : null)
  const alone: ShownElement = shown
  const transactions = elements.length === 0 ? [alone] : elements
  return element(
    'Ntry',
    textElement('NtryRef', shown.stableEntryId, ID) +
      amount(postedAmount) +
      element('CdtDbtInd', indicator(type)) +
      element('Sts', element('Cd', status === 'BOOKED' ? 'BOOK' : 'PDNG')) +
      element('BookgDt', element('Dt', told.bookedOn?.toString() ?? '')) +
      element('ValDt', element('Dt', told.valueOn?.toString() ?? '')) +
      (isId(shown.transactionId) ? textElement('AcctSvcrRef', shown.transactionId, ID) : '') +
      element('BkTxCd', transactionCode(told.transactionCode, told.ownTransactionCode)) +
      element(
        'NtryDtls',
        (isBatch ? element('Btch', textElement('NbOfTxs', count?.toString(), ID)) : '') +
          transactions.map((one) => transaction(one, { shown, paymentId, purposeCode: told.purposeCode })).join(''),
      ) +
      textElement('AddtlNtryInf', shown.purposeText, LONG_TEXT),
  )
}

type Whole = {
  readonly shown: ShownEntry
  readonly paymentId: string | undefined
  readonly purposeCode: string | null
}

/** `TxDtls`; an id of ours is written without hyphens, with which it would be too long. */
function transaction(one: ShownElement, { shown, paymentId, purposeCode }: Whole): string {
  const { transactionId } = shown
  return element(
    'TxDtls',
    element(
      'Refs',
      textElement('EndToEndId', one.endToEndId, ID) + textElement('AcctOwnrTxId', paymentId?.replaceAll('-', ''), ID),
    ) +
      (one.postedAmount === undefined ? '' : amount(one.postedAmount) + element('CdtDbtInd', indicator(one.type))) +
      element(
        'RltdPties',
        party('Dbtr', one.debtor) +
          account('DbtrAcct', one.debtor) +
          party('Cdtr', one.creditor) +
          account('CdtrAcct', one.creditor),
      ) +
      element('Purp', textElement('Cd', purposeCode, 4)) +
      element('RmtInf', remittance(one.remittanceInformation)) +
      (isId(transactionId) ? '' : textElement('AddtlTxInf', transactionId, LONG_TEXT)),
  )
}

function isId(text: string): boolean {
  return [...text].length <= ID
}

/** `Amt`. */
export function amount({ amount: decimal, currency }: ExactAmount): string {
  return `<Amt Ccy="${escaped(currency)}">${decimal}</Amt>`
}

function indicator(type: ShownEntry['type']): string {
  return type === 'CREDIT' ? 'CRDT' : 'DBIT'
}

function transactionCode(code: string | null, own: string | null): string {
  const [, domain, family, subFamily] = ISO_CODE.exec(code ?? '') ?? []
  const known = domain === undefined ? undefined : ([domain, family ?? '', subFamily ?? ''] as const)
  const proprietary = own ?? (known === undefined ? code : null)
  const stated = known ?? (proprietary === null ? KIND_NOT_TOLD : undefined)
  return domainOf(stated) + element('Prtry', textElement('Cd', proprietary, ID))
}

function domainOf(codes: readonly [string, string, string] | undefined): string {
  if (codes === undefined) {
    return ''
  }
  const [domain, family, subFamily] = codes
  return element(
    'Domn',
    element('Cd', domain) + element('Fmly', element('Cd', family) + element('SubFmlyCd', subFamily)),
  )
}

function party(name: string, { name: holder }: ShownEntry['creditor']): string {
  return element(name, element('Pty', textElement('Nm', holder, NAME)))
}

function account(name: string, numbers: ShownEntry['creditor']): string {
  return element(name, accountId(numbers))
}

/** `Id` of an account: its IBAN, or its domestic number and that it is one. */
export function accountId({ iban, bban }: Pick<ShownEntry['creditor'], 'iban' | 'bban'>): string {
  const domestic = bban ?? iban
  const inner =
    iban !== undefined && IBAN.test(iban)
      ? element('IBAN', iban)
      : domestic === undefined
        ? ''
        : element('Othr', textElement('Id', domestic, ACCOUNT) + element('SchmeNm', element('Cd', 'BBAN')))
  return element('Id', inner)
}

/** Messages stand in lines of the length that the definition gives them, structured references one by one. */
function remittance({ unstructured, references = [] }: ShownEntry['remittanceInformation']): string {
  const lines = linesOf(unstructured ?? '').map((line) => textElement('Ustrd', line, NAME))
  const structured = references.map(({ reference, type }) =>
    element('Strd', element('CdtrRefInf', referenceType(type) + textElement('Ref', reference, ID))),
  )
  return lines.join('') + structured.join('')
}

function referenceType(type: string | undefined): string {
  const coded = type !== undefined && REFERENCE_CODES.has(type)
  return element('Tp', element('CdOrPrtry', coded ? element('Cd', type) : textElement('Prtry', type, ID)))
}

function linesOf(text: string): readonly string[] {
  const characters = [...text]
  const starts = Array.from({ length: Math.ceil(characters.length / NAME) }, (_, n) => n * NAME)
  return starts.map((start) => cut(characters.slice(start, start + NAME).join(''), NAME))
}
