/** Sample debtors, creditors and orders at the sandbox banks, for tests of connectors. */
import directory from '../../../data/sandbox-directory.json' with { type: 'json' }
import { ibanOf } from '../../countries/account-number.ts'
import { countryRules } from '../../countries/served-countries.ts'
import { offsetPort } from '../../platform/http/offset-port.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import type { Bank } from '../connector/bank.ts'
import type {
  BulkOrder,
  BulkTransaction,
  CreditorAccount,
  CrossBorderOrder,
  DomesticOrder,
} from '../connector/bank-order.ts'
import type { BankCaller } from '../connector/connector.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../directory/validate-bank-profile.ts'
import { supportedFieldsOf } from '../standards/berlin-group/payments/order-body.ts'
import { sampleCaller } from './samples.ts'

/** URLs of a running sandbox bank; that of XS2A is the first bank's. */
export type SandboxUrls = { readonly xs2aUrl: string; readonly pagesUrl: string }

const profiles = await readBankProfiles(BANK_PROFILES_FOLDER)

/** Valid accounts of banks that are not in the sandbox. */
const foreignByCountry: Readonly<Record<string, string>> = {
  NO: '86011117947',
  SE: '54391024039',
  DK: '00400440116243',
  FI: '10093000123458',
}

/** The banks of the directory, by BIC. */
export const SANDBOX_BICS: readonly string[] = directory.banks.map(({ bic }) => bic)

export function sandboxBank(bic: string, { xs2aUrl, pagesUrl }: SandboxUrls): Bank {
  const index = directory.banks.findIndex((bank) => bank.bic === bic)
  const row = directory.banks[index]
  const profile = row === undefined ? undefined : profiles.get(row.profile)
  if (row === undefined || profile === undefined) {
    throw new Error(`The sandbox has no bank ${bic}, or no profile for it`)
  }
  const { name, countryCode, path } = row
  const linkHosts = [new URL(pagesUrl).host]
  const address = `${offsetPort(xs2aUrl, index)}/${path}`
  const connector = 'berlin-group'
  const supports = supportedFieldsOf(profile)
  return { bic, name, countryCode, connector, address, linkHosts, certificate: null, profile, supports }
}

/** The company's first user, present and without a consent. */
export function sandboxCaller(bank: Bank): BankCaller {
  const { organisationNumber } = companyOf(bank)
  return sampleCaller({ bank, userId: nordicBank(bank.bic).users[0], organisationNumber, bankConsentId: null })
}

/** A valid order to a supplier at the same bank, with a message. */
export function sandboxOrder(bank: Bank, dueDate: Temporal.PlainDate, minor: bigint): DomesticOrder {
  const { main, supplier } = nordicBank(bank.bic)
  const currency = countryRules(bank.countryCode)?.currency ?? ''
  return {
    endToEndId: `invoice-${minor}`,
    rail: 'account',
    debtor: { ...numbers(bank, main), name: companyOf(bank).name, currency },
    creditor: { account: { type: 'account', ...numbers(bank, supplier) }, name: 'Leverandor' },
    amount: { minor, currency },
    dueDate,
    remittance: { type: 'message', value: 'Faktura 4711' },
    purposeCode: null,
  }
}

/** A valid bulk of three payments to that supplier, for an amount and the next two. */
export function sandboxBulk(bank: Bank, dueDate: Temporal.PlainDate, minor: bigint): BulkOrder {
  const { debtor } = sandboxOrder(bank, dueDate, minor)
  const orders = [minor, minor + 1n, minor + 2n].map((amount) => sandboxOrder(bank, dueDate, amount))
  const payments = orders.map(({ debtor: _debtor, dueDate: _dueDate, ...transaction }) => ({
    ...transaction,
    purposeCode: 'SALA',
  }))
  return { bulkId: `bulk-${minor}`, debtor, dueDate, batchBooking: true, payments }
}

/** A payment of the bulk with an amount that the bank rejects at execution. */
export function rejectedInBulk(element: BulkTransaction): BulkTransaction {
  return { ...element, amount: { ...element.amount, minor: REJECTED_MINOR } }
}

/** 7702.00: see the guide to the sandbox. */
const REJECTED_MINOR = 770_200n

/** The changes that produce all other kinds of orders at the bank. */
export function ordersAt(bank: Bank): readonly Partial<DomesticOrder>[] {
  return [
    {},
    { remittance: null },
    { purposeCode: 'SUPP' },
    { endToEndId: 'an-end-to-end-id-that-is-longer-than-any-bank-takes' },
    ...(referencesByCountry[bank.countryCode] ?? []).map((value) => ({ remittance: { type: 'ocr', value } as const })),
    ...furtherOrders
      .map((order) => ({ ...order, rail: order.creditor.account.type }))
      .filter(({ rail }) => bank.profile.rails[rail] !== undefined),
  ]
}

