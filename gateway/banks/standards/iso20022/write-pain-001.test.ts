/** Shows that files contain the orders: verified by another parser, and structured like the samples. */
import { readFile } from 'node:fs/promises'
import { parseXml, type XmlElement } from '@rgrove/parse-xml'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseMoney } from '../../../platform/money.ts'
import type { Bank } from '../../connector/bank.ts'
import type { BulkTransaction } from '../../connector/bank-order.ts'
import type { OrderFile } from '../../connector/file-product.ts'
import { shortenEndToEndId } from '../../connector/shorten-end-to-end-id.ts'
import { fileBank, orderFile, salary } from '../../testing/order-file-samples.ts'
import { parseFileDialect } from './file-dialect.ts'
import { END_TO_END_ID_MAX, writePain001 } from './write-pain-001.ts'

const FORMATS = ['pain.001.001.03', 'pain.001.001.09'] as const

describe.each(['no', 'se', 'dk'])('the sample of a payroll in %s', (country) => {
  test.each(FORMATS)('is what is formatted from the same orders as %s', async (message) => {
    const sample = tree(await readFile(sampleFile(country, message.slice(-2)), 'utf8'))
    const { bank, file } = await orderedIn(sample, country, message)
    // Ours has one id for message and batch, and a number for each payment.
    const expected = replaced(sample, { PmtInfId: [file.messageId], InstrId: ['1', '2'] })
    expect(tree(await written(bank, file))).toEqual(expected)
  })
})

test.each(['norwegian-files', 'swedish-files'])('%s are in the version that banks introduce now', async (profile) => {
  const { message } = parseFileDialect((await fileBank('file:///files', { profile })).profile.dialect)
  expect(message).toBe('pain.001.001.09')
})

describe('a file', () => {
  test('has for every payment what was ordered, for any names, messages and amounts', async () => {
    const bank = await fileBank('file:///files')
    await fc.assert(
      fc.asyncProperty(fc.array(anySalary, { minLength: 1, maxLength: 40 }), async (payments) => {
        const text = await written(bank, fileOf(payments))
        expect(read(text)).toEqual(payments.map((payment, index) => reportedOf(payment, index)))
      }),
    )
  })

  test('has the totals that were ordered, in both of its sums and in all of its payments together', async () => {
    const bank = await fileBank('file:///files')
    await fc.assert(
      fc.asyncProperty(fc.array(anySalary, { minLength: 1, maxLength: 40 }), async (payments) => {
        const text = await written(bank, fileOf(payments))
        const ordered = payments.reduce((sum, { amount }) => sum + amount.minor, 0n)
        const sums = [...text.matchAll(/<CtrlSum>([^<]+)</g)].map(([, sum]) => minorOf(sum))
        const parts = [...text.matchAll(/<InstdAmt Ccy="NOK">([^<]+)</g)].map(([, part]) => minorOf(part))
        expect(sums).toEqual([ordered, ordered])
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(ordered)
        expect([...text.matchAll(/<NbOfTxs>(\d+)</g)].map(([, count]) => Number(count))).toEqual(
          Array(2).fill(payments.length),
        )
      }),
    )
  })

  test('is not completed when a payment is missing, repeated, or in another currency', async () => {
    const bank = await fileBank('file:///files')
    const payments = [salary(1), salary(2)]
    const file = fileOf(payments)
    const euro = salary(3, { amount: { minor: 1n, currency: 'EUR' } })
    await expect(written(bank, { ...file, payments: [payments.slice(1)] })).rejects.toThrow(
      'is inconsistent with its header',
    )
    await expect(written(bank, { ...file, payments: [payments, payments] })).rejects.toThrow(
      'is inconsistent with its header',
    )
    await expect(written(bank, { ...file, payments: [payments, [euro]] })).rejects.toThrow('mixes EUR with NOK')
  })

  test('has the IBAN of an account that has no other number, also where the bank requires domestic numbers', async () => {
    const bank = await fileBank('file:///files')
    const iban = 'FI8579812345678900'
    const text = await written(bank, fileOf([toAccount({ type: 'account', bban: iban, iban })]))
    expect(text).toContain(`<CdtrAcct><Id><IBAN>${iban}</IBAN></Id></CdtrAcct>`)
  })

  test('has Swedish clearing numbers, IBANs where the bank requires them, and the scheme of a reference', async () => {
    const bank = await fileBank('file:///files', { countryCode: 'SE', dialect: { accounts: 'iban' } })
    const text = await written(
      bank,
      fileOf([
        toAccount({ type: 'account', bban: '54391024039', iban: 'SE4550000000054391024039' }),
        salary(4, { remittance: { type: 'ocr', value: 'RF18539007547034' } }),
      ]),
    )
    const agents = [...text.matchAll(/<MmbId>(\d+)</g)].map(([, id]) => id)
    expect(agents).toEqual(['5439', '1234'])
    expect(text).toContain('<CdtrAcct><Id><IBAN>SE4550000000054391024039</IBAN></Id></CdtrAcct>')
    expect(text).toContain('<Cd>SCOR</Cd></CdOrPrtry><Issr>ISO</Issr></Tp><Ref>RF18539007547034</Ref>')
  })

  test('is not written to a giro number', async () => {
    const giro = toAccount({ type: 'bankgiro', number: '5402-9681' })
    await expect(written(await fileBank('file:///files'), fileOf([giro]))).rejects.toThrow('bank accounts only')
  })
})

