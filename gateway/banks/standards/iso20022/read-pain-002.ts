/** Parses banks' status reports on files: ISO 20022 pain.002 in any version. */
import type { XmlElement } from '@rgrove/parse-xml'
import type { FileReport, ReportedPayment } from '../../connector/file-product.ts'
import type { FileDialect } from './file-dialect.ts'
import { appliesToAllPayments, type ReportedStatus, toReportedObservation } from './reported-status.ts'
import { childElements, elementAt, parseXmlRoot, textAt } from './xml-tree.ts'

/** Other values in the place of a code may be sentences with personal data. */
const CODE = /^[A-Z0-9]{2,10}$/

/** Settings that complete an ambiguous report. */
export type ReportSettings = { readonly timeZone: string; readonly dialect: FileDialect }

/** Null for an incomplete report, or one that names no file. */
export function readPain002(text: string, reading: ReportSettings): FileReport | null {
  const report = elementAt(parseXmlRoot(text), 'CstmrPmtStsRpt')
  const group = elementAt(report, 'OrgnlGrpInfAndSts')
  const messageId = textAt(group, 'OrgnlMsgId')
  const reportedAt = instantOf(textAt(report, 'GrpHdr', 'CreDtTm'), reading.timeZone)
  if (messageId === null || reportedAt === null) {
    return null
  }
  // Our files contain one batch.
  const [batch] = childElements(report, 'OrgnlPmtInfAndSts')
  const overall = reportedIn(batch, 'PmtInfSts') ?? reportedIn(group, 'GrpSts')
  const payments = childElements(batch, 'TxInfAndSts').flatMap((payment) => paymentOf(payment, reading.dialect))
  return {
    messageId,
    reportedAt,
    whole: overall === null || !appliesToAllPayments(overall) ? null : toReportedObservation(overall, reading.dialect),
    payments,
  }
}

function paymentOf(payment: XmlElement, dialect: FileDialect): readonly ReportedPayment[] {
  const reported = reportedIn(payment, 'TxSts')
  if (reported === null) {
    return []
  }
  const instruction = textAt(payment, 'OrgnlInstrId') ?? ''
  const position = /^[1-9]\d{0,8}$/.test(instruction) ? Number(instruction) - 1 : null
  return [{ ...toReportedObservation(reported, dialect), position, endToEndId: textAt(payment, 'OrgnlEndToEndId') }]
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
