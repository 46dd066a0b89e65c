/** The banks of the sandbox as tests of connectors play with them: who pays, who is paid, and every kind of order. */
import directory from '../../../data/sandbox-directory.json' with { type: 'json' }
import { ibanOf } from '../../countries/account-number.ts'
import { countryRules } from '../../countries/country-rules.ts'
import type { Bank } from '../bank.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../bank-profile.ts'
import type { BankCaller, CreditorAccount, DomesticOrder } from '../connector.ts'
import { sampleCaller } from './samples.ts'

/** A company of the sandbox at one bank: its first user, its accounts by what they ask for, and whom it pays. */
type Role = {
  readonly userId: string
  readonly debtor: string
  readonly supplier: string
  /** Nobody signs here. */
  readonly unsigned: string
  /** Two sign here. */
  readonly two: string
}

/** Where a running sandbox bank is. */
export type SandboxPlace = { readonly xs2aUrl: string; readonly pagesUrl: string }

const profiles = await readBankProfiles(BANK_PROFILES_FOLDER)

const roleByBic: Readonly<Record<string, Role>> = {
  FJORNO22: {
    userId: '01815012345',
    debtor: '80501100017',
    supplier: '80501200011',
    unsigned: '80501100033',
    two: '80501100041',
  },
  FJELNO22: {
    userId: '01815012345',
    debtor: '80511100015',
    supplier: '80511200028',
    unsigned: '80511100031',
    two: '80511100058',
  },
  VSKYNO22: {
    userId: '01815012345',
    debtor: '80521100013',
    supplier: '80521200018',
    unsigned: '80521100048',
    two: '80521100056',
  },
  HAVBNO22: {
    userId: 'KN12345',
    debtor: '80531100011',
    supplier: '80531200016',
    unsigned: '80531100046',
    two: '80531100054',
  },
  ELVANO22: {
    userId: '01815012345',
    debtor: '80541100028',
    supplier: '80541200014',
    unsigned: '80541100036',
    two: '80541100044',
  },
  MALBSESS: {
    userId: '199081150100',
    debtor: '79901000017',
    supplier: '79902000010',
    unsigned: '79901000033',
    two: '79901000041',
  },
  VASASESS: {
    userId: '199081150100',
    debtor: '59901000017',
    supplier: '59902000010',
    unsigned: '59901000033',
    two: '59901000041',
  },
  SKARSESS: {
    userId: '199081150100',
    debtor: '6990100000010',
    supplier: '6990200000012',
    unsigned: '6990100000037',
    two: '6990100000045',
  },
  NORDSESS: {
    userId: '199081150100',
    debtor: '13901000011',
    supplier: '13902000015',
    unsigned: '13901000038',
    two: '13901000046',
  },
  ORESDK22: {
    userId: 'freja.jensen',
    debtor: '59600001100011',
    supplier: '59600001200011',
    unsigned: '59600001100033',
    two: '59600001100044',
  },
  BLTBDK22: {
    userId: 'freja.jensen',
    debtor: '96340001100011',
    supplier: '96340001200011',
    unsigned: '96340001100033',
    two: '96340001100044',
  },
  LIMFDK22: {
    userId: 'freja.jensen',
    debtor: '98390001100011',
    supplier: '98390001200011',
    unsigned: '98390001100033',
    two: '98390001100044',
  },
  KATTDK22: {
    userId: 'freja.jensen',
    debtor: '84120001100011',
    supplier: '84120001200011',
    unsigned: '84120001100033',
    two: '84120001100044',
  },
  SAIMFIHH: {
    userId: '10020030',
    debtor: '40550001000013',
    supplier: '40550002000012',
    unsigned: '40550001000039',
    two: '40550001000047',
  },
  AURAFIHH: {
    userId: '10020030',
    debtor: '79960001000018',
    supplier: '79960002000017',
    unsigned: '79960001000034',
    two: '79960001000042',
  },
  PAIJFIHH: {
    userId: '10020030',
    debtor: '47950001000018',
    supplier: '47950002000017',
    unsigned: '47950001000034',
    two: '47950001000042',
  },
}

