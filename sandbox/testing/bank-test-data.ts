/** The sandbox's banks from a third party's view: paths, required headers and parameters, and order formats. */
import { MAIN_ACCOUNT, SUPPLIER_ACCOUNT, type ThirdPartyAccess } from './third-party.ts'

/** One bank, with numbers of its fixture in the notation of its orders. */
export type BankTestData = ThirdPartyAccess & {
  readonly bic: string
  readonly name: string
  /** The path of payments to accounts. */
  readonly payments: string
  readonly currency: string
  readonly secondUser: string
  readonly viewer: string
  readonly account: Readonly<Record<'main' | 'unsigned' | 'twoSigners' | 'noMoney' | 'notPayable' | 'supplier', object>>
  /** The remittance information of an order. */
  readonly remittance: Readonly<Record<string, unknown>>
  readonly statuses: {
    readonly first: string
    readonly waiting: string
    readonly executing: string
    readonly last: string
  }
  /** The status codes of `DELETE` before and after authorisation. */
  readonly cancelling: readonly [number, number]
}

type Numbers = readonly [
  main: string,
  unsigned: string,
  twoSigners: string,
  noMoney: string,
  locked: string,
  to: string,
]
type Kind = 'bban' | 'iban'

const text = { remittanceInformationUnstructured: 'Invoice 20481' }
const list = { remittanceInformationUnstructuredArray: ['Invoice ', '20481'] }
const usual = { first: 'RCVD', waiting: 'ACTC', executing: 'ACSP', last: 'ACSC' }

const norway = { currency: 'NOK', payments: '/payments/norwegian-domestic-credit-transfers', remittance: text }
const sweden = { currency: 'SEK', payments: '/payments/se-domestic-credit-transfers', remittance: text }
const denmark = { currency: 'DKK', payments: '/payments/danish-domestic-credit-transfers', remittance: list }
const finland = { currency: 'EUR', payments: '/payments/sepa-credit-transfers', remittance: text }

const norwegians = people('987654325', '01815012345', '02825054321', '03835067890')
const swedes = people('5599901005', '199081150100', '199182160200', '199283170300')
const danes = people('99001100', 'freja.jensen', 'mads.holm', 'ida.krogh')
const finns = people('9900110-9', '10020030', '10020041', '10020052')