const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 35 })
const anySalary = fc
  .record({
    endToEndId: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }).filter((id) => /\S/.test(id)),
    name: anyText,
    bban: fc.stringMatching(/^\d{11}$/),
    minor: fc.bigInt({ min: 1n, max: 99_999_999_999n }),
    reported: fc.oneof(
      anyText.map((value) => ({ type: 'message' as const, value })),
      fc.stringMatching(/^[0-9]{2,25}$/).map((value) => ({ type: 'ocr' as const, value })),
    ),
  })
  .map(({ endToEndId, name, bban, minor, reported }) =>
    salary(0, {
      endToEndId,
      creditor: { account: { type: 'account', bban, iban: null }, name },
      amount: { minor, currency: 'NOK' },
      remittance: reported,
    }),
  )

function toAccount(account: BulkTransaction['creditor']['account']): BulkTransaction {
  return salary(1, { creditor: { account, name: 'Erik Berg' } })
}

function fileOf(payments: readonly BulkTransaction[]): OrderFile {
  const minor = payments.reduce((sum, { amount }) => sum + amount.minor, 0n)
  return orderFile(0, { payments: [payments], count: payments.length, total: { minor, currency: 'NOK' } })
}

/** What another parser reads of each payment. */
function read(text: string) {
  return elements(parseXml(text).root, 'CdtTrfTxInf').map((payment) => ({
    instruction: textIn(payment, 'InstrId'),
    endToEndId: textIn(payment, 'EndToEndId'),
    amount: elements(payment, 'InstdAmt').map(({ attributes, text: amount }) => ({ ...attributes, amount })),
    name: textIn(payment, 'Nm'),
    bban: elements(elements(payment, 'CdtrAcct')[0], 'Othr').map((account) => textIn(account, 'Id')),
    message: textIn(payment, 'Ustrd'),
    reference: textIn(payment, 'Ref'),
  }))
}

function reportedOf({ amount, creditor, endToEndId, remittance }: BulkTransaction, index: number) {
  const account = creditor.account.type === 'account' ? creditor.account.bban : creditor.account.number
  const [, whole, cents] = /^(\d+)(\d\d)$/.exec(amount.minor.toString().padStart(3, '0')) ?? []
  return {
    instruction: String(index + 1),
    endToEndId: shortenEndToEndId(endToEndId, END_TO_END_ID_MAX),
    amount: [{ Ccy: 'NOK', amount: `${whole}.${cents}` }],
    name: creditor.name,
    bban: [account],
    message: remittance?.type === 'message' ? remittance.value : undefined,
    reference: remittance?.type === 'ocr' ? remittance.value : undefined,
  }
}

async function written(bank: Bank, file: OrderFile): Promise<string> {
  const parts: string[] = []
  for await (const part of writePain001(bank, parseFileDialect(bank.profile.dialect), file)) {
    parts.push(part)
  }
  return parts.join('')
}

function minorOf(amount = ''): bigint {
  return parseMoney(amount, 'NOK')?.minor ?? -1n
}

type Tree = { readonly name: string; readonly attributes: object; readonly within: readonly Tree[] | string }

/** Elements with their texts, without the white space between them. */
function tree(text: string): Tree {
  return branch(parseXml(text).root)
}

