/** Reads reports of banks on files, ISO 20022 pain.002 in any of its versions. */
import type { XmlElement } from '@rgrove/parse-xml'
import type { FileReport, PaymentReported } from '../../file-product.ts'
import type { FileDialect } from './file-dialect.ts'
import { observed, type Reported, tellsOfAll } from './reported-status.ts'
import { first, inside, rootOf, textAt } from './xml-tree.ts'

/** Codes are these; whatever else stands where one should may be a sentence, and name somebody. */
const CODE = /^[A-Z0-9]{2,10}$/

/** What a bank means where the message says less than it could. */
export type Reading = { readonly timeZone: string; readonly dialect: FileDialect }

/** Null for whatever is no whole report, or names no file that it is on. */
export function readPain002(text: string, reading: Reading): FileReport | null {
  const report = first(rootOf(text), 'CstmrPmtStsRpt')
  const group = first(report, 'OrgnlGrpInfAndSts')
  const messageId = textAt(group, 'OrgnlMsgId')
  const reportedAt = instantOf(textAt(report, 'GrpHdr', 'CreDtTm'), reading.timeZone)
  if (messageId === null || reportedAt === null) {
    return null
  }
  // A file of ours holds one batch.
  const [batch] = inside(report, 'OrgnlPmtInfAndSts')
  const whole = reportedIn(batch, 'PmtInfSts') ?? reportedIn(group, 'GrpSts')
  const payments = inside(batch, 'TxInfAndSts').flatMap((payment) => paymentOf(payment, reading.dialect))
  return {
    messageId,
    reportedAt,
    whole: whole === null || !tellsOfAll(whole) ? null : observed(whole, reading.dialect),
    payments,
  }
}

function paymentOf(payment: XmlElement, dialect: FileDialect): readonly PaymentReported[] {
  const reported = reportedIn(payment, 'TxSts')
  if (reported === null) {
    return []
  }
  const instruction = textAt(payment, 'OrgnlInstrId') ?? ''
  const position = /^[1-9]\d{0,8}$/.test(instruction) ? Number(instruction) - 1 : null
  return [{ ...observed(reported, dialect), position, endToEndId: textAt(payment, 'OrgnlEndToEndId') }]
}

function reportedIn(element: XmlElement | undefined, status: string): Reported | null {
  const word = textAt(element, status)
  if (word === null) {
    return null
  }
  const reasons = inside(element, 'StsRsnInf').flatMap((reason) => {
    const code = textAt(reason, 'Rsn', 'Cd') ?? textAt(reason, 'Rsn', 'Prtry') ?? ''
    return CODE.test(code) ? [code] : []
  })
  return { word, reasons }
}

/** A time without an offset is by the bank's clock. */
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
