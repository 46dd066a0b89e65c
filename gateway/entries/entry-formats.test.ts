/** Tests that JSON, CSV and camt.053 contain the same of any entry, with independent parsers. */
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountEntry, AccountEntryList } from '../../contract/account-entries.ts'
import { randomCases } from '../../setup/random-cases.ts'
import type { BankEntry } from '../banks/connector/bank-account.ts'
import { textOfCell } from '../platform/csv-line.ts'
import { formatMoney } from '../platform/money.ts'
import { sharedChromium } from '../testing/browser/browser-user.ts'
import { camtEntry } from './camt-entry.ts'
import type { EntryPages } from './entry.ts'
import { entryStreamLimiter } from './limit-entry-streams.ts'
import { csvRows } from './testing/csv-rows.ts'
import { anyEntry, bankEntry, paged, sampleAccount, shown, written } from './testing/entry-samples.ts'
import { writeCamt } from './write-camt.ts'
import { writeCsv, writeJson } from './write-entries.ts'

const NOW = Temporal.Instant.from('2026-11-22T10:00:00Z')
const days = { from: Temporal.PlainDate.from('2026-11-01'), to: Temporal.PlainDate.from('2026-11-30') }
const statement = {
  reading: { account: sampleAccount, bank: { profile: { timeZone: 'Europe/Oslo' } } },
  days,
  now: NOW,
}

const anyPages = fc.array(fc.array(anyEntry, { maxLength: 4 }), { maxLength: 3 })
const jsonText = (pages: readonly (readonly BankEntry[])[]) => written(writeJson(paged(...pages.map(shown))))
const jsonEntries = async (pages: readonly (readonly BankEntry[])[]): Promise<readonly AccountEntry[]> => {
  const list: AccountEntryList = JSON.parse(await jsonText(pages))
  return list.accountEntries
}

describe('every format', () => {
  const balances = async () => ({ booked: null, available: null })
  test.each([
    ['JSON', writeJson],
    ['CSV', writeCsv],
    ['camt.053', (pages: EntryPages) => writeCamt(pages, { ...statement, balances })],
  ] as const)('%s reads a page only when what it has written of the former ones is taken', async (_format, write) => {
    let read = 0
    const pages = (async function* () {
      for (; read < 5; ) {
        read += 1
        yield shown([bankEntry()])
      }
    })()
    const pieces = entryStreamLimiter()('a partner', write(pages))
    for (let taken = 1; taken <= 5; taken += 1) {
      await pieces.next()
      expect(read).toBe(taken)
    }
  })
})

describe('JSON', () => {
  test('has every amount digit by digit, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, async (pages) => {
        const sources: (string | undefined)[] = []
        JSON.parse(await jsonText(pages), (name, value, ...[context]: [{ source?: string }?]) => {
          if (name === 'amount') {
            sources.push(context?.source)
          }
          return value
        })
        expect(sources).toEqual(pages.flat().map(({ amount }) => formatMoney(amount).amount.replace('-', '')))
      }),
    )
  })

  test('is a list whatever pages come, also empty ones', async () => {
    expect(await jsonEntries([])).toEqual([])
    expect(await jsonEntries([[], []])).toEqual([])
    const entries = [bankEntry(), bankEntry(), bankEntry()]
    const [one, two, three] = entries
    const ids = (await jsonEntries([[], one && two ? [one, two] : [], [], three ? [three] : []])).map(
      ({ transactionId }) => transactionId,
    )
    expect(ids).toEqual(entries.map(({ transactionId }) => transactionId))
  })

  test('has the contents of a batch', async () => {
    const part = {
      ...bankEntry({ amount: { minor: -1_01n, currency: 'NOK' } }),
      amount: { minor: -1_01n, currency: 'NOK' },
    }
    const [entry] = await jsonEntries([[bankEntry({ batch: { count: 2 }, parts: [part, { ...part, amount: null }] })]])
    expect(entry?.elements).toMatchObject([
      { postedAmount: { amount: 1.01, currency: 'NOK' }, creditor: { name: 'Granli Trelast AS' } },
      { creditor: { name: 'Granli Trelast AS' }, debtor: { name: 'Nordlys Handel AS' } },
    ])
    expect(entry?.elements?.[1]).not.toHaveProperty('postedAmount')
  })

  test('has the direction of each part of a batch, as the statement has', async () => {
    const part = (minor: bigint) => ({ ...bankEntry(), amount: { minor, currency: 'NOK' } })
    const batch = bankEntry({ batch: { count: 3 }, parts: [part(-2_00n), part(1_00n), { ...part(0n), amount: null }] })
    const [entry] = await jsonEntries([[batch]])
    expect(entry).toMatchObject({
      type: 'DEBIT',
      elements: [
        { type: 'DEBIT', debtor: { name: 'Nordlys Handel AS' } },
        { type: 'CREDIT', creditor: { name: 'Nordlys Handel AS' } },
        { type: 'DEBIT', debtor: { name: 'Nordlys Handel AS' } },
      ],
    })
    const [written = expect.fail('There is no entry')] = shown([batch])
    expect([...camtEntry(written).matchAll(/<CdtDbtInd>(\w+)</g)].map(([, way]) => way)).toEqual([
      'DBIT',
      'DBIT',
      'CRDT',
    ])
  })
})

