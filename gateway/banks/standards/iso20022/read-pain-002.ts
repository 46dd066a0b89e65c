/** Parses banks' status reports on files: ISO 20022 pain.002 in any version. */
import type { FileReport, ReportedPayment } from '../../connector/file-product.ts'
import { statedText } from '../../connector/stated-text.ts'
import type { FileDialect } from './file-dialect.ts'
import { appliesToAllPayments, type ReportedStatus, toReportedObservation } from './reported-status.ts'
import { childElements, elementAt, parseXmlRoot, textAt, type XmlElement } from './xml-tree.ts'

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
  const reportedAt = instantOf(textAt(report, 'GrpHdr', 'CreDtTm'), reading.timeZone)
  if (messageId === null || reportedAt === null) {
    return null
  }
  const overall = batchStatus(childElements(report, 'OrgnlPmtInfAndSts')) ?? reportedIn(group, 'GrpSts')
  const whole =
    overall === null || !appliesToAllPayments(overall) ? null : toReportedObservation(overall, reading.dialect)
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

/** A time without offset is in the bank's time zone. */
function instantOf(text: string | null, timeZone: string): Temporal.Instant | null {
  try {
    return /(Z|[+-]\d\d:\d\d)$/.test(text ?? '')
      ? Temporal.Instant.from(text ?? '')
      : Temporal.PlainDateTime.from(text ?? '')
          .toZonedDateTime(timeZone)
          .toInstant()
  } catch {
    return null
  }
}
