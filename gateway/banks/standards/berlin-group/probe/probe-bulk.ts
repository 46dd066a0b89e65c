/** Probes the format of bulks with bulks that can never be executed, because the debtor account cannot exist. */
import { type Finding, finding } from '../../../connector/probe-report.ts'
import { nonExecutableBulk } from './non-executable-order.ts'
import { rejectionIn, sendNonExecutableOrder } from './probe-order.ts'
import { describeAnswer, type Prober } from './prober.ts'

/** Whether the bank accepts our id of a bulk, which the standard's OpenAPI file has only in answers. */
export async function probeBulk(
  prober: Prober,
  product: string,
  order: Readonly<Record<string, unknown>>,
  notes: string[],
): Promise<readonly Finding[]> {
  const bulk = nonExecutableBulk(order)
  const send = (body: object) => sendNonExecutableOrder(prober, product, { ...body }, notes, 'bulk-payments')
  const base = await send(bulk)
  const members = { paymentInformationId: 'HAVN-PROBE-1' }
  const objection = rejectionIn(await send({ ...bulk, ...members }), base, members)
  const profile = prober.dialect.paymentInformationId === true
  const unknownField = { havnProbe: 'x' }
  const isStrict = rejectionIn(await send({ ...bulk, ...unknownField }), base, unknownField) !== undefined
  const finds = (suggested: boolean | undefined, because: string) =>
    finding('dialect.paymentInformationId', { profile, suggested }, because)
  const isDemanded = base.errors.some(({ path, text }) => `${path} ${text}`.includes('paymentInformationId'))
  if (isDemanded) {
    return [finds(true, `a bulk without it is answered with ${describeAnswer(base)}`)]
  }
  if (objection !== undefined) {
    return [finds(false, objection)]
  }
  return [finds(isStrict ? true : undefined, isStrict ? 'accepted, while unknown fields are rejected' : 'not rejected')]
}