const asCells = (entry: AccountEntry, amount: string) => ({
  transactionId: entry.transactionId,
  stableEntryId: entry.stableEntryId,
  status: entry.status,
  type: entry.type,
  amount,
  currency: entry.postedAmount.currency,
  bookingDateTime: entry.bookingDateTime ?? '',
  valueDateTime: entry.valueDateTime ?? '',
  creditorName: entry.creditor.name ?? '',
  creditorBban: entry.creditor.bban ?? '',
  creditorIban: entry.creditor.iban ?? '',
  debtorName: entry.debtor.name ?? '',
  debtorBban: entry.debtor.bban ?? '',
  debtorIban: entry.debtor.iban ?? '',
  reference: entry.remittanceInformation.reference ?? '',
  unstructured: entry.remittanceInformation.unstructured ?? '',
  purposeText: entry.purposeText ?? '',
  endToEndId: entry.endToEndId ?? '',
  paymentId: entry.paymentId ?? '',
  enriched: String(entry.enriched),
})

describe('CSV', () => {
  test('has the same as JSON, apart from the apostrophes before formulas', async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, async (pages) => {
        const text = await written(writeCsv(paged(...pages.map(shown))))
        const [names = [], ...rows] = csvRows(text)
        const amounts = pages.flat().map(({ amount }) => formatMoney(amount).amount.replace('-', ''))
        const expected = (await jsonEntries(pages)).map((entry, n) => asCells(entry, amounts[n] ?? ''))
        expect(names).toEqual(Object.keys(asCells(...sample())))
        expect(rows.map((cells) => cells.map(textOfCell))).toEqual(expected.map(Object.values))
      }),
      { numRuns: randomCases(400) },
    )
  })

  test('has its header line where there are no entries', async () => {
    expect(csvRows(await written(writeCsv(paged())))).toHaveLength(1)
  })

  test('neutralises formulas', async () => {
    const counterpartyName = '=HYPERLINK("http://x")'
    const [, row = []] = csvRows(await written(writeCsv(paged(shown([bankEntry({ counterpartyName })])))))
    expect(row[8]).toBe(`'${counterpartyName}`)
  })
})

function sample(): [AccountEntry, string] {
  return [
    {
      transactionId: '',
      stableEntryId: '',
      postedAmount: { amount: 1, currency: 'NOK' },
      type: 'DEBIT',
      status: 'BOOKED',
      remittanceInformation: {},
      creditor: {},
      debtor: {},
      enriched: false,
    },
    '1.00',
  ]
}

/** An element as the browser's own parser reads it. */
type Node = {
  readonly name: string
  readonly namespace: string
  readonly currency: string | null
  readonly text: string
  readonly children: readonly Node[]
}

/** Elements in the order of the message definition camt.053.001.08, by their parent. */
const ORDER: Readonly<Record<string, string>> = {
  Document: 'BkToCstmrStmt',
  BkToCstmrStmt: 'GrpHdr Stmt SplmtryData',
  GrpHdr: 'MsgId CreDtTm MsgRcpt MsgPgntn OrgnlBizQry AddtlInf',
  Stmt: 'Id StmtPgntn ElctrncSeqNb RptgSeq LglSeqNb CreDtTm FrToDt CpyDplctInd RptgSrc Acct RltdAcct Intrst Bal TxsSummry Ntry AddtlStmtInf',
  FrToDt: 'FrDtTm ToDtTm',
  Acct: 'Id Tp Ccy Nm Prxy Ownr Svcr',
  Bal: 'Tp CdtLine Amt CdtDbtInd Dt Avlbty',
  Ntry: 'NtryRef Amt CdtDbtInd RvslInd Sts BookgDt ValDt AcctSvcrRef Avlbty BkTxCd ComssnWvrInd AddtlInfInd AmtDtls Chrgs TechInptChanl Intrst CardTx NtryDtls AddtlNtryInf',
  BkTxCd: 'Domn Prtry',
  Domn: 'Cd Fmly',
  Fmly: 'Cd SubFmlyCd',
  NtryDtls: 'Btch TxDtls',
  Btch: 'MsgId PmtInfId NbOfTxs TtlAmt CdtDbtInd',
  TxDtls:
    'Refs Amt CdtDbtInd AmtDtls Avlbty BkTxCd Chrgs Intrst RltdPties RltdAgts LclInstrm Purp RltdRmtInf RmtInf RltdDts RltdPric RltdQties FinInstrmId Tax RtrInf CorpActn SfkpgAcct CshDpst CardTx AddtlTxInf SplmtryData',
  Refs: 'MsgId AcctSvcrRef PmtInfId InstrId EndToEndId UETR TxId MndtId ChqNb ClrSysRef AcctOwnrTxId AcctSvcrTxId MktInfrstrctrTxId PrcgId Prtry',
  RltdPties: 'InitgPty Dbtr DbtrAcct UltmtDbtr Cdtr CdtrAcct UltmtCdtr TradgPty Prtry',
  RmtInf: 'Ustrd Strd',
  Strd: 'RfrdDocInf RfrdDocAmt CdtrRefInf Invcr Invcee TaxRmt GrnshmtRmt AddtlRmtInf',
  CdtrRefInf: 'Tp Ref',
  Othr: 'Id SchmeNm Issr',
  Purp: 'Cd Prtry',
}
/** The longest texts of the definition, by the element. */
const LENGTHS: Readonly<Record<string, number>> = {
  MsgId: 35,
  NtryRef: 35,
  AcctSvcrRef: 35,
  EndToEndId: 35,
  AcctOwnrTxId: 35,
  Ref: 35,
  Prtry: 35,
  Nm: 140,
  Ustrd: 140,
  AddtlNtryInf: 500,
  AddtlTxInf: 500,
}

