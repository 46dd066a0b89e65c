/** The sandbox's banks with the users and accounts that tests use. */
import { isTestedBank } from '../../../sandbox/testing/tested-banks.ts'

/** Fixture values that are the same at all banks of a country. */
export type Country = {
  readonly countryCode: 'NO' | 'SE' | 'DK' | 'FI'
  readonly currency: string
  readonly organizationNumber: string
  readonly companyName: string
  readonly supplierName: string
}

/** A bank with the demo company's accounts and users. */
export type NordicBank = Country & {
  readonly bic: string
  /** The first user initiates, the second one is a second signer, the third one may only view. */
  readonly users: readonly [payer: string, second: string, viewer: string]
  readonly main: string
  readonly noSigning: string
  readonly twoSigners: string
  readonly empty: string
  readonly viewOnly: string
  /** A supplier at the same bank. */
  readonly supplier: string
  /** Whether users sign on plain pages of the bank; otherwise in apps, by OAuth, or with confirmation codes. */
  readonly plainPages: boolean
}

const norway: Country = {
  countryCode: 'NO',
  currency: 'NOK',
  organizationNumber: '987654325',
  companyName: 'Nordlys Handel AS',
  supplierName: 'Granli Trelast AS',
}
const sweden: Country = {
  countryCode: 'SE',
  currency: 'SEK',
  organizationNumber: '5599901005',
  companyName: 'Norrsken Handel AB',
  supplierName: 'Granskog Trä AB',
}
const denmark: Country = {
  countryCode: 'DK',
  currency: 'DKK',
  organizationNumber: '99001100',
  companyName: 'Nordstjernen Handel ApS',
  supplierName: 'Bøgelund Tømmer A/S',
}
const finland: Country = {
  countryCode: 'FI',
  currency: 'EUR',
  organizationNumber: '9900110-9',
  companyName: 'Revontuli Kauppa Oy',
  supplierName: 'Kuusela Puu Oy',
}

const usersByCountry = {
  NO: ['01815012345', '02825054321', '03835067890'],
  SE: ['199081150100', '199182160200', '199283170300'],
  DK: ['freja.jensen', 'mads.holm', 'ida.krogh'],
  FI: ['10020030', '10020041', '10020052'],
} as const

/** Banks where users do not sign on plain pages. */
const OTHER_WAYS = ['ELVANO22', 'NORDSESS', 'KATTDK22', 'PAIJFIHH']

/** Every bank of the sandbox. Accounts: main, SCA-exempt, two signers, empty, view only, the supplier's. */
export const nordicBanks: readonly NordicBank[] = [
  bank(norway, 'FJELNO22', '80511100015 80511100031 80511100058 80511100023 80511100066 80511200028'),
  bank(norway, 'VSKYNO22', '80521100013 80521100048 80521100056 80521100021 80521100064 80521200018'),
  bank(norway, 'HAVBNO22', '80531100011 80531100046 80531100054 80531100038 80531100062 80531200016'),
  bank(norway, 'FJORNO22', '80501100017 80501100033 80501100041 80501100025 80501100068 80501200011'),
  bank(norway, 'ELVANO22', '80541100028 80541100036 80541100044 80541100052 80541100060 80541200014'),
  bank(sweden, 'MALBSESS', '79901000017 79901000033 79901000041 79901000025 79901000068 79902000010'),
  bank(sweden, 'VASASESS', '59901000017 59901000033 59901000041 59901000025 59901000068 59902000010'),
  bank(sweden, 'SKARSESS', '6990100000010 6990100000037 6990100000045 6990100000029 6990100000053 6990200000012'),
  bank(sweden, 'NORDSESS', '13901000011 13901000038 13901000046 13901000054 13901000062 13902000015'),
  bank(
    denmark,
    'ORESDK22',
    '59600001100011 59600001100033 59600001100044 59600001100022 59600001100055 59600001200011',
  ),
  bank(
    denmark,
    'BLTBDK22',
    '96340001100011 96340001100033 96340001100044 96340001100022 96340001100055 96340001200011',
  ),
  bank(
    denmark,
    'LIMFDK22',
    '98390001100011 98390001100033 98390001100044 98390001100022 98390001100055 98390001200011',
  ),
  bank(
    denmark,
    'KATTDK22',
    '84120001100011 84120001100033 84120001100044 84120001100022 84120001100055 84120001200011',
  ),
  bank(
    finland,
    'SAIMFIHH',
    '40550001000013 40550001000039 40550001000047 40550001000021 40550001000054 40550002000012',
  ),
  bank(
    finland,
    'AURAFIHH',
    '79960001000018 79960001000034 79960001000042 79960001000026 79960001000059 79960002000017',
  ),
  bank(
    finland,
    'PAIJFIHH',
    '47950001000018 47950001000034 47950001000042 47950001000026 47950001000059 47950002000017',
  ),
]

/** The banks at which a test runs that takes long at all of them. */
export const testedBanks = nordicBanks.filter(({ bic }) => isTestedBank(bic))

function bank(country: Country, bic: string, accounts: string): NordicBank {
  const [main = '', noSigning = '', twoSigners = '', empty = '', viewOnly = '', supplier = ''] = accounts.split(' ')
  const users = bic === 'HAVBNO22' ? (['KN12345', 'OH12345', 'IB12345'] as const) : usersByCountry[country.countryCode]
  const plainPages = !OTHER_WAYS.includes(bic)
  return { ...country, bic, users, main, noSigning, twoSigners, empty, viewOnly, supplier, plainPages }
}

/** The bank with a BIC. Throws for an unknown one. */
export function nordicBank(bic: string): NordicBank {
  const found = nordicBanks.find((candidate) => candidate.bic === bic)
  if (found === undefined) {
    throw new Error(`There is no sandbox bank ${bic}`)
  }
  return found
}
