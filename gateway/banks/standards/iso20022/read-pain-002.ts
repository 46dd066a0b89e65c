/** Parses banks' status reports on files: ISO 20022 pain.002 in any version. */

import { describeReason } from '../../connector/bank-error.ts'
import { outcomeByStatus, type StatusObservation } from '../../connector/bank-order.ts'
import { redactAccountNumbers, statedInstant, statedText } from '../../connector/bank-text.ts'
import type { FileReport, ReportedPayment } from '../../connector/file-product.ts'
import type { FileDialect } from './file-dialect.ts'
import { childElements, elementAt, parseXmlRoot, textAt, type XmlElement } from './xml-tree.ts'

type ReportedStatus = {
  readonly code: string
  /** Reason codes; their texts are left out, because they may name the creditor of a salary. */
  readonly reasons: readonly string[]
}

/** The translated status; null for an unknown code. Insufficient funds are a reason, of pending and of rejected payments. */
function toReportedObservation(
  { code, reasons }: ReportedStatus,
  { unsignedStatuses }: FileDialect,
): StatusObservation {
  const statusReasonText = reasons.map(describeReason).join('; ') || null
  const isUnsigned = unsignedStatuses.includes(code)
  const outcome = isUnsigned ? ({ status: 'Unsigned', statusReason: null } as const) : outcomeByStatus.get(code)
  if (outcome === undefined) {
    return { status: null, statusReason: null, statusReasonText, bankStatus: redactAccountNumbers(code) }
  }
  const { status, statusReason } = outcome
  const lacksFunds = reasons.includes('AM04') && (status === 'Rejected' || status === 'InProgress')
  return {
    status: lacksFunds && status === 'InProgress' ? 'CustomerActionRequired' : status,
    statusReason: lacksFunds ? 'InsufficientFunds' : statusReason,
    statusReasonText,
    bankStatus: code,
  }
}

/** Other values in the place of a code may be sentences with personal data. */
const CODE = /^[A-Z0-9]{2,10}$/

/** Settings that complete an ambiguous report. */
export type ReportSettings = { readonly timeZone: string; readonly dialect: FileDialect }

/** The elements that are read; reports also repeat the orders, with names and accounts. */
const ELEMENTS: ReadonlySet<string> = new Set([
  ...['CstmrPmtStsRpt', 'GrpHdr', 'CreDtTm', 'OrgnlGrpInfAndSts', 'OrgnlMsgId', 'GrpSts'],
  ...['OrgnlPmtInfAndSts', 'PmtInfSts', 'TxInfAndSts', 'OrgnlInstrId', 'OrgnlEndToEndId', 'TxSts'],
  ...['StsRsnInf', 'Rsn', 'Cd', 'Prtry'],
])

/** Null for an incomplete report, or one that names no file. */
export function readPain002(text: string, reading: ReportSettings): FileReport | null {
  const payments: ReportedPayment[] = []
  let listed = 0
  const consume = (element: XmlElement) => {
    const isPayment = element.name === 'TxInfAndSts'
    if (isPayment) {
      listed += 1
      payments.push(...paymentOf(element, reading.dialect))
    }
    return isPayment
  }
  const report = elementAt(parseXmlRoot(text, { names: ELEMENTS, consume }), 'CstmrPmtStsRpt')
  const group = elementAt(report, 'OrgnlGrpInfAndSts')
  const messageId = textAt(group, 'OrgnlMsgId')
  const reportedAt = statedInstant(textAt(report, 'GrpHdr', 'CreDtTm'), reading.timeZone)
  if (messageId === null || reportedAt === null) {
    return null
  }
  const overall = batchStatus(childElements(report, 'OrgnlPmtInfAndSts')) ?? reportedIn(group, 'GrpSts')
  // `PART` alone says nothing about a single payment.
  const whole = overall === null || overall.code === 'PART' ? null : toReportedObservation(overall, reading.dialect)
  return { messageId, reportedAt, whole, payments, withoutStatus: whole === null ? listed - payments.length : 0 }
}

/**
 * The status of the one batch that our files have. Some banks report it in several blocks; where these differ, none
 * applies to all payments.
 */
function batchStatus(blocks: readonly XmlElement[]): ReportedStatus | null {
  const reported = blocks.flatMap((block) => reportedIn(block, 'PmtInfSts') ?? [])
  const [first] = reported
  const differ = reported.some(({ code }) => code !== first?.code)
  return first === undefined ? null : differ ? { code: 'PART', reasons: [] } : first
}

function paymentOf(payment: XmlElement, dialect: FileDialect): readonly ReportedPayment[] {
  const reported = reportedIn(payment, 'TxSts')
  if (reported === null) {
    return []
  }
  const instruction = textAt(payment, 'OrgnlInstrId') ?? ''
  const position = /^[1-9]\d{0,8}$/.test(instruction) ? Number(instruction) - 1 : null
  return [
    {
      ...toReportedObservation(reported, dialect),
      position,
      endToEndId: statedText(textAt(payment, 'OrgnlEndToEndId')),
    },
  ]
}

function reportedIn(element: XmlElement | undefined, status: string): ReportedStatus | null {
  const code = textAt(element, status)
  if (code === null) {
    return null
  }
  const reasons = childElements(element, 'StsRsnInf').flatMap((reason) => {
    const code = textAt(reason, 'Rsn', 'Cd') ?? textAt(reason, 'Rsn', 'Prtry') ?? ''
    return CODE.test(code) ? [code] : []
  })
  return { code, reasons }
}