/** Runs in the browser. */
const READ_XML = `(text) => {
  const read = (node) => ({
    name: node.localName,
    namespace: node.namespaceURI ?? '',
    currency: node.getAttribute('Ccy'),
    text: node.children.length === 0 ? node.textContent : '',
    children: [...node.children].map(read),
  })
  const document = new DOMParser().parseFromString(text, 'application/xml')
  if (document.querySelector('parsererror') !== null) {
    throw new Error(document.documentElement.textContent)
  }
  return read(document.documentElement)
}`

describe('a statement in camt.053.001.08', () => {
  let page: Page
  beforeAll(async () => {
    page = await (await sharedChromium()).newPage()
  })
  afterAll(() => page.close())

  const camt = (
    pages: readonly (readonly BankEntry[])[],
    balances = { booked: { minor: 100_00n, currency: 'NOK' }, available: { minor: -5_00n, currency: 'NOK' } },
  ) => written(writeCamt(paged(...pages.map(shown)), { ...statement, balances: async () => balances }))

  /** Fails where an XML parser would. */
  async function parsed(xml: string): Promise<Node> {
    return await page.evaluate<Node>(`(${READ_XML})(${JSON.stringify(xml)})`)
  }

  const within = (node: Node, path: string): readonly Node[] =>
    path
      .split('/')
      .reduce<readonly Node[]>(
        (nodes, name) => nodes.flatMap(({ children }) => children.filter((child) => child.name === name)),
        [node],
      )
  const textAt = (node: Node, path: string) => within(node, path)[0]?.text
  const all = (node: Node): readonly Node[] => [node, ...node.children.flatMap(all)]

  /** Characters that XML cannot contain are replaced. */
  const possible = (value: string | undefined) =>
    value?.replaceAll(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')

  test('is well-formed, in the order and within the lengths of its schema, and has the same as JSON', async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, async (pages) => {
        const root = await parsed(await camt(pages))
        for (const { name, namespace, children, text } of all(root)) {
          expect(namespace).toBe('urn:iso:std:iso:20022:tech:xsd:camt.053.001.08')
          const order = ORDER[name]?.split(' ') ?? children.map((child) => child.name)
          const places = children.map((child) => order.indexOf(child.name))
          expect(places, name).toEqual(places.toSorted((one, other) => one - other))
          expect(places).not.toContain(-1)
          expect([...text].length).toBeLessThanOrEqual(LENGTHS[name] ?? 500)
          expect(children.length + text.length, name).toBeGreaterThan(0)
        }
        const entries = within(root, 'BkToCstmrStmt/Stmt/Ntry')
        const reported = await jsonEntries(pages)
        expect(entries).toHaveLength(reported.length)
        for (const [n, entry] of entries.entries()) {
          const json = reported[n]
          const [amount] = within(entry, 'Amt')
          const bank = pages.flat()[n]
          const debit = json?.type === 'DEBIT'
          const id = json?.transactionId || undefined
          const transaction = 'NtryDtls/TxDtls'
          expect({
            amount: Number(amount?.text),
            currency: amount?.currency,
            type: textAt(entry, 'CdtDbtInd'),
            status: textAt(entry, 'Sts/Cd'),
            stableEntryId: textAt(entry, 'NtryRef'),
            booked: textAt(entry, 'BookgDt/Dt'),
            value: textAt(entry, 'ValDt/Dt'),
            id: textAt(entry, 'AcctSvcrRef') ?? textAt(entry, `${transaction}/AddtlTxInf`),
            endToEndId: textAt(entry, `${transaction}/Refs/EndToEndId`),
            creditor: textAt(entry, `${transaction}/RltdPties/Cdtr/Pty/Nm`),
            debtor: textAt(entry, `${transaction}/RltdPties/Dbtr/Pty/Nm`),
            message:
              within(entry, `${transaction}/RmtInf/Ustrd`)
                .map(({ text }) => text)
                .join('') || undefined,
            references: within(entry, `${transaction}/RmtInf/Strd/CdtrRefInf/Ref`).map(({ text }) => text),
            purpose: textAt(entry, 'AddtlNtryInf'),
          }).toEqual({
            amount: json?.postedAmount.amount,
            currency: json?.postedAmount.currency,
            type: debit ? 'DBIT' : 'CRDT',
            status: json?.status === 'BOOKED' ? 'BOOK' : 'PDNG',
            stableEntryId: json?.stableEntryId,
            booked: bank?.bookedOn?.toString(),
            value: bank?.valueOn?.toString(),
            id: possible(id),
            endToEndId: possible(json?.endToEndId),
            creditor: possible(json?.creditor.name),
            debtor: possible(json?.debtor.name),
            message: possible(json?.remittanceInformation.unstructured),
            references: (json?.remittanceInformation.references ?? []).map(({ reference }) => possible(reference)),
            purpose: possible(json?.purposeText),
          })
        }
      }),
      { numRuns: randomCases(200) },
    )
  })

  test('has the account, the days and the balances that the bank reports', async () => {
    const root = await parsed(await camt([]))
    const [inside] = within(root, 'BkToCstmrStmt/Stmt')
    expect(inside && textAt(inside, 'Acct/Id/IBAN')).toBe('NO9680501100017')
    expect(inside && textAt(inside, 'FrToDt/FrDtTm')).toBe('2026-11-01T00:00:00+01:00')
    expect(inside && textAt(inside, 'FrToDt/ToDtTm')).toBe('2026-11-30T23:59:59+01:00')
    const balances = (inside ? within(inside, 'Bal') : []).map((one) =>
      ['Tp/CdOrPrtry/Cd', 'Amt', 'CdtDbtInd', 'Dt/Dt'].map((path) => textAt(one, path)),
    )
    expect(balances).toEqual([
      ['ITBD', '100.00', 'CRDT', '2026-11-22'],
      ['ITAV', '5.00', 'DBIT', '2026-11-22'],
    ])
  })

  test('has an id of an account without a number', async () => {
    const account = { ...sampleAccount, bban: null, iban: null }
    const reading = { ...statement.reading, account }
    const balances = async () => ({ booked: null, available: null })
    const xml = await written(writeCamt(paged(), { ...statement, reading, balances }))
    expect(xml).toContain(`<Acct><Id><Othr><Id>${account.stableId}</Id></Othr></Id><Ccy>`)
  })

  test('cuts no id, no reference and no purpose code: one that is too long for its element is elsewhere', async () => {
    const long = `${'7'.repeat(35)}12`
    const references = [
      { reference: long, type: 'SCOR' },
      { reference: '7'.repeat(35), type: null },
    ]
    const root = await parsed(await camt([[bankEntry({ endToEndId: `E${long}`, references, purposeCode: 'SALARY' })]]))
    const [details] = within(root, 'BkToCstmrStmt/Stmt/Ntry/NtryDtls/TxDtls')
    const texts = (path: string) => (details ? within(details, path) : []).map(({ text }) => text)
    expect(texts('RmtInf/Strd/CdtrRefInf/Ref')).toEqual(['7'.repeat(35)])
    expect(texts('RmtInf/Strd/AddtlRmtInf')).toEqual([long])
    expect([texts('Purp/Cd'), texts('Purp/Prtry')]).toEqual([[], ['SALARY']])
    expect([texts('Refs/EndToEndId'), texts('AddtlTxInf')]).toEqual([[], [`E${long}`]])
  })

  test('has the number of transactions of a batch, and each of them', async () => {
    const parts = [bankEntry({ endToEndId: 'A' }), bankEntry({ endToEndId: 'B' })]
    const root = await parsed(await camt([[bankEntry({ batch: { count: null }, parts })]]))
    const [details] = within(root, 'BkToCstmrStmt/Stmt/Ntry/NtryDtls')
    expect(details && textAt(details, 'Btch/NbOfTxs')).toBe('2')
    expect((details ? within(details, 'TxDtls/Refs/EndToEndId') : []).map(({ text }) => text)).toEqual(['A', 'B'])
  })
})