function branch(element: XmlElement | null): Tree {
  const inside = childrenOf(element)
  return {
    name: element?.name ?? '',
    attributes: { ...element?.attributes },
    within: inside.length === 0 ? (element?.text ?? '') : inside.map(branch),
  }
}

function childrenOf(element: XmlElement | null | undefined): readonly XmlElement[] {
  return (element?.children ?? []).filter((child): child is XmlElement => child.type === 'element')
}

function elements(element: XmlElement | null | undefined, name: string): readonly XmlElement[] {
  return childrenOf(element).flatMap((child) => (child.name === name ? [child] : elements(child, name)))
}

function textIn(element: XmlElement, name: string): string | undefined {
  return elements(element, name)[0]?.text
}

function replaced(at: Tree, values: Readonly<Record<string, readonly string[]>>): Tree {
  const left = new Map(Object.entries(values).map(([name, texts]) => [name, [...texts]]))
  const walk = (one: Tree): Tree => ({
    ...one,
    within: typeof one.within === 'string' ? (left.get(one.name)?.shift() ?? one.within) : one.within.map(walk),
  })
  return walk(at)
}

function sampleFile(country: string, version: string): URL {
  return new URL(`../../../../data/pain-samples/payroll-${country}-${version}.xml`, import.meta.url)
}

/** The orders in a sample, parsed from it. */
async function orderedIn(sample: Tree, country: string, message: (typeof FORMATS)[number]) {
  const text = (name: string) => textsOf(sample, name)[0] ?? ''
  const profile = country === 'se' ? 'swedish-files' : 'norwegian-files'
  const bic = text('BIC') || text('BICFI')
  const change = { profile, countryCode: country.toUpperCase(), bic }
  const bank = await fileBank('file:///files', {
    ...change,
    dialect: { message, initiatingParty: 'organisation-number' },
  })
  const currency = text('Ccy')
  const [debtorId = ''] = textsOf(found(sample, 'DbtrAcct')[0], 'Id')
  const payments = found(sample, 'CdtTrfTxInf').map((payment) => paymentIn(payment, currency))
  const created = Temporal.PlainDateTime.from(text('CreDtTm')).toZonedDateTime(bank.profile.timeZone)
  const file: OrderFile = {
    messageId: text('MsgId'),
    createdAt: created.toInstant(),
    organisationNumber: textsOf(found(sample, 'OrgId')[0], 'Id')[0] ?? '',
    agreement: '',
    debtor: { bban: debtorId, iban: null, name: textsOf(found(sample, 'Dbtr')[0], 'Nm')[0] ?? '', currency },
    dueDate: Temporal.PlainDate.from(textsOf(found(sample, 'ReqdExctnDt')[0], 'Dt')[0] ?? text('ReqdExctnDt')),
    batchBooking: text('BtchBookg') === 'true',
    count: Number(text('NbOfTxs')),
    total: parseMoney(text('CtrlSum'), currency) ?? { minor: 0n, currency },
    payments: [payments],
  }
  return { bank, file }
}

function paymentIn(payment: Tree, currency: string): BulkTransaction {
  const text = (name: string) => textsOf(payment, name)[0]
  const [bban = ''] = textsOf(found(payment, 'CdtrAcct')[0], 'Id')
  const reference = text('Ref')
  return {
    endToEndId: text('EndToEndId') ?? '',
    rail: 'account',
    creditor: {
      account: { type: 'account', bban, iban: null },
      name: textsOf(found(payment, 'Cdtr')[0], 'Nm')[0] ?? '',
    },
    amount: parseMoney(text('InstdAmt') ?? '', currency) ?? { minor: 0n, currency },
    remittance:
      reference === undefined ? { type: 'message', value: text('Ustrd') ?? '' } : { type: 'ocr', value: reference },
    purposeCode: 'SALA',
  }
}

function found(at: Tree | undefined, name: string): readonly Tree[] {
  const inside = at === undefined || typeof at.within === 'string' ? [] : at.within
  return inside.flatMap((one) => (one.name === name ? [one] : found(one, name)))
}

/** The texts of the innermost elements of a name. */
function textsOf(at: Tree | undefined, name: string): readonly string[] {
  return found(at, name).flatMap(({ within }) => {
    const [inner] =
      typeof within === 'string' ? [within] : within.flatMap((one) => textsOf({ ...one, within: [one] }, name))
    return inner === undefined ? [] : [inner]
  })
}
