/** Builds order files for tests, and a bank's reports on them. */
import { readFile } from 'node:fs/promises'
import type { Bank } from '../connector/bank.ts'
import type { BulkTransaction } from '../connector/bank-order.ts'
import type { OrderFile } from '../connector/file-product.ts'
import { BANK_PROFILES_FOLDER, parseBankProfile } from '../directory/validate-bank-profile.ts'
import { supportedFieldsInFiles } from '../standards/iso20022/connector.ts'

/** A bank that accepts files at an address, with overrides of its dialect. */
export async function fileBank(
  address: string,
  {
    profile = 'norwegian-files',
    dialect = {},
    ...change
  }: Partial<Omit<Bank, 'profile'>> & {
    readonly profile?: string
    readonly dialect?: object
  } = {},
): Promise<Bank> {
  const text = await readFile(new URL(`${profile}.json`, BANK_PROFILES_FOLDER), 'utf8')
  const shipped = parseBankProfile(`${profile}.json`, text)
  const changed = { ...shipped, dialect: { ...(shipped.dialect as object), ...dialect } }
  return {
    bic: 'FILENO22',
    name: 'Filbanken',
    countryCode: 'NO',
    connector: 'iso20022',
    address,
    linkHosts: [],
    certificate: null,
    profile: changed,
    supports: supportedFieldsInFiles(),
    ...change,
  }
}

/** A valid file of so many salaries. */
export function orderFile(count: number, change: Partial<OrderFile> = {}): OrderFile {
  const payments = Array.from({ length: count }, (_, index) => salary(index))
  const minor = payments.reduce((sum, { amount }) => sum + amount.minor, 0n)
  return {
    messageId: crypto.randomUUID().replaceAll('-', ''),
    createdAt: Temporal.Instant.from('2026-11-20T08:15:00Z'),
    organisationNumber: '988077917',
    agreement: 'CUSTOMER-7',
    debtor: { bban: '86011117947', iban: 'NO9386011117947', name: 'Nordlys AS', currency: 'NOK' },
    dueDate: Temporal.PlainDate.from('2026-11-25'),
    batchBooking: true,
    count,
    total: { minor, currency: 'NOK' },
    payments: sliced(payments, 500),
    ...change,
  }
}

export function salary(index: number, change: Partial<BulkTransaction> = {}): BulkTransaction {
  return {
    endToEndId: `SAL-${index}`,
    rail: 'account',
    creditor: { account: { type: 'account', bban: '12345678903', iban: null }, name: `Kari Nordmann ${index}` },
    amount: { minor: 3_000_000n + BigInt(index), currency: 'NOK' },
    remittance: { type: 'message', value: 'Lønn november' },
    purposeCode: 'SALA',
    ...change,
  }
}

/** Content of a report: the statuses of the file and of single payments. */
export type ReportContent = {
  readonly version?: '03' | '10'
  readonly at?: string
  readonly group?: string
  readonly batch?: string
  readonly payments?: readonly {
    readonly instruction?: string
    readonly endToEndId?: string
    readonly status?: string
    readonly reason?: string
    readonly text?: string
  }[]
}

/** The XML of a report. */
export function pain002(messageId: string, { version = '10', at, group, batch, payments = [] }: ReportContent): string {
  const one = (name: string, value: string | undefined) => (value === undefined ? '' : `<${name}>${value}</${name}>`)
  const transactions = payments.map(
    ({ instruction, endToEndId, status, reason, text }) =>
      `<TxInfAndSts>${one('OrgnlInstrId', instruction)}${one('OrgnlEndToEndId', endToEndId)}${one('TxSts', status)}${
        reason === undefined ? '' : `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn>${one('AddtlInf', text)}</StsRsnInf>`
      }</TxInfAndSts>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}"><CstmrPmtStsRpt>
<GrpHdr><MsgId>R1</MsgId><CreDtTm>${at ?? '2026-11-20T09:20:00'}</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${one('GrpSts', group)}</OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}</OrgnlPmtInfId>${one('PmtInfSts', batch)}${transactions.join('')}</OrgnlPmtInfAndSts>
</CstmrPmtStsRpt></Document>
`
}

function sliced<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