/** Sound accounts of banks that are not in the sandbox. */
const foreignByCountry: Readonly<Record<string, string>> = {
  NO: '86011117947',
  SE: '54391024039',
  DK: '00400440116243',
  FI: '10093000123458',
}

/** The banks of the directory, by BIC. */
export const SANDBOX_BICS: readonly string[] = directory.banks.map(({ bic }) => bic)

/** A bank of the sandbox as the directory has it. */
export function sandboxBank(bic: string, { xs2aUrl, pagesUrl }: SandboxPlace): Bank {
  const row = directory.banks.find((bank) => bank.bic === bic)
  const profile = row === undefined ? undefined : profiles.get(row.profile)
  if (row === undefined || profile === undefined) {
    throw new Error(`The sandbox has no bank ${bic}, or no profile for it`)
  }
  const { name, countryCode, path } = row
  const linkHosts = [new URL(pagesUrl).host]
  return { bic, name, countryCode, connector: 'berlin-group', address: `${xs2aUrl}/${path}`, linkHosts, profile }
}

/** The company's first user, who is there and has no consent yet. */
export function sandboxCaller(bank: Bank): BankCaller {
  const { organisationNumber } = companyOf(bank)
  return sampleCaller({ bank, userId: roleOf(bank).userId, organisationNumber, bankConsentId: null })
}

/** A sound order to a supplier at the same bank, with a message. */
export function sandboxOrder(bank: Bank, dueDate: Temporal.PlainDate, minor: bigint): DomesticOrder {
  const { debtor, supplier } = roleOf(bank)
  const currency = countryRules(bank.countryCode)?.currency ?? ''
  return {
    endToEndId: `invoice-${minor}`,
    debtor: { ...numbers(bank, debtor), name: companyOf(bank).name, currency },
    creditor: { account: { type: 'account', ...numbers(bank, supplier) }, name: 'Leverandor' },
    amount: { minor, currency },
    dueDate,
    remittance: { type: 'message', value: 'Faktura 4711' },
    purposeCode: null,
  }
}

/** What makes of that order all others that the bank takes. */
export function ordersAt(bank: Bank): readonly Partial<DomesticOrder>[] {
  return [
    {},
    { remittance: null },
    { purposeCode: 'SUPP' },
    { endToEndId: 'an-end-to-end-id-that-is-longer-than-any-bank-takes' },
    ...(referencesByCountry[bank.countryCode] ?? []).map((value) => ({ remittance: { type: 'ocr', value } as const })),
    ...furtherOrders.filter((order) => bank.profile.rails[order.creditor.account.type] !== undefined),
  ]
}

/** The company's accounts from which nobody has to sign, and from which two have to. */
export function debtorsAt(bank: Bank): Readonly<Record<'unsigned' | 'two', DomesticOrder['debtor']>> {
  const { unsigned, two } = roleOf(bank)
  const { name } = companyOf(bank)
  const currency = countryRules(bank.countryCode)?.currency ?? ''
  return {
    unsigned: { ...numbers(bank, unsigned), name, currency },
    two: { ...numbers(bank, two), name, currency },
  }
}

/** The id of the company's second user. */
export function secondSigner(bank: Bank): string {
  return bank.bic === 'HAVBNO22' ? 'OH12345' : (secondByCountry[bank.countryCode] ?? '')
}

const secondByCountry: Readonly<Record<string, string>> = {
  NO: '02825054321',
  SE: '199182160200',
  DK: 'mads.holm',
  FI: '10020041',
}

/** An account of somebody else, at a bank of the real world. */
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

function roleOf({ bic }: Bank): Role {
  const role = roleByBic[bic]
  if (role === undefined) {
    throw new Error(`Nobody plays at the bank ${bic}`)
  }
  return role
}

function companyOf(bank: Bank): { readonly organisationNumber: string; readonly name: string } {
  const company = directory.companies.find(({ countryCode }) => countryCode === bank.countryCode)
  if (company === undefined) {
    throw new Error(`The demo partner has no company in ${bank.countryCode}`)
  }
  return company
}