/** Every bank that requires no token. */
export const bankTestData: readonly BankTestData[] = [
  {
    ...at('FJORNO22', 'Fjordbanken', 'fjordbanken'),
    ...norway,
    ...norwegians,
    ...accounts('bban', [MAIN_ACCOUNT, '80501100033', '80501100041', '80501100025', '80501100068', SUPPLIER_ACCOUNT]),
  },
  {
    ...at('FJELNO22', 'Fjell Sparebank', 'fjell'),
    ...norway,
    ...norwegians,
    ...accounts('bban', ['80511100015', '80511100031', '80511100058', '80511100023', '80511100066', '80511200028']),
  },
  {
    ...at('VSKYNO22', 'Vestkyst Sparebank', 'vestkyst'),
    ...norway,
    ...norwegians,
    ...accounts('bban', ['80521100013', '80521100048', '80521100056', '80521100021', '80521100064', '80521200018']),
    statuses: { ...usual, first: 'PDNG' },
  },
  {
    ...at('HAVBNO22', 'Havbanken', 'havbanken'),
    ...norway,
    ...people('987654325', 'KN12345', 'OH12345', 'IB12345'),
    ...accounts('bban', ['80531100011', '80531100046', '80531100054', '80531100038', '80531100062', '80531200016']),
  },
  {
    ...at('MALBSESS', 'Mälarbanken', 'malarbanken'),
    ...sweden,
    ...swedes,
    query: '?bic=MALBSESS',
    headers: { 'app-id': 'tests' },
    ...accounts('bban', ['79901000017', '79901000033', '79901000041', '79901000025', '79901000068', '79902000010']),
    statuses: { ...usual, first: 'ACTC', waiting: 'ACCP' },
    cancelling: [204, 204],
  },
  {
    ...at('VASASESS', 'Vasabanken', 'vasabanken'),
    ...sweden,
    ...swedes,
    payments: '/payments/corporate-se-domestic-credit-transfers',
    ...accounts('bban', ['59901000017', '59901000033', '59901000041', '59901000025', '59901000068', '59902000010']),
  },
  {
    ...at('SKARSESS', 'Skärgårdsbanken', 'skargard'),
    ...sweden,
    ...swedes,
    ...accounts('iban', [
      'SE2560000000000100000010',
      'SE7260000000000100000037',
      'SE5060000000000100000045',
      'SE9460000000000100000029',
      'SE2860000000000100000053',
      'SE1560000000000200000012',
    ]),
    statuses: { ...usual, executing: 'ACCP', last: 'ACCP' },
  },
  {
    ...at('ORESDK22', 'Øresundsbanken', 'oresund'),
    ...denmark,
    ...danes,
    ...accounts('bban', danish('5960')),
  },
  {
    ...at('BLTBDK22', 'Bæltbanken', 'baelt'),
    ...denmark,
    ...danes,
    ...accounts('bban', danish('9634')),
  },
  {
    ...at('LIMFDK22', 'Limfjordsbanken', 'limfjord'),
    ...denmark,
    ...danes,
    ...accounts('bban', danish('9839')),
    cancelling: [405, 405],
  },
  {
    ...at('KATTDK22', 'Kattegatbanken', 'kattegat'),
    ...denmark,
    ...danes,
    ...accounts('bban', danish('8412')),
  },
  {
    ...at('SAIMFIHH', 'Saimaan Pankki', 'saimaa'),
    ...finland,
    ...finns,
    ...accounts('iban', [
      'FI0740550001000013',
      'FI8140550001000039',
      'FI5940550001000047',
      'FI8240550001000021',
      'FI6440550001000054',
      'FI8140550002000012',
    ]),
  },
  {
    ...at('AURAFIHH', 'Aurajoen Pankki', 'aurajoki'),
    ...finland,
    ...finns,
    ...accounts('iban', [
      'FI6779960001000018',
      'FI2379960001000034',
      'FI9879960001000042',
      'FI4579960001000026',
      'FI2779960001000059',
      'FI4479960002000017',
    ]),
    statuses: { ...usual, last: 'ACSP' },
    cancelling: [200, 200],
  },
  {
    ...at('PAIJFIHH', 'Päijänteen Pankki', 'paijanne'),
    ...finland,
    ...finns,
    ...accounts('iban', [
      'FI6747950001000018',
      'FI2347950001000034',
      'FI9847950001000042',
      'FI4547950001000026',
      'FI2747950001000059',
      'FI4447950002000017',
    ]),
  },
]

/** Banks that require a token: for every call, or for resources of a grant. */
export const banksWithTokens: readonly BankTestData[] = [
  {
    ...at('ELVANO22', 'Elvebanken', 'elvebanken'),
    ...norway,
    ...norwegians,
    ...accounts('bban', ['80541100028', '80541100036', '80541100044', '80541100052', '80541100060', '80541200014']),
  },
  {
    ...at('NORDSESS', 'Norrbanken', 'norrbanken'),
    ...sweden,
    ...swedes,
    ...accounts('bban', ['13901000011', '13901000038', '13901000046', '13901000054', '13901000062', '13902000015']),
  },
]

export function bankTestDataOf(bic: string): BankTestData {
  const found = [...bankTestData, ...banksWithTokens].find((bank) => bank.bic === bic)
  if (found === undefined) {
    throw new Error(`Tests know no bank ${bic}`)
  }
  return found
}

/** An order from the main account to the supplier that the bank accepts, with a test's changes. */
export function orderForBank(
  bank: BankTestData,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    debtorAccount: bank.account.main,
    instructedAmount: { currency: bank.currency, amount: '1250.00' },
    creditorAccount: bank.account.supplier,
    creditorName: 'A supplier',
    ...bank.remittance,
    ...changes,
  }
}

function at(bic: string, name: string, path: string) {
  return { bic, name, base: `/${path}/v1`, query: '', headers: {}, statuses: usual, cancelling: [204, 202] as const }
}

function people(company: string, user: string, secondUser: string, viewer: string) {
  return { company, user, secondUser, viewer }
}

function accounts(kind: Kind, [main, unsigned, twoSigners, noMoney, locked, to]: Numbers) {
  const of = (number: string) => ({ [kind]: number })
  return {
    account: {
      main: of(main),
      unsigned: of(unsigned),
      twoSigners: of(twoSigners),
      noMoney: of(noMoney),
      notPayable: of(locked),
      supplier: of(to),
    },
  }
}

function danish(registration: string): Numbers {
  const of = (number: number) => `${registration}${String(number).padStart(10, '0')}`
  return [of(1_100_011), of(1_100_033), of(1_100_044), of(1_100_022), of(1_100_055), of(1_200_011)]
}