/** Orders to a supplier in Germany in another currency, with a regulatory code; null at banks without them. */
export function crossBorderAt(bank: Bank, today: () => Promise<Temporal.PlainDate>, nextAmount: () => bigint) {
  const account = currencyAccounts[bank.bic]
  if (account === undefined) {
    return null
  }
  const [bban, currency] = account
  const order = async (): Promise<CrossBorderOrder> => ({
    endToEndId: 'cross-border',
    debtor: { ...numbers(bank, bban), name: companyOf(bank).name, currency },
    creditor: germanCreditor,
    amount: { minor: nextAmount(), currency },
    dueDate: await today(),
    message: 'Invoice 4711',
    debtorReference: null,
    regulatoryReporting: null,
  })
  return { order, reporting: reportingByCountry[bank.countryCode] ?? null }
}

const currencyAccounts: Readonly<Record<string, readonly [bban: string, currency: string]>> = {
  FJORNO22: ['80501100076', 'EUR'],
  VSKYNO22: ['80521100072', 'EUR'],
  MALBSESS: ['79901000076', 'EUR'],
  ORESDK22: ['59600001100066', 'EUR'],
  SAIMFIHH: ['40550001000062', 'USD'],
}

const reportingByCountry: Readonly<Record<string, CrossBorderOrder['regulatoryReporting']>> = {
  NO: { code: '14', information: 'Goods' },
  SE: { code: '101', information: null },
}

const germanCreditor: CrossBorderOrder['creditor'] = {
  account: { type: 'iban', number: 'DE89370400440532013000' },
  bic: 'COBADEFFXXX',
  clearingCode: null,
  name: 'Elbe Werkzeug GmbH',
  address: { streetName: 'Hafenstrasse', buildingNumber: '12', city: 'Hamburg', postCode: '20457', country: 'DE' },
}

/** The company's accounts whose payments need no signature, and two signatures. */
export function debtorsAt(bank: Bank): Readonly<Record<'unsigned' | 'two', DomesticOrder['debtor']>> {
  const { noSigning, twoSigners } = nordicBank(bank.bic)
  const { name } = companyOf(bank)
  const currency = countryRules(bank.countryCode)?.currency ?? ''
  return {
    unsigned: { ...numbers(bank, noSigning), name, currency },
    two: { ...numbers(bank, twoSigners), name, currency },
  }
}

/** The id of the company's second user. */
export function secondSigner(bank: Bank): string {
  return nordicBank(bank.bic).users[1]
}

/** An account of another holder at a real bank. */
export function foreignDebtor(bank: Bank): DomesticOrder['debtor'] {
  const currency = countryRules(bank.countryCode)?.currency ?? ''
  return { ...numbers(bank, foreignByCountry[bank.countryCode] ?? ''), name: 'Somebody', currency }
}

const referencesByCountry: Readonly<Record<string, readonly string[]>> = {
  NO: ['2345676', '1000005-'],
  SE: ['1230'],
  FI: ['1234561', 'RF18539007547034'],
}

const MESSAGE = { type: 'message', value: 'Faktura 4711' } as const
const OCR = { type: 'ocr', value: '1230' } as const
const FORM = { type: 'fik', cardType: '71', paymentId: '000000000000018', message: null } as const
const FORM_WITH_MESSAGE = { type: 'fik', cardType: '73', paymentId: null, message: 'Faktura 4711' } as const
const GIRO_FORM_WITH_MESSAGE = { ...FORM_WITH_MESSAGE, cardType: '01' } as const

const furtherOrders = [
  { creditor: named({ type: 'bankgiro', number: '5990-0019' }), remittance: MESSAGE },
  { creditor: named({ type: 'bankgiro', number: '5990-0019' }), remittance: OCR },
  { creditor: named({ type: 'plusgiro', number: '599001-5' }), remittance: MESSAGE },
  { creditor: named({ type: 'plusgiro', number: '599001-5' }), remittance: OCR },
  { creditor: named({ type: 'payment-form', number: '89900120' }), remittance: FORM },
  { creditor: named({ type: 'payment-form', number: '89900138' }), remittance: FORM_WITH_MESSAGE },
  { creditor: named({ type: 'payment-form', number: '9900120' }), remittance: GIRO_FORM_WITH_MESSAGE },
] as const

function named<Account extends CreditorAccount>(account: Account) {
  return { account, name: 'Leverandor' } as const
}

function numbers({ countryCode }: Bank, bban: string): { readonly bban: string; readonly iban: string | null } {
  return { bban, iban: ibanOf(countryCode, bban) ?? null }
}

function companyOf(bank: Bank): { readonly organisationNumber: string; readonly name: string } {
  const company = directory.companies.find(({ countryCode }) => countryCode === bank.countryCode)
  if (company === undefined) {
    throw new Error(`The demo partner has no company in ${bank.countryCode}`)
  }
  return company
}
